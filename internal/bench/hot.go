package bench

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
)

const (
	// hotBar is what part of a constant handler's requests a page should reach.
	hotBar = 0.5
	// hotPath is the page that is asked for.
	hotPath = "/filter/everything"
)

// An asking is one form of the request.
type asking struct {
	name, path, accept, encoding string
}

// hot measures the page that everybody who is not signed in asks for, beside a
// handler that writes the same from memory behind the same middleware.
func (r *run) hot(ctx context.Context) error {
	return r.Serve(ctx, timeline.New(r.Pool, timeline.Options{}), func(ctx context.Context, site Site) error {
		for _, form := range []asking{
			{"html", hotPath, "text/html", "identity"},
			{"html.gzip", hotPath, "text/html", "gzip"},
			{"json", hotPath + ".json", "application/json", "identity"},
			{"json.gzip", hotPath + ".json", "application/json", "gzip"},
		} {
			if err := r.hotForm(ctx, site, form); err != nil {
				return fmt.Errorf("%s: %w", form.name, err)
			}
		}
		return nil
	})
}

// hotForm measures one form of the page.
func (r *run) hotForm(ctx context.Context, site Site, form asking) error {
	page := &keeper{header: http.Header{}}
	site.Handler.ServeHTTP(page, form.request(ctx, site.Address))
	if page.status != http.StatusOK {
		return fmt.Errorf("the page answers %d", page.status)
	}
	static := site.Wrap(page.replay())
	const each = 2 // half of the time for each of the two ways to ask
	turn := time.Duration(r.Seconds / each / 2 / turns * float64(time.Second))

	both, err := inTurns(turn,
		func(d time.Duration) (load, error) { return loadHandler(ctx, site.Handler, form, site.Address, d) },
		func(d time.Duration) (load, error) { return loadHandler(ctx, static, form, site.Address, d) })
	if err != nil {
		return err
	}
	if err := r.reportHot("hot."+form.name+".handler", "no network", page, both); err != nil {
		return err
	}
	address, stop, err := serveStatic(ctx, static)
	if err != nil {
		return err
	}
	defer stop()
	both, err = inTurns(turn,
		func(d time.Duration) (load, error) { return loadHTTP(ctx, site.Address, form, d) },
		func(d time.Duration) (load, error) { return loadHTTP(ctx, address, form, d) })
	if err != nil {
		return err
	}
	return r.reportHot("hot."+form.name+".http", fmt.Sprintf("loopback HTTP, %d connections kept", connections()), page, both)
}

// reportHot reports how a page did beside the constant handler.
func (r *run) reportHot(name, how string, page *keeper, both *pair) error {
	record := Record{
		Name: name, Of: fmt.Sprintf("%s of %d bytes for anonymous readers, %s", hotPath, len(page.body), how),
		Value: both.one.rate(), Unit: "requests/s", N: len(both.one.took), P50: both.one.took.quantile(0.5), P99: both.one.took.quantile(0.99),
		Beside: &Beside{Name: "the same bytes from memory, requests/s", Value: both.other.rate(), P99: both.other.took.quantile(0.99)},
		Ratio:  both.ratio(),
	}
	record.expect(fmt.Sprintf("ratio >= %v", hotBar), record.Ratio >= hotBar)
	return r.report(record)
}

// request is the request, as a server gets it.
func (a asking) request(ctx context.Context, address string) *http.Request {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address+a.path, nil)
	if err != nil {
		panic(err) // constants, and the address of a listener
	}
	q.RequestURI = a.path
	q.RemoteAddr = "127.0.0.1:40000"
	q.Header.Set("Accept", a.accept)
	q.Header.Set("Accept-Encoding", a.encoding)
	return q
}

// wire is the request as a client writes it.
func (a asking) wire(address string) string {
	return fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAccept: %s\r\nAccept-Encoding: %s\r\n\r\n",
		a.path, strings.TrimPrefix(address, "http://"), a.accept, a.encoding)
}

// A keeper is a ResponseWriter that keeps what it is given.
type keeper struct {
	header http.Header
	status int
	body   []byte
}

func (k *keeper) Header() http.Header { return k.header }

func (k *keeper) WriteHeader(status int) {
	if k.status == 0 {
		k.status = status
	}
}

func (k *keeper) Write(b []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	k.body = append(k.body, b...)
	return len(b), nil
}

// replay is the handler that writes the same again: what the page's own
// handler set, and its bytes. The rest the middleware adds anew.
func (k *keeper) replay() http.Handler {
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
		_, _ = w.Write(k.body) // who went away needs no answer
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
		_ = server.Close() // nobody asks any more
		<-done
	}, nil
}
