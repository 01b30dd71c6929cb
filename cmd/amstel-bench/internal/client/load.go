package client

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

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// A Load has the results of requests that were repeated for a while.
type Load struct {
	Took  report.Times  // how long each request took
	Lasts time.Duration // how long the load lasted
}

// Rate returns how many requests were answered in a second.
func (l *Load) Rate() float64 { return report.Ratio(float64(len(l.Took)), l.Lasts.Seconds()) }

// Add adds another load, which was made after this one.
func (l *Load) Add(other Load) {
	l.Took = append(l.Took, other.Took...)
	l.Lasts += other.Lasts
}

// Connections returns how many connections are used at least: enough to keep every core busy.
func Connections() int { return 2 * runtime.GOMAXPROCS(0) }

// together runs clients at the same time. Client i calls ask with a function that makes one request; ask
// repeats the call for the given time, but makes it at least once.
func together(ctx context.Context, clients int, during time.Duration, client func(i int, ask func(func() error) error) error) (Load, error) {
	begun := time.Now()
	until := begun.Add(during)
	took, errs := make([]report.Times, clients), make([]error, clients)
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			errs[i] = client(i, func(one func() error) error {
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
	l := Load{Lasts: time.Since(begun)}
	for i := range clients {
		if errs[i] != nil {
			return l, errs[i]
		}
		l.Took = append(l.Took, took[i]...)
	}
	return l, nil
}

// LoadHandler calls a handler again and again, from as many goroutines as there are processors. Each
// goroutine makes all requests of forms in turn.
func LoadHandler(ctx context.Context, handler http.Handler, forms []Request, address string, during time.Duration) (Load, error) {
	return together(ctx, runtime.GOMAXPROCS(0), during, func(i int, ask func(func() error) error) error {
		var requests []*http.Request
		for _, form := range forms {
			requests = append(requests, form.HTTP(ctx, address))
		}
		w, next := NewCounter(), i
		return ask(func() error {
			request := requests[next%len(requests)]
			next++
			clear(w.header)
			w.Status, w.Bytes = 0, 0
			handler.ServeHTTP(w, request)
			if w.Status != http.StatusOK || w.Bytes == 0 {
				return fmt.Errorf("the page answers %d with %d bytes", w.Status, w.Bytes)
			}
			return nil
		})
	})
}

// LoadHTTP sends requests to a server again and again, over connections that it keeps. Each connection
// repeats one of the requests of forms. There are as many connections as requests, and at least
// [Connections]. The clients do as little as they can, because they share the machine with the server.
func LoadHTTP(ctx context.Context, address string, forms []Request, during time.Duration) (Load, error) {
	var dialer net.Dialer
	return together(ctx, max(Connections(), len(forms)), during, func(i int, ask func(func() error) error) error {
		conn, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(address, "http://"))
		if err != nil {
			return err
		}
		defer conn.Close()
		request, reader := forms[i%len(forms)].text(address), bufio.NewReaderSize(conn, 64<<10)
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

// A Counter is a ResponseWriter that keeps the header, the status and the number of bytes, and drops the
// bytes.
type Counter struct {
	header http.Header
	Status int
	Bytes  int
}

// NewCounter returns a Counter to which nothing was written yet.
func NewCounter() *Counter { return &Counter{header: http.Header{}} }

// Header returns the header of the answer.
func (c *Counter) Header() http.Header { return c.header }

// WriteHeader keeps the status, unless there is one already.
func (c *Counter) WriteHeader(status int) {
	if c.Status == 0 {
		c.Status = status
	}
}

// Write counts the bytes and drops them.
func (c *Counter) Write(b []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	c.Bytes += len(b)
	return len(b), nil
}
