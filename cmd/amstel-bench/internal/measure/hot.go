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
	// hotBar is the least share of a constant handler's rate that a page should reach.
	hotBar = 0.5
	// hotPath is the page to request.
	hotPath = "/filter/everything"
)

// hot measures the page that all readers without an account share, and, for comparison, a
// handler that writes the same bytes from memory behind the same middleware.
func (r *run) hot(ctx context.Context) error {
	return r.Serve(ctx, timeline.New(r.Pool, timeline.Options{}), func(ctx context.Context, site Site) error {
		for _, form := range []client.Request{
			{Name: "html", Path: hotPath, Accept: "text/html", Encoding: "identity"},
			{Name: "html.gzip", Path: hotPath, Accept: "text/html", Encoding: "gzip"},
			{Name: "json", Path: hotPath + ".json", Accept: "application/json", Encoding: "identity"},
			{Name: "json.gzip", Path: hotPath + ".json", Accept: "application/json", Encoding: "gzip"},
		} {
			if err := r.hotForm(ctx, site, form); err != nil {
				return fmt.Errorf("%s: %w", form.Name, err)
			}
		}
		return nil
	})
}

// hotForm measures one form of the page.
func (r *run) hotForm(ctx context.Context, site Site, form client.Request) error {
	page := &recordedResponse{header: http.Header{}}
	site.Handler.ServeHTTP(page, form.HTTP(ctx, site.Address))
	if page.status != http.StatusOK {
		return fmt.Errorf("the page answers %d", page.status)
	}
	static := site.Wrap(page.replay())
	const each = 2 // half of the time for each of the two ways to ask
	turn := time.Duration(r.Seconds / each / 2 / turns * float64(time.Second))

	both, err := inTurns(turn,
		func(d time.Duration) (client.Load, error) {
			return client.LoadHandler(ctx, site.Handler, form, site.Address, d)
		},
		func(d time.Duration) (client.Load, error) {
			return client.LoadHandler(ctx, static, form, site.Address, d)
		})
	if err != nil {
		return err
	}
	if err := r.reportHot("hot."+form.Name+".handler", "no network", page, both); err != nil {
		return err
	}
	address, stop, err := serveStatic(ctx, static)
	if err != nil {
		return err
	}
	defer stop()
	both, err = inTurns(turn,
		func(d time.Duration) (client.Load, error) { return client.LoadHTTP(ctx, site.Address, form, d) },
		func(d time.Duration) (client.Load, error) { return client.LoadHTTP(ctx, address, form, d) })
	if err != nil {
		return err
	}
	return r.reportHot("hot."+form.Name+".http", fmt.Sprintf("loopback HTTP, %d connections kept", client.Connections()), page, both)
}

// reportHot reports how a page did beside the constant handler.
func (r *run) reportHot(name, how string, page *recordedResponse, both *pair) error {
	record := report.Record{
		Name: name, Of: fmt.Sprintf("%s of %d bytes for anonymous readers, %s", hotPath, len(page.body), how),
		Value: both.one.Rate(), Unit: "requests/s", N: len(both.one.Took), P50: both.one.Took.Quantile(0.5), P99: both.one.Took.Quantile(0.99),
		Beside: &report.Beside{Name: "the same bytes from memory, requests/s", Value: both.other.Rate(), P99: both.other.Took.Quantile(0.99)},
		Ratio:  both.ratio(),
	}
	record.Expect(fmt.Sprintf("ratio >= %v", hotBar), record.Ratio >= hotBar)
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
		_, _ = w.Write(k.body) // a client that went away needs no answer
	})
}

// serveStatic serves a handler on a port of its own.
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
		_ = server.Serve(listener) // until it is closed
	}()
	return "http://" + listener.Addr().String(), func() {
		_ = server.Close() // no client asks any more
		<-done
	}, nil
}
