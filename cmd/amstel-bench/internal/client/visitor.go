package client

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// A VisitOrder tells visitors which pages to read, and how many visitors there are.
type VisitOrder struct {
	Do      string // [DoVisit], [DoTell] or [DoStop]
	Site    string
	Pages   []Page // pages that each visitor reads again and again
	Clients int    // the number of visitors
}

// Requests are the results of several requests.
type Requests struct {
	Count           int
	Failed          map[string]int // the number of failures, by message
	P50, P99, Worst float64        // how long the requests took, in ms
}

// Failures returns how many requests failed.
func (v *Requests) Failures() (n int) {
	for _, times := range v.Failed {
		n += times
	}
	return n
}

// afterFailure is how long a visitor waits after a request that failed.
const afterFailure = 20 * time.Millisecond

// visitors read all pages again and again, each time in another order. They answer an
// order with the results of their requests since the previous order.
type visitors struct {
	mu     sync.Mutex
	took   report.Times
	failed map[string]int
}

func (*visitors) does(o VisitOrder) string { return o.Do }

func (v *visitors) visit(ctx context.Context, run *sync.WaitGroup, o VisitOrder) error {
	for i := range o.Clients {
		run.Go(func() { v.readPages(ctx, o, rand.New(rand.NewPCG(uint64(i), 11))) })
	}
	return nil
}

func (v *visitors) result() Requests {
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

// readPages is the life of one visitor, who reads pages until the context ends. After a failure it
// makes a new connection.
func (v *visitors) readPages(ctx context.Context, o VisitOrder, random *rand.Rand) {
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

// connection reads pages over one connection until a request fails, and returns why. It stores the
// time at which the last request began in begun.
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

// visitRequest returns the text of a request for a page as JSON.
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
