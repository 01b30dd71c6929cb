package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// What visitors can be told. To each but the first they answer what came of the
// requests since they were last asked.
const (
	DoVisit = "visit" // begin to read pages, one after the other, without end
	DoTell  = "tell"
	DoStop  = "stop" // and read no more, ever
)

// A VisitOrder is what visitors are told.
type VisitOrder struct {
	Do      string
	Site    string
	Pages   []Page
	Clients int
}

// Requests is what came of requests.
type Requests struct {
	Count           int
	Failed          map[string]int // how often, by how
	P50, P99, Worst float64        // ms
}

// Failures returns how many requests failed.
func (v *Requests) Failures() (n int) {
	for _, times := range v.Failed {
		n += times
	}
	return n
}

// afterFailure is how long a visitor waits whose request failed.
const afterFailure = 20 * time.Millisecond

// visitors read all pages again and again, each time in another order.
type visitors struct {
	mu     sync.Mutex
	took   report.Times
	failed map[string]int
}

// serveVisitors has visitors read as they are told.
func serveVisitors(ctx context.Context, from *json.Decoder, to *json.Encoder) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	v := &visitors{}
	for {
		var o VisitOrder
		if err := from.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("what visitors are to do: %w", err)
		}
		switch o.Do {
		case DoVisit:
			for i := range o.Clients {
				wg.Go(func() { v.visit(ctx, o, rand.New(rand.NewPCG(uint64(i), 11))) })
			}
		case DoStop:
			cancel()
			wg.Wait()
		}
		if err := to.Encode(v.take()); err != nil {
			return err
		}
	}
}

// take returns what came of requests since it was last asked.
func (v *visitors) take() Requests {
	v.mu.Lock()
	defer v.mu.Unlock()
	result := Requests{
		Count: len(v.took), Failed: v.failed,
		P50: v.took.Quantile(0.5), P99: v.took.Quantile(0.99), Worst: v.took.Quantile(1),
	}
	v.took, v.failed = nil, nil
	return result
}

func (v *visitors) note(took time.Duration, failure string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.took = append(v.took, took)
	if failure != "" {
		if v.failed == nil {
			v.failed = map[string]int{}
		}
		v.failed[failure]++
	}
}

// visit reads pages over one connection after the other until the context ends.
func (v *visitors) visit(ctx context.Context, o VisitOrder, random *rand.Rand) {
	host := strings.TrimPrefix(o.Site, "http://")
	for ctx.Err() == nil {
		begun := time.Now()
		err := v.connection(ctx, host, o.Pages, random, &begun)
		if ctx.Err() != nil {
			return
		}
		v.note(time.Since(begun), err.Error())
		if Pause(ctx, afterFailure) != nil {
			return
		}
	}
}

// connection reads pages over one connection until that fails. Begun is when
// what failed did.
func (v *visitors) connection(ctx context.Context, host string, pages []Page, random *rand.Rand, begun *time.Time) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	reader := bufio.NewReaderSize(conn, 64<<10)
	for left := []int(nil); ; left = left[1:] {
		if len(left) == 0 {
			left = random.Perm(len(pages))
		}
		page := pages[left[0]]
		*begun = time.Now()
		if _, err := io.WriteString(conn, visitRequest(host, page)); err != nil {
			return err
		}
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return err
		}
		if _, err = io.Copy(io.Discard, response.Body); err != nil {
			return err
		}
		failure := ""
		if response.StatusCode >= http.StatusInternalServerError {
			failure = response.Status
		}
		v.note(time.Since(*begun), failure)
	}
}

// visitRequest asks for a page as JSON.
func visitRequest(host string, page Page) string {
	form := page.Path + ".json"
	if page.Path == HomePath {
		form = "/index.json"
	}
	token := ""
	if page.Token != "" {
		token = "X-API-Token: " + page.Token + "\r\n"
	}
	return fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", form, host, token)
}

// Visitors are visitors in a process of their own.
type Visitors struct{ *Process }

func StartVisitors(ctx context.Context, command func(context.Context) *exec.Cmd) (*Visitors, error) {
	from, err := Start(ctx, command, partVisitors)
	return &Visitors{from}, err
}

func (v *Visitors) Do(o VisitOrder) (Requests, error) {
	var result Requests
	err := v.to.Encode(o)
	if err == nil {
		err = v.from.Decode(&result)
	}
	if err != nil {
		err = fmt.Errorf("visitors: %w", err)
	}
	return result, err
}
