package realtime

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A Config has the parts of a [Server]. Rivers, Identify, Resolve and Render are required. Every
// other field may have its zero value.
type Config struct {
	Rivers Rivers
	// Identify returns the account that makes a request, with its session or token; the zero Bearer
	// for a request without either.
	Identify func(*http.Request) (timeline.Bearer, error)
	// Resolve returns the river that a page of the site shows, and the page's part of the river.
	// The page sends the name of its river along, and is reports whether a river has that name.
	// Resolve refuses any other river in the same way, existing or not.
	Resolve func(ctx context.Context, viewer timeline.UserID, page string, is func(river.Key) bool) (river.Key, river.At, error)
	Render  Renderer
	// Languages are the codes of the languages in which Render renders HTML.
	Languages []string
	Log       *slog.Logger // nil: no log

	// Origin is the origin of the site, such as "https://example.org". Empty means
	// the scheme and host of each request.
	Origin string
	// Client returns the name under which a client's sockets are counted, besides their viewer.
	// If Client is nil, sockets are counted by viewer alone.
	Client func(*http.Request) string
	// Build is sent to every page, so that a page notices that its script is outdated.
	Build string

	// Poisoned is called with a post that can't be rendered, and the reason.
	Poisoned func(post timeline.PostID, why any)
	// Presence reports whether the pages of a post show how many people have the
	// post open. Nil means no.
	Presence func() bool

	// Wrote is called after each round of a hub, with the number of the hub's
	// sockets and the duration of the round.
	Wrote func(sockets int, took time.Duration)

	// Jitter returns a random number in [0, 1). Nil means that of math/rand.
	Jitter func() float64

	Limits
}

// Limits are the times and bounds of a server. Zero values are replaced by the
// default that is given with each. Tests and benchmarks alone set other limits.
type Limits struct {
	Coalesce     time.Duration // the shortest time between two rounds of a hub: 200 ms
	Stretch      time.Duration // the longest time between two rounds, under load: 5 s
	HiddenEvery  time.Duration // the shortest time between two rounds for hidden pages: 5 s
	PresentEvery time.Duration // the shortest time between two frames with the number of people present: 5 s
	Beat         time.Duration // the silence after which a socket is sent a beat, ± 20 %: 25 s
	WriteWithin  time.Duration // a frame that takes longer to write ends its socket without a closing frame: 10 s
	Slow         time.Duration // a frame that took longer to write closes its socket as too slow: 5 s
	SubWithin    time.Duration // the longest wait for the first sub, and for a river to be opened: 15 s
	CloseWithin  time.Duration // the longest wait for the client's answer to a closing frame: 3 s
	Behind       time.Duration // the age of the node's state from which pages learn that the node is behind: 2 s
	Away         time.Duration // the age of the node's state above which sockets are closed: 30 s
	Recent       time.Duration // how new the posts and comments are that a new listener is told of: 1 min
	ByeWithin    time.Duration // the time over which pages spread their return after a restart: 5 s

	ReadLimit    int // bytes in a frame from a client: 32 KB
	FramesASec   int // frames that a client may send in any second: 2
	MaxSockets   int // sockets of the whole server: 50,000
	MaxPerViewer int // sockets of one viewer, and of one client: 200
	Openings     int // rivers that are being opened at the same time: 64
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
	if c.Client == nil {
		c.Client = func(*http.Request) string { return "" }
	}
	c.Limits.fill()
	return c
}

// fill replaces zero values by the defaults.
func (l *Limits) fill() {
	l.Coalesce = cmp.Or(l.Coalesce, 200*time.Millisecond)
	l.Stretch = cmp.Or(l.Stretch, 5*time.Second)
	l.HiddenEvery = cmp.Or(l.HiddenEvery, 5*time.Second)
	l.PresentEvery = cmp.Or(l.PresentEvery, 5*time.Second)
	l.Beat = cmp.Or(l.Beat, 25*time.Second)
	l.WriteWithin = cmp.Or(l.WriteWithin, 10*time.Second)
	l.Slow = cmp.Or(l.Slow, 5*time.Second)
	l.SubWithin = cmp.Or(l.SubWithin, 15*time.Second)
	l.CloseWithin = cmp.Or(l.CloseWithin, 3*time.Second)
	l.Behind = cmp.Or(l.Behind, 2*time.Second)
	l.Away = cmp.Or(l.Away, 30*time.Second)
	l.Recent = cmp.Or(l.Recent, time.Minute)
	l.ByeWithin = cmp.Or(l.ByeWithin, 5*time.Second)
	l.ReadLimit = cmp.Or(l.ReadLimit, 32<<10)
	l.FramesASec = cmp.Or(l.FramesASec, 2)
	l.MaxSockets = cmp.Or(l.MaxSockets, 50_000)
	l.MaxPerViewer = cmp.Or(l.MaxPerViewer, 200)
	l.Openings = cmp.Or(l.Openings, 64)
}
