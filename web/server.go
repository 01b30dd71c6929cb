package web

import (
	"amstel.dev/amstel/web/catalogue"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/go-chi/httprate"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/address"
)

// Config is what a Server is made of. Store, Rivers and URL are needed.
type Config struct {
	Store  *timeline.Store
	Rivers Rivers
	// Live and Changes are the sockets of open pages, and the polling of who
	// can't have one; nil: there are none.
	Live, Changes http.Handler
	// Language is the one of readers of whom no other is known.
	Language catalogue.Language
	// URL is the public address, scheme and host.
	URL string
	// TrustProxy are the addresses whose X-Forwarded-For is believed.
	TrustProxy []netip.Prefix
	// Log is told what goes wrong, and of slow requests; nil: nobody is.
	Log *slog.Logger
	// LogRequests has every request logged, without saying whose it is.
	LogRequests bool
	// Observer counts requests; nil: nobody does.
	Observer Observer
	// Metrics answers GET /metrics, for whom MayMeasure lets through; nil: nothing
	// is there.
	Metrics    http.Handler
	MayMeasure func(*http.Request) bool
	// Status is what the status page tells of the node; nil: how old its pages
	// are, and no more. It is asked once a second at most.
	Status func() NodeStatus
	// Trouble says in a clause what is wrong with the node, whether or not it can
	// serve all the same; empty: nothing is known. Nil: nobody knows.
	Trouble func() string
	// Build names this build; pages of another are rendered anew.
	Build string
	// WritesPerMinute is how much one person, or one address where nobody is
	// signed in, may write; 0: 600.
	WritesPerMinute int
	// BodyLimit is how large a body may be, in bytes; 0: 256 KB.
	BodyLimit int64
	// HotBytes bounds the rendered pages that are kept; 0: 64 MB.
	HotBytes int
	// BehindAfter is the age of the node's state from which pages say so; 0: 2 s.
	BehindAfter time.Duration
	// Now is the clock; nil: that on the wall.
	Now func() time.Time
}

// A Server is the site over HTTP. It is made by [New].
type Server struct {
	store    *timeline.Store
	discover *discover.Store
	rivers   Rivers
	log      *slog.Logger
	now      func() time.Time
	config   Config

	secure     bool   // the public address is https
	cookie     string // the session cookie's name
	origin     *http.CrossOriginProtection
	writes     *httprate.RateLimiter
	people     *identities
	addresses  *address.Resolver
	counts     *counts
	members    *members
	postGroups *postGroups
	exclusions *exclusions
	devices    *devices
	places     *places
	hot        *hotPages
	lists      *turnstile.Turnstile
	began      atomic.Bool // its node has come through
	stopping   atomic.Bool
	status     statuses
	routes     http.Handler
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Addresses returns what finds the river of an address, for package realtime.
func (s *Server) Addresses() *address.Resolver { return s.addresses }

// behind says whether pages should say that they may be old.
func (s *Server) behind() bool { return s.rivers.Age() > s.config.BehindAfter }

// KeepPlaces writes how far people have seen their pages, each at most once a
// minute; the node calls it every few seconds.
func (s *Server) KeepPlaces(ctx context.Context) error { return s.places.keep(ctx, false) }

// Close writes what is left to write. It is called when no request comes any
// more.
func (s *Server) Close(ctx context.Context) error { return s.places.keep(ctx, true) }

// Rivers are what pages are read from; [river.Node] is the one there is.
type Rivers interface {
	// Visit reads a page of a river, and makes or keeps the river.
	Visit(context.Context, river.Key, river.At) (*river.View, error)
	// CacheKey is the Epoch and Changed that Visit would answer, where that can be
	// told without it; it counts as a visit.
	CacheKey(river.Key, river.At) (epoch string, changed int64, ok bool)
	// Since counts what a living river has above a place.
	Since(river.Key, timeline.Cursor) (news river.News, ok bool)
	// EntryAfterWrite is for the answer to a write: the river's state with that one entry.
	EntryAfterWrite(context.Context, river.Key, timeline.PostID) (*river.View, error)
	// WaitApplied returns when what was committed before is shown, or after 300 ms.
	WaitApplied(context.Context) error
	// WaitRevoked returns when what was taken away is shown nowhere any more.
	WaitRevoked()
	// Quarantine has a post left out of all rivers from the next turn on.
	Quarantine(post timeline.PostID, why any)
	// Age is the time since the node last stood at a state of the primary.
	Age() time.Duration
	// Position is that state's place in the change log.
	Position() int64
	// WaitPosition waits a little until the node contains all of the log up to the position.
	WaitPosition(ctx context.Context, position int64) error
	// Name is the river's uuid for who holds that credential, and Named its reverse.
	Name(key river.Key, credential []byte) string
	Named(uuid string) (river.Key, bool)
}
