package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
)

// A livePage is an open page. It follows the rules of clients: it connects to a node, and
// reconnects when the connection ends, unless the close code is final.
type livePage struct {
	*testing.T
	site, path string
	who        credential

	rnd  *rand.Rand
	stop context.CancelFunc
	done chan struct{}

	mu      sync.Mutex
	page    *liveclient.Page
	conn    *websocket.Conn
	ended   websocket.StatusCode // the close code of the last connection, if it is final
	closed  map[websocket.StatusCode]int
	epochs  map[string]bool // the epochs of the rivers it was sent
	history []string        // its last 60 events, for failure messages
}

// record adds an event to the page's history. The caller holds p.mu.
func (p *livePage) record(what string, args ...any) {
	if p.history = append(p.history, fmt.Sprintf(time.Now().Format("05.000 ")+what, args...)); len(p.history) > 60 {
		p.history = p.history[1:]
	}
}

// open reads a page and keeps it open until the test ends.
func (c *cluster) open(site, path string, who credential, seed uint64) *livePage {
	c.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var first *shown
	until(c.t, minute, func() string { // a node on a slow machine may be behind
		var err error
		if first, err = c.page(ctx, site, path, who); err != nil {
			return err.Error()
		}
		return ""
	})
	if first == nil {
		stop()
		c.t.FailNow()
	}
	p := newLivePage(c.t, site, path, who, first)
	p.rnd, p.stop, p.done = rand.New(rand.NewPCG(seed, 7)), stop, make(chan struct{})
	go p.run(ctx)
	c.t.Cleanup(p.close)
	return p
}

// newLivePage returns an open page with the entries that were read first. The page is not
// connected.
func newLivePage(t *testing.T, site, path string, who credential, first *shown) *livePage {
	p := &livePage{
		T: t, site: site, path: path, who: who, page: liveclient.NewPage(first.River.UUID, path),
		closed: make(map[websocket.StatusCode]int), epochs: make(map[string]bool),
	}
	p.page.Returns, p.page.Epoch, p.page.Counter, p.page.Position = true, first.River.Epoch, first.River.Counter, first.River.Position
	for _, e := range first.Entries {
		p.page.Order = append(p.page.Order, e.ID)
		p.page.Entries[e.ID] = liveclient.Shown{Post: e.ID, Tag: e.Tag, Version: e.Version, Text: e.Text}
	}
	return p
}

// close ends the page's connection and waits for its goroutine.
func (p *livePage) close() {
	p.stop()
	<-p.done
}

// run connects, and reconnects each time that the connection ends, until ctx ends or a close
// code is final.
func (p *livePage) run(ctx context.Context) {
	defer close(p.done)
	for ctx.Err() == nil && p.endedWith() == 0 {
		header := http.Header{"Origin": {p.site}}
		p.who.set(header)
		conn, _, err := liveclient.Dial(ctx, p.site+"/live", http.DefaultClient, header)
		if err == nil {
			p.recordEnd(p.follow(ctx, conn))
			_ = conn.CloseNow()
		}
		select {
		case <-time.After(time.Duration(p.rnd.IntN(100)) * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// recordEnd counts the close code of a connection, and keeps it if it is final.
func (p *livePage) recordEnd(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	code := websocket.CloseStatus(err)
	p.closed[code]++
	p.record("closed: %v", err)
	if code >= realtime.CodeBad {
		p.ended = code
	}
}

// endedWith returns the final close code of the page, 0 if the page is still open.
func (p *livePage) endedWith() websocket.StatusCode {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended
}

// follow subscribes and applies frames until the connection ends.
func (p *livePage) follow(ctx context.Context, conn *websocket.Conn) error {
	return liveclient.Follow(ctx, conn, func() []byte { return p.sub(conn) }, p.take)
}

// sub returns the frame with which the page subscribes over conn.
func (p *livePage) sub(conn *websocket.Conn) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conn = conn
	p.record("sub %s %d at %d with %d entries", p.page.Epoch, p.page.Counter, p.page.Position, len(p.page.Order))
	return p.page.Sub()
}

// take applies a frame, and reports whether the page must subscribe again.
func (p *livePage) take(data []byte) (again bool, err error) {
	var f struct {
		Type, Epoch string
		Position    int64
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch f.Type {
	case "hello", "patch", "reset", "beat", "bye", "unread":
	default:
		return false, nil // such frames change no entry
	}
	if f.Epoch != "" {
		p.epochs[f.Epoch] = true
	}
	faults := len(p.page.Faults)
	verdict, read, err := p.page.Take(data)
	if err != nil {
		p.Errorf("%s: %v", p.path, err)
		return false, err
	}
	p.record("%s %s %d, %d to %d at %d: verdict %d", f.Type, f.Epoch, read.Counter, read.From, read.To, f.Position, verdict)
	if len(p.page.Faults) > faults {
		p.Errorf("%s: %v\n%s", p.path, p.page.Faults, strings.Join(p.history, "\n"))
	}
	return verdict == liveclient.Resub, nil
}

// cut closes the connection without a close frame.
func (p *livePage) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		_ = p.conn.CloseNow()
	}
}

// difference returns how the page differs from the same page read now, empty if it does not.
func (p *livePage) difference(now *shown) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.ended != 0:
		return ""
	case len(p.page.Faults) > 0:
		return fmt.Sprint(p.page.Faults)
	case now.River.UUID != p.page.River:
		return fmt.Sprintf("the river is named %s, on the open page %s", now.River.UUID, p.page.River)
	case len(p.page.Order) > len(now.Entries) || len(p.page.Order) == 0 && len(now.Entries) > 0:
		return fmt.Sprintf("the page has %d entries, the node shows %d", len(p.page.Order), len(now.Entries))
	}
	for i, post := range p.page.Order {
		have, want := p.page.Entries[post], now.Entries[i]
		if post != want.ID || have.Tag != want.Tag {
			return fmt.Sprintf("entry %d is %d by %s %q, want %d by %s %q", i, post, have.Tag, have.Text, want.ID, want.Tag, want.Text)
		}
	}
	return ""
}

// describe returns the page's last events, for messages.
func (p *livePage) describe() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%s, on %d rivers, ended %v:\n%s", p.path, len(p.epochs), p.closed, strings.Join(p.history, "\n"))
}
