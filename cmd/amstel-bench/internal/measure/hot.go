package measure

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/timeline"
)

const (
	// hotBar is the rate that a page should reach at least, as a share of the rate of a handler that
	// writes constant bytes.
	hotBar = 0.5
	// packedBar is the same for a member's page that is compressed.
	packedBar = 0.3
	// hotPath is the page that readers without an account request.
	hotPath = "/filter/everything"
	// homes is how many members request their homes at the same time.
	homes = 16
)

// forms are the forms in which a page is requested.
var forms = []client.Request{
	{Name: "html", Accept: "text/html", Encoding: "identity"},
	{Name: "html.gzip", Accept: "text/html", Encoding: "gzip"},
	{Name: "json", Accept: "application/json", Encoding: "identity"},
	{Name: "json.gzip", Accept: "application/json", Encoding: "gzip"},
}

// A hotPage is a page that is requested again and again in one form, while nothing changes.
type hotPage struct {
	name     string           // the beginning of the names of the records
	of       string           // describes the page
	bar      float64          // the least ratio of the rates
	requests []client.Request // one by each reader
}

// hot measures the page that all readers without an account share, and compares it with a handler that
// writes the same bytes from memory behind the same middleware.
func (r *run) hot(ctx context.Context) error {
	return r.Serve(ctx, timeline.New(r.Pool, timeline.Options{}), func(ctx context.Context, site Site) error {
		for _, form := range forms {
			page := hotPage{name: "hot." + form.Name, of: hotPath + " for anonymous readers", bar: hotBar}
			if form.Path = hotPath; form.Accept == "application/json" {
				form.Path += ".json"
			}
			page.requests = []client.Request{form}
			if err := r.hotForm(ctx, site, page); err != nil {
				return fmt.Errorf("%s: %w", form.Name, err)
			}
		}
		return nil
	})
}

// membersHomes measures the homes of the members who follow most, in the same way.
func (r *run) membersHomes(ctx context.Context) error {
	store := timeline.New(r.Pool, timeline.Options{})
	people, err := busiest(ctx, r.Pool, homes)
	if err != nil {
		return err
	}
	var sessions []string
	for _, person := range people {
		session, err := store.NewSession(ctx, person.User, true, "")
		if err != nil {
			return err
		}
		sessions = append(sessions, session)
	}
	return r.Serve(ctx, store, func(ctx context.Context, site Site) error {
		for _, form := range forms {
			page := hotPage{name: "members." + form.Name, of: fmt.Sprintf("the homes of %d members", len(people)), bar: hotBar}
			if form.Encoding == "gzip" {
				page.bar = packedBar
			}
			if form.Path = "/"; form.Accept == "application/json" {
				form.Path = "/index.json"
			}
			for _, form.Session = range sessions {
				page.requests = append(page.requests, form)
			}
			if err := r.hotForm(ctx, site, page); err != nil {
				return fmt.Errorf("home as %s: %w", form.Name, err)
			}
		}
		return nil
	})
}

// hotForm measures one form of a page.
func (r *run) hotForm(ctx context.Context, site Site, page hotPage) error {
	recorded := make(map[string]http.Handler) // by the reader's cookie
	size := 0
	for _, one := range page.requests {
		request := one.HTTP(ctx, site.Address)
		answer := &recordedResponse{header: http.Header{}}
		site.Handler.ServeHTTP(answer, request)
		if answer.status != http.StatusOK {
			return fmt.Errorf("the page answers %d", answer.status)
		}
		recorded[request.Header.Get("Cookie")] = answer.replay()
		size += len(answer.body) / len(page.requests)
	}
	page.of = fmt.Sprintf("%s, %d bytes", page.of, size)
	static := site.Wrap(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		recorded[q.Header.Get("Cookie")].ServeHTTP(w, q)
	}))
	const each = 2 // the two ways of requesting, without a network and over HTTP, share the time
	turn := time.Duration(r.Seconds / each / 2 / turns * float64(time.Second))

	both, err := inTurns(turn,
		func(d time.Duration) (client.Load, error) {
			return client.LoadHandler(ctx, site.Handler, page.requests, site.Address, d)
		},
		func(d time.Duration) (client.Load, error) {
			return client.LoadHandler(ctx, static, page.requests, site.Address, d)
		})
	if err != nil {
		return err
	}
	if err := r.reportHot(page, "handler", "no network", both); err != nil {
		return err
	}
	address, stop, err := serveStatic(ctx, static)
	if err != nil {
		return err
	}
	defer stop()
	both, err = inTurns(turn,
		func(d time.Duration) (client.Load, error) {
			return client.LoadHTTP(ctx, site.Address, page.requests, d)
		},
		func(d time.Duration) (client.Load, error) { return client.LoadHTTP(ctx, address, page.requests, d) })
	if err != nil {
		return err
	}
	connections := max(client.Connections(), len(page.requests))
	return r.reportHot(page, "http", fmt.Sprintf("loopback HTTP, %d connections kept", connections), both)
}

// reportHot reports the rates of a page and of the constant handler, and their ratio.
func (r *run) reportHot(page hotPage, way, how string, both *pair) error {
	record := report.Record{
		Name: page.name + "." + way, Of: page.of + ", " + how,
		Value: both.one.Rate(), Unit: "requests/s", Range: report.RangeOf(both.rates, report.Median),
		Beside: &report.Beside{Name: "the same bytes from memory, requests/s", Value: both.other.Rate(), P99: both.other.Took.Quantile(0.99)},
		Ratio:  both.ratio(),
	}
	record.SetQuantiles(both.one.Took)
	record.Expect(fmt.Sprintf("ratio >= %v", page.bar), record.Ratio >= page.bar)
	return r.report(record)
}

// A recordedResponse is a ResponseWriter that keeps the header, the status and the bytes.
type recordedResponse struct {
	header http.Header
	status int
	body   []byte
}

func (k *recordedResponse) Header() http.Header { return k.header }

func (k *recordedResponse) WriteHeader(status int) {
	if k.status == 0 {
		k.status = status
	}
}

func (k *recordedResponse) Write(b []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	k.body = append(k.body, b...)
	return len(b), nil
}

// replay returns a handler that writes the recorded response: the header that the page's own
// handler set, and the bytes. The middleware adds its own headers again.
func (k *recordedResponse) replay() http.Handler {
	own := map[string]string{}
	for _, name := range []string{"Content-Type", "Content-Encoding", "Cache-Control", "Etag", "Vary"} {
		if value := k.header.Get(name); value != "" {
			own[name] = value
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		header := w.Header()
		for name, value := range own {
			header.Set(name, value)
		}
		_, _ = w.Write(k.body) // fails only if the client has gone
	})
}

// serveStatic serves a handler on a free port, until stop is called.
func serveStatic(ctx context.Context, handler http.Handler) (address string, stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // returns when the server is closed
	}()
	return "http://" + listener.Addr().String(), func() {
		_ = server.Close() // the clients have stopped before
		<-done
	}, nil
}
