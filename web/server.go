package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/go-chi/httprate"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
)

// Config is what a Server is made of. Store, Rivers and URL are needed.
type Config struct {
	Store  *timeline.Store
	Rivers Rivers
	// Live and Changes are the sockets of open pages, and the polling of who
	// can't have one; nil: there are none.
	Live, Changes http.Handler
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
	store  *timeline.Store
	rivers Rivers
	log    *slog.Logger
	now    func() time.Time
	config Config

	secure    bool                   // the public address is https
	cookie    string                 // the session cookie's name
	deviceKey atomic.Pointer[[]byte] // signs device cookies; nil: not read yet
	origin    *http.CrossOriginProtection
	writes    *httprate.RateLimiter
	people    *identities
	names     names
	counts    *bounded[counter, counted]
	members   *members
	reachable *bounded[timeline.UserID, reachable]
	excluded  *bounded[timeline.UserID, excluded]
	places    *places
	hot       *hotPages
	lists     *turnstile.Turnstile
	spokenIn  atomic.Pointer[languages]
	began     atomic.Bool // its node has come through
	stopping  atomic.Bool
	status    statuses
	routes    http.Handler
}

// New makes a server.
func New(c Config) (*Server, error) {
	public, err := url.Parse(c.URL)
	if err != nil || public.Host == "" || public.Scheme != "http" && public.Scheme != "https" {
		return nil, fmt.Errorf("public address %q is not like https://amstel.example", c.URL)
	}
	unless(&c.Log, slog.New(slog.DiscardHandler))
	unless(&c.WritesPerMinute, 600)
	unless(&c.BodyLimit, 256<<10)
	unless(&c.HotBytes, 64<<20)
	unless(&c.BehindAfter, 2*time.Second)
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Server{
		store: c.Store, rivers: c.Rivers, log: c.Log, now: c.Now, config: c,
		secure:    public.Scheme == "https",
		cookie:    cookieName(public.Scheme == "https"),
		origin:    http.NewCrossOriginProtection(),
		writes:    httprate.NewRateLimiter(c.WritesPerMinute, time.Minute, httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"})),
		people:    &identities{store: c.Store, now: c.Now, held: newBounded[[32]byte, known](identitiesHeld)},
		names:     newNames(),
		counts:    newBounded[counter, counted](namesHeld),
		members:   newMembers(c.Store, c.Now),
		reachable: newBounded[timeline.UserID, reachable](identitiesHeld),
		excluded:  newBounded[timeline.UserID, excluded](identitiesHeld),
		places:    newPlaces(c.Store, c.Now),
		hot:       newHotPages(c.HotBytes),
		lists:     newLists(),
	}
	if err := s.origin.AddTrustedOrigin(public.Scheme + "://" + public.Host); err != nil {
		return nil, fmt.Errorf("public address %q: %w", c.URL, err)
	}
	s.routes = s.site(public)
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// unless sets what is zero.
func unless[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}
