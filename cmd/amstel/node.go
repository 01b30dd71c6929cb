package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/internal/lockfile"
	"amstel.dev/amstel/internal/metrics"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// nodeSettings are those of every role that serves pages.
type nodeSettings struct {
	URL        string         `placeholder:"ADDRESS" help:"Public address of the site, like https://amstel.example (the one listened on)."`
	TrustProxy []netip.Prefix `placeholder:"CIDR,..." help:"Proxies whose X-Forwarded-For is believed; no others are."`
	River      string         `placeholder:"FILE" help:"River DB of this node, which no other may use, and which may be lost at any time (in --data)."`
	RiverSize  byteSize       `default:"4GiB" placeholder:"SIZE" help:"Size that the river DB and its journal may have; beyond it pages go that nobody looked at for longest (${default})."`
	Memory     *byteSize      `placeholder:"SIZE" help:"Memory that pages may take, open ones apart; beyond it those go that nobody looked at for longest (a quarter of the memory that the process may have, at most 2GiB)."`
	GraceHome  time.Duration  `default:"24h" placeholder:"TIME" help:"A home river that nobody looked at for so long goes (${default})."`
	Grace      time.Duration  `default:"4h" placeholder:"TIME" help:"The same for any other river (${default})."`
	Deepest    int            `default:"500" placeholder:"ENTRIES" help:"Entries that a river may hold; pages deeper down are read from the primary (${default})."`
	Writes     int            `default:"600" placeholder:"NUMBER" help:"Writes that one account may make a minute (${default})."`
	Drain      time.Duration  `default:"8s" placeholder:"TIME" help:"How long open pages and requests have to end when the node is told to stop (${default})."`
	DrainPause time.Duration  `default:"0s" placeholder:"TIME" help:"How much of that it goes on as before, but for saying that it is not ready, so that a balancer notices (${default})."`
	measuring
	logging
	LogRequests bool `help:"Log every request, too, without saying whose it is."`
}

const (
	leastMemory    = 16 * mib
	leastRiverSize = 256 * mib
)

// Validate refuses what would be taken for "not set", or means nothing.
func (s nodeSettings) Validate() error {
	for _, one := range []struct {
		flag string
		ok   bool
	}{
		{"--grace-home", s.GraceHome > 0},
		{"--grace", s.Grace > 0},
		{"--deepest", s.Deepest > 0},
		{"--writes", s.Writes > 0},
		{"--drain", s.Drain > 0},
	} {
		if !one.ok {
			return fmt.Errorf("%s must be more than 0", one.flag)
		}
	}
	if s.RiverSize < leastRiverSize {
		return errors.New("--river-size must be 256MiB or more")
	}
	if s.Memory != nil && *s.Memory < leastMemory {
		return errors.New("--memory must be 16MiB or more")
	}
	if slices.ContainsFunc(s.TrustProxy, func(p netip.Prefix) bool { return !p.IsValid() }) {
		return errors.New("--trust-proxy has an empty place: name CIDRs, parted by commas")
	}
	if s.DrainPause < 0 || s.DrainPause >= s.Drain {
		return errors.New("--drain-pause must be less than --drain, and not negative")
	}
	return nil
}

const (
	// headerWithin is how long a client may take over a request's header, and
	// idleFor how long it may keep a connection for the next request.
	headerWithin = 10 * time.Second
	idleFor      = 2 * time.Minute
	// readWithin is how long a whole request may take, and writeWithin how long
	// one and its answer: who sends a byte a minute holds nothing for longer. A
	// socket has limits of its own.
	readWithin  = 30 * time.Second
	writeWithin = time.Minute
)

// A node serves pages and sockets from rivers of its own.
type node struct {
	store   *timeline.Store
	rivers  *river.Node
	live    *realtime.Server
	http    *http.Server
	log     *slog.Logger
	lock    *lockfile.Lock // of the river DB
	site    *web.Server
	metrics *metrics.Metrics
	gauge   *gauge // nil: metrics are served beside the pages
	health  *health
	watched watched
	jobs    *jobRuns
	began   time.Time
	url     string // the site's public address

	drainWithin, drainPause time.Duration
}

// openNode puts a node together. Its site is at a public address.
func (s nodeSettings) openNode(ctx context.Context, store *timeline.Store, public, path string, to streams) (*node, error) {
	lock, err := lockfile.Take(path + ".lock")
	if err != nil {
		return nil, fmt.Errorf("river DB: %w", err)
	}
	if lock == nil {
		return nil, fmt.Errorf("the river DB %s is another node's: name a file of its own with --river", path)
	}
	n := &node{store: store, lock: lock, log: s.logger(to), metrics: metrics.New(versionName()), began: time.Now(), url: public, drainWithin: s.Drain, drainPause: s.DrainPause}
	n.jobs, n.health = newJobRuns(n.metrics), &health{log: n.log}
	if n.drainWithin == 0 {
		n.drainWithin = drainWithin
	}
	if n.gauge, err = s.listenMetrics(ctx, n.metrics); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	if err := s.assemble(ctx, n, store, public, path); err != nil {
		return nil, errors.Join(err, n.gauge.close(), lock.Close())
	}
	return n, nil
}

// assemble makes the parts of a node. They know one another by what each asks
// for only, so the circle between site and sockets is closed here.
func (s nodeSettings) assemble(ctx context.Context, n *node, store *timeline.Store, public, path string) error {
	var site *web.Server
	var err error
	n.measure()
	memory := defaultMemory()
	if s.Memory != nil {
		memory = *s.Memory
	}
	n.rivers, err = river.Open(ctx, river.Config{
		Store:    store,
		Path:     path,
		Settings: river.Settings{Grace: s.Grace, GraceHome: s.GraceHome, Deepest: s.Deepest, Memory: int64(memory), RiverDB: int64(s.RiverSize)},
		Log:      n.log,
		Reached:  reached,
		Ended: func(hash []byte) {
			site.Ended(hash)
			n.live.Ended(hash)
		},
		Forgot: func() {
			site.Forget()
			n.live.Shed()
		},
		Sealed: func() { n.live.Shed() },
		Turned: func(t river.Turn) {
			n.metrics.Turned(t)
			n.health.turned(t)
		},
		Built: func(kind river.Kind, took time.Duration, err error) {
			n.metrics.Built(kind, took, err)
			n.health.built(kind, took, err)
		},
	})
	if err != nil {
		return err
	}
	config := web.Config{
		Store:           store,
		Rivers:          n.rivers,
		Live:            http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { n.live.ServeHTTP(w, r) }),
		Changes:         http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { n.live.Changes(w, r) }),
		URL:             public,
		TrustProxy:      s.TrustProxy,
		Log:             n.log,
		Build:           versionName(),
		WritesPerMinute: s.Writes,
		LogRequests:     s.LogRequests,
		Observer:        n.metrics,
		Status:          n.status,
		Trouble:         n.health.trouble,
	}
	if n.gauge == nil {
		config.Metrics, config.MayMeasure = n.metrics.Handler(), s.readers(s.URL).May
	}
	site, err = web.New(config)
	if err != nil {
		return &settingError{err.Error()}
	}
	n.site = site
	origin := "" // where no address is given: that of the page
	if s.URL != "" {
		origin = public
	}
	n.live = realtime.New(realtime.Config{
		Rivers:   watchable{n.rivers},
		Identify: site.Identify,
		Resolve:  site.Resolve,
		Render:   web.Renderer{},
		Poisoned: n.rivers.Quarantine,
		Presence: func() bool { return n.rivers.Site().Presence },
		Origin:   origin,
		Client:   client,
		Build:    versionName(),
		Log:      n.log,
		Wrote:    n.metrics.Wrote,
	})
	n.http = newServer(site)
	n.http.ErrorLog = slog.NewLogLogger(n.log.Handler(), slog.LevelDebug)
	return nil
}

// measure has the metrics ask the parts of the node, which are there before
// anybody reads them.
func (n *node) measure() {
	n.metrics.HTTP()
	n.metrics.Node(func() river.Stats { return n.rivers.Stats() })
	n.metrics.Sockets(func() realtime.Stats { return n.live.Stats() })
	n.metrics.Ready(func() bool { return n.site.Readiness().Ready() })
}

// status is what the status page tells.
func (n *node) status() web.NodeStatus {
	return web.NodeStatus{Rivers: n.rivers.Stats(), Sockets: n.live.Stats(), Began: n.began, Jobs: n.jobs.all()}
}

// client returns the network that a socket counts against. It returns none for
// this machine: those requests come through a proxy that is not set as trusted,
// and all visitors would count as one client.
func client(r *http.Request) string {
	network := web.ClientNetwork(r.Context())
	if !network.IsValid() || network.Addr().IsLoopback() {
		return ""
	}
	return network.String()
}

// watchable is a node as sockets see it.
type watchable struct{ *river.Node }

// Watch opens a river for a hub.
func (n watchable) Watch(ctx context.Context, key river.Key) (realtime.Watch, error) {
	w, err := n.Node.Watch(ctx, key)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// serve runs a node, with its periodic jobs, until the context ends or a part
// of it fails. It calls ready once pages are shown.
func (n *node) serve(ctx context.Context, listener net.Listener, jobs []job, ready func() error) error {
	defer n.lock.Close()
	defer n.gauge.close()
	// The loop ends last: requests under way wait for it, and sockets that say
	// goodbye read what it published.
	looping, endLoop := context.WithCancel(context.WithoutCancel(ctx))
	defer endLoop()
	n.log.Info("started", "version", versionName(), "url", n.url)
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return n.gauge.run(looping) })
	parts.Go(func() error {
		err := n.rivers.Run(looping)
		if err == nil && looping.Err() == nil {
			err = errors.New("the loop ended by itself")
		}
		return err
	})
	parts.Go(func() error {
		if err := n.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serve: %w", err)
		}
		return nil
	})
	parts.Go(func() error {
		if err := n.settled(ctx); err != nil {
			return nil // stopped before
		}
		n.look()
		return ready()
	})
	parts.Go(func() error {
		runJobs(ctx, n.log, n.jobs, append(jobs, nodeJobs(n.rivers, n.site)...))
		return nil
	})
	parts.Go(func() error {
		n.watch(ctx)
		return nil
	})
	parts.Go(func() error {
		workAtOnce(ctx, n.log, n.store)
		return nil
	})
	parts.Go(func() error {
		<-ctx.Done()
		defer endLoop()
		n.drain(context.WithoutCancel(ctx))
		return nil
	})
	return parts.Wait()
}

// settled waits until the loop has come through once.
func (n *node) settled(ctx context.Context) error {
	for {
		err := n.rivers.Sync(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		// Until its first turn it says, each time after a moment, that it is behind.
	}
}
