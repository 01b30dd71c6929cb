package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A load is what came of asking for something again and again.
type load struct {
	took  times // each request
	lasts time.Duration
}

// rate is how many requests were answered in a second.
func (l *load) rate() float64 { return over(float64(len(l.took)), l.lasts.Seconds()) }

func (l *load) add(other load) {
	l.took = append(l.took, other.took...)
	l.lasts += other.lasts
}

// connections is how many clients there are: enough to keep every core busy.
func connections() int { return 2 * runtime.GOMAXPROCS(0) }

// together runs as many clients as there are, each of which asks until the time
// is over, and at least once.
func together(ctx context.Context, clients int, during time.Duration, client func(ask func(func() error) error) error) (load, error) {
	begun := time.Now()
	until := begun.Add(during)
	took, errs := make([]times, clients), make([]error, clients)
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			errs[i] = client(func(one func() error) error {
				for at := time.Now(); len(took[i]) == 0 || at.Before(until); {
					if err := ctx.Err(); err != nil {
						return err
					}
					if err := one(); err != nil {
						return err
					}
					now := time.Now()
					took[i] = append(took[i], now.Sub(at))
					at = now
				}
				return nil
			})
		})
	}
	wg.Wait()
	l := load{lasts: time.Since(begun)}
	for i := range clients {
		if errs[i] != nil {
			return l, errs[i]
		}
		l.took = append(l.took, took[i]...)
	}
	return l, nil
}

// loadHandler calls a handler.
func loadHandler(ctx context.Context, handler http.Handler, form asking, address string, during time.Duration) (load, error) {
	return together(ctx, runtime.GOMAXPROCS(0), during, func(ask func(func() error) error) error {
		request := form.request(ctx, address)
		w := &counter{header: http.Header{}}
		return ask(func() error {
			clear(w.header)
			w.status, w.bytes = 0, 0
			handler.ServeHTTP(w, request)
			if w.status != http.StatusOK || w.bytes == 0 {
				return fmt.Errorf("the page answers %d with %d bytes", w.status, w.bytes)
			}
			return nil
		})
	})
}

// loadHTTP asks a server, over connections that are kept. The clients do as
// little as they can, as they share the machine with it.
func loadHTTP(ctx context.Context, address string, form asking, during time.Duration) (load, error) {
	var dialer net.Dialer
	return together(ctx, connections(), during, func(ask func(func() error) error) error {
		conn, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(address, "http://"))
		if err != nil {
			return err
		}
		defer conn.Close()
		request, reader := form.wire(address), bufio.NewReaderSize(conn, 64<<10)
		return ask(func() error {
			if _, err := io.WriteString(conn, request); err != nil {
				return err
			}
			response, err := http.ReadResponse(reader, nil)
			if err != nil {
				return err
			}
			n, err := io.Copy(io.Discard, response.Body)
			if err != nil {
				return err
			}
			if response.StatusCode != http.StatusOK || n == 0 {
				return fmt.Errorf("the page answers %s with %d bytes", response.Status, n)
			}
			return nil
		})
	})
}

// A counter is a ResponseWriter that keeps nothing.
type counter struct {
	header http.Header
	status int
	bytes  int
}

func (c *counter) Header() http.Header { return c.header }

func (c *counter) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
}

func (c *counter) Write(b []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	c.bytes += len(b)
	return len(b), nil
}
