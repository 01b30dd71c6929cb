package realtime

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// Config is what a [Server] is made of. Rivers, Identify, Resolve and Render
// must be given; the zero value of every other field is a good one.
type Config struct {
	Rivers Rivers
	// Identify says who sent a request, and the hash of the session or token
	// that says so (nil: nobody is signed in).
	Identify func(*http.Request) (viewer timeline.UserID, credential []byte, err error)
	// Resolve finds which part of which river a page of the site shows. The page
	// brings its river's name: is says of a river whether that has it. Another
	// river's is refused, so that it must not matter whether there is one.
	Resolve func(ctx context.Context, viewer timeline.UserID, page string, is func(river.Key) bool) (river.Key, river.At, error)
	Render  Renderer
	// Languages are the codes of those in which it renders HTML.
	Languages []string
	Log       *slog.Logger

	// Origin is the site's own, as "https://example.org"; empty: that of the
	// request's own scheme and host.
	Origin string
	// Client names whom a socket counts against, besides its viewer; nil: nobody.
	Client func(*http.Request) string
	// Build is told to every page, so that it can know that it is outdated.
	Build string

	// Poisoned is told which post's entry can't be drawn, and why; nil: nobody.
	Poisoned func(post timeline.PostID, why any)
	// Presence says whether pages of one post are told how many have it open; nil: no.
	Presence     func() bool
	PresentEvery time.Duration // how often at most they are told; 5 s

	Coalesce    time.Duration // the least time between two wakings of a hub; 200 ms
	Stretch     time.Duration // the most, when there is much to do; 5 s
	HiddenEvery time.Duration // the same for pages that nobody looks at; 5 s
	Beat        time.Duration // the silence after which a beat is sent, ± 20 %; 25 s
	WriteWithin time.Duration // a frame that is not written by then ends its socket; 10 s
	Slow        time.Duration // a frame that took longer closes its socket; 5 s
	SubWithin   time.Duration // for the first sub to come, and for a river to be opened; 15 s
	CloseWithin time.Duration // for a closing socket to be gone; 3 s
	Behind      time.Duration // how old the node's state may be before pages are told; 2 s
	Away        time.Duration // and before they are closed; 30 s
	ByeWithin   time.Duration // over which time pages come back after a restart; 5 s

	ReadLimit    int // bytes of a frame of a client's; 32 KB
	FramesASec   int // frames of a client's in any second; 2
	MaxSockets   int // of the whole server; 50,000
	MaxPerViewer int // of one person, and of one client; 200
	Grants       int // rivers that are being opened at a time; 64

	// Wrote is told of each round of writes of a hub: of how many sockets it has,
	// and how long that took; nil: nobody.
	Wrote func(sockets int, took time.Duration)

	// Jitter returns a number in [0, 1); nil: math/rand's.
	Jitter func() float64
}

func (c Config) withDefaults() Config {
	or := func(d *time.Duration, otherwise time.Duration) {
		if *d == 0 {
			*d = otherwise
		}
	}
	or(&c.Coalesce, 200*time.Millisecond)
	or(&c.Stretch, 5*time.Second)
	or(&c.HiddenEvery, 5*time.Second)
	or(&c.Beat, 25*time.Second)
	or(&c.PresentEvery, 5*time.Second)
	or(&c.WriteWithin, 10*time.Second)
	or(&c.Slow, 5*time.Second)
	or(&c.SubWithin, 15*time.Second)
	or(&c.CloseWithin, 3*time.Second)
	or(&c.Behind, 2*time.Second)
	or(&c.Away, 30*time.Second)
	or(&c.ByeWithin, 5*time.Second)
	most := func(n *int, otherwise int) {
		if *n == 0 {
			*n = otherwise
		}
	}
	most(&c.ReadLimit, 32<<10)
	most(&c.FramesASec, 2)
	most(&c.MaxSockets, 50_000)
	most(&c.MaxPerViewer, 200)
	most(&c.Grants, 64)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
	if c.Client == nil {
		c.Client = func(*http.Request) string { return "" }
	}
	return c
}
