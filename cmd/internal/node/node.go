// Package node puts a node together from its parts: its rivers (package river), its pages (package
// web) and its sockets (package realtime). It runs the node with its periodic jobs until the context
// ends. The command that runs the node passes all settings.
package node

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/cmd/internal/jobs"
	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/export"
	"amstel.dev/amstel/internal/intake"
	"amstel.dev/amstel/internal/lockfile"
	"amstel.dev/amstel/internal/mail"
	"amstel.dev/amstel/internal/metrics"
	"amstel.dev/amstel/internal/preview"
	"amstel.dev/amstel/internal/push"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/realtime/faye"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/river/ready"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
	"amstel.dev/amstel/web"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/quota"
)

// Config holds the parts of a node.
type Config struct {
	Language catalogue.Language // of pages for readers who chose none, and whose browser asks for no known language
	Store    *timeline.Store
	Keeper   *attachment.Keeper // receives and processes uploads; nil: the site takes none
	Exports  *export.Worker     // nil: no exports are made
	Previews *preview.Worker    // nil: no pages are fetched for previews of links
	Intakes  *intake.Worker     // nil: no feeds of other sites are imported
	Mails    *mail.Worker       // nil: the site sends no mail
	Pushes   *push.Worker       // nil: the site sends no pushes
	KeptMail mail.Keeper        // has the mails of a site that keeps them, for a page that shows them on this machine; nil: no page does
	Inboxes  *inbox.Source      // the source of the store; nil: all posts come from the timelines
	River    string             // the file of the river DB
	URL      string             // the site's public address
	Origin   string             // the address whose pages may open sockets; empty: the host in the request
	Log      *slog.Logger
	Version  string

	Metrics *metrics.Metrics
	// Gauge serves the metrics while the node runs. If it is nil, the site serves them, to the
	// requests that MayMeasure accepts.
	Gauge      *Gauge
	MayMeasure func(*http.Request) bool

	Reached func(point string) // called with each point that the work reaches; may be nil

	Settings        river.Settings // a Memory of 0 is [DefaultMemory]
	TrustProxy      []netip.Prefix // proxies whose X-Forwarded-For is trusted
	WritesPerMinute int            // of one account
	Ahead           int            // how many homes are built in a minute before their readers come; 0: none
	LogRequests     bool

	Drain      time.Duration // how long the end of the node may take
	DrainPause time.Duration // the part of Drain for which the node still serves, but reports that it is not ready
}

// A ConfigError reports that a setting is not valid.
type ConfigError struct{ err error }

func (e *ConfigError) Error() string { return e.err.Error() }

func (e *ConfigError) Unwrap() error { return e.err }

// A Node serves pages and sockets from rivers of its own.
type Node struct {
	config  Config
	rivers  *river.Node
	live    *realtime.Server
	faye    *faye.Server
	http    *http.Server
	lock    *lockfile.Lock // of the river DB
	site    *web.Server
	ready   *ready.Worker
	health  *health
	watched watched
	jobs    *jobs.Runs
	began   time.Time
}

// Open assembles a node. It takes over the gauge, and closes it on failure.
func Open(ctx context.Context, c Config) (*Node, error) {
	lock, err := lockfile.Take(c.River + ".lock")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("river DB: %w", err), c.Gauge.Close())
	}
	if lock == nil {
		return nil, errors.Join(fmt.Errorf("the river DB %s is another node's: name a file of its own with --river", c.River), c.Gauge.Close())
	}
	n := &Node{config: c, lock: lock, began: time.Now(), jobs: jobs.NewRuns(c.Metrics), health: &health{log: c.Log}}
	if err := n.assemble(ctx); err != nil {
		return nil, errors.Join(err, c.Gauge.Close(), lock.Close())
	}
	return n, nil
}

// Rivers returns the part that keeps the node's rivers.
func (n *Node) Rivers() *river.Node { return n.rivers }

// Site returns the part that shows the node's pages.
func (n *Node) Site() *web.Server { return n.site }

// Sockets returns how many sockets are open.
func (n *Node) Sockets() int { return n.live.Stats().Sockets }

// Live returns the statistics of the sockets.
func (n *Node) Live() realtime.Stats { return n.live.Stats() }

// assemble creates the parts of a node. The packages of the parts do not import each other upwards:
// each part declares the functions that it needs, and assemble passes those of the other parts. Some
// parts need each other, so some of these functions read n or site when they are called.
func (n *Node) assemble(ctx context.Context) error {
	c := n.config
	var site *web.Server
	var err error
	n.measure()
	if c.Settings.Memory == 0 {
		c.Settings.Memory = DefaultMemory()
	}
	n.rivers, err = river.Open(ctx, river.Config{
		Store:    c.Store,
		Path:     c.River,
		Settings: c.Settings,
		Log:      c.Log,
		Reached:  c.Reached,
		Ended: func(hash []byte) {
			site.Ended(hash)
			n.live.Ended(hash)
		},
		Forgot: func() {
			site.Forget()
			n.live.Shed()
		},
		Came:   func(key river.Key, came bool) { n.ready.Came(key, came) },
		Sealed: func() { n.live.Shed() },
		Turned: func(t river.Turn) {
			c.Metrics.Turned(t)
			n.health.turned(t)
		},
		Built: func(kind river.Kind, took time.Duration, err error) {
			c.Metrics.Built(kind, took, err)
			n.health.built(kind, took, err)
		},
	})
	if err != nil {
		return err
	}
	n.ready = ready.New(ready.Config{Store: c.Store, Rivers: n.rivers, Node: nameOf(c.River), Builds: c.Ahead, Log: c.Log})
	config := web.Config{
		Store:           c.Store,
		Rivers:          n.rivers,
		Live:            http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { n.live.ServeHTTP(w, r) }),
		Changes:         http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { n.live.Changes(w, r) }),
		Faye:            http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { n.faye.ServeHTTP(w, r) }),
		URL:             c.URL,
		Language:        c.Language,
		TrustProxy:      c.TrustProxy,
		Log:             c.Log,
		Build:           c.Version,
		WritesPerMinute: c.WritesPerMinute,
		LogRequests:     c.LogRequests,
		Observer:        c.Metrics,
		Visited:         n.ready.Visited,
		Status:          n.status,
		Trouble:         n.health.trouble,
	}
	if c.Intakes != nil {
		config.Intakes = c.Intakes
	}
	if c.Keeper != nil {
		config.Files = c.Keeper
	}
	if c.Pushes != nil {
		config.PushKey = c.Pushes.PublicKey
	}
	if c.KeptMail != nil {
		config.Mails = func() ([]page.SentMail, error) { return sentMails(c.KeptMail) }
	}
	if c.Gauge == nil {
		config.Metrics, config.MayMeasure = c.Metrics.Handler(), c.MayMeasure
	}
	site, err = web.New(config)
	if err != nil {
		return &ConfigError{err}
	}
	n.site = site
	n.live = realtime.New(realtime.Config{
		Rivers:    realtime.OfNode(n.rivers),
		Identify:  site.Identify,
		Resolve:   site.Addresses().Resolve,
		Render:    site.Renderer(),
		Languages: web.Languages(),
		Poisoned:  n.rivers.Quarantine,
		Presence:  func() bool { return n.rivers.Site().Presence },
		Origin:    c.Origin,
		Client:    client,
		Build:     c.Version,
		Log:       c.Log,
		Wrote:     c.Metrics.Wrote,
	})
	secret, err := c.Store.Secret(ctx, "river_secret") // for the names of rivers that clients of Faye listen to
	if err != nil {
		return err
	}
	n.faye = faye.New(faye.Config{Listen: site.Listen(n.live), Client: client, Secret: secret, Log: c.Log})
	n.http = newServer(site)
	n.http.ErrorLog = slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug)
	return nil
}

// sentMails returns the mails that a site keeps, as pages show them.
func sentMails(k mail.Keeper) (all []page.SentMail, err error) {
	kept, err := k.Kept()
	for _, one := range kept {
		all = append(all, page.SentMail{At: one.At, To: one.To, Subject: one.Subject, Text: one.Text})
	}
	return all, err
}

// nameOf returns a name of the node that stays the same over restarts. No two nodes have the same name,
// because each has a river DB of its own. The name is a hash, so that the primary does not store the
// names of hosts and files.
func nameOf(river string) string {
	host, _ := os.Hostname() // without one, nodes of different hosts may build the same homes
	if path, err := filepath.Abs(river); err == nil {
		river = path
	}
	sum := sha256.Sum256([]byte(host + "\x00" + river))
	return hex.EncodeToString(sum[:8])
}

// measure registers the parts of the node with the metrics. The parts do not exist yet, but will before
// the metrics are first read.
func (n *Node) measure() {
	n.config.Metrics.HTTP()
	n.config.Metrics.Node(func() river.Stats { return n.rivers.Stats() })
	n.config.Metrics.Sockets(func() realtime.Stats { return n.live.Stats() })
	n.config.Metrics.Faye(func() faye.Stats { return n.faye.Stats() })
	n.config.Metrics.Quotas(func() quota.Stats { return n.site.QuotaStats() })
	if n.config.Inboxes != nil {
		n.config.Metrics.Inboxes(n.config.Inboxes.Counts)
	}
	n.config.Metrics.Ready(func() bool { return n.site.Readiness().Ready() })
}

// status returns the state of the node, for the status page.
func (n *Node) status() web.NodeStatus {
	return web.NodeStatus{Rivers: n.rivers.Stats(), Sockets: n.live.Stats(), Began: n.began, Jobs: n.jobs.All()}
}

// client returns the network of the client of a request, under which a socket is counted. It returns ""
// for a request from this machine, which came through a proxy that is not set as trusted; otherwise all
// visitors would be counted as one client.
func client(r *http.Request) string {
	network := web.ClientNetwork(r.Context())
	if !network.IsValid() || network.Addr().IsLoopback() {
		return ""
	}
	return network.String()
}

// Serve runs a node, with its own periodic jobs and the jobs in more, until the context ends or a part
// of the node fails. It calls ready once, when the node shows pages.
func (n *Node) Serve(ctx context.Context, listener net.Listener, more []jobs.Job, ready func() error) error {
	defer n.lock.Close()
	defer n.config.Gauge.Close()
	// The loop ends last: requests under way wait for it, and sockets that say goodbye read its
	// published state.
	looping, endLoop := context.WithCancel(context.WithoutCancel(ctx))
	defer endLoop()
	n.config.Log.Info("started", "version", n.config.Version, "url", n.config.URL)
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return n.config.Gauge.Run(looping) })
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
			return nil // the node was stopped before its first turn
		}
		n.logHealth()
		return ready()
	})
	parts.Go(func() error {
		more = append(append(more, jobs.OfNode(n.rivers, n.site)...), jobs.OfVisits(n.ready))
		if n.config.Keeper != nil {
			more = append(more, jobs.OfFiles(n.config.Store, n.config.Log, n.config.Keeper)...)
		}
		jobs.Run(ctx, n.config.Log, n.jobs, more)
		return nil
	})
	parts.Go(func() error {
		n.watch(ctx)
		return nil
	})
	parts.Go(func() error {
		n.ready.Run(ctx)
		return nil
	})
	parts.Go(func() error {
		jobs.WorkAtOnce(ctx, n.config.Log, n.config.Store)
		return nil
	})
	workOff := func(run func(context.Context, <-chan time.Time)) {
		parts.Go(func() error {
			look := time.NewTicker(queuesEvery)
			defer look.Stop()
			run(ctx, look.C)
			return nil
		})
	}
	if n.config.Keeper != nil {
		workOff(n.config.Keeper.Run)
	}
	if n.config.Inboxes != nil {
		parts.Go(func() error {
			jobs.Inboxes(ctx, n.config.Log, n.config.Store, n.config.Inboxes)
			return nil
		})
	}
	if n.config.Exports != nil {
		workOff(n.config.Exports.Run)
	}
	if n.config.Previews != nil {
		workOff(n.config.Previews.Run)
	}
	if n.config.Intakes != nil {
		workOff(n.config.Intakes.Run)
	}
	if n.config.Mails != nil {
		workOff(n.config.Mails.Run)
	}
	if n.config.Pushes != nil {
		workOff(n.config.Pushes.Run)
	}
	parts.Go(func() error {
		<-ctx.Done()
		defer endLoop()
		n.drain(context.WithoutCancel(ctx))
		return nil
	})
	return parts.Wait()
}

// queuesEvery is the time between two looks at the queues of uploads, exports, previews, intakes, mails and pushes.
// Work that this process queues needs no look; but other processes queue work too, and postponed work
// becomes due.
const queuesEvery = 10 * time.Second

// settled waits until the first turn of the loop has succeeded, or the context ends.
func (n *Node) settled(ctx context.Context) error {
	for {
		err := n.rivers.WaitApplied(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		// Until its first turn the node reports, each time after a moment, that it is behind.
	}
}
