package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// twin starts another node on the site's primary, with a store, a river DB, sockets and pages of
// its own: only the log tells it of the first node's writes.
func (b *bundle) twin() *bundle {
	b.t.Helper()
	other := setupOn(b.t, b.pool, web.Config{})
	other.ids = b.ids
	return other
}

// at returns a client of the same person at another node.
func (c *client) at(b *bundle) *client {
	other := *c
	other.b = b
	return &other
}

// counter is the node's newest state.
func (b *bundle) counter() int64 {
	b.t.Helper()
	return b.visit(river.Key{What: river.KindEverything}).Counter
}

// visit reads a river; a busy node may be behind for a while.
func (b *bundle) visit(key river.Key) (v *river.View) {
	b.t.Helper()
	b.waitUntilNothingWrong(func() string {
		var err error
		if v, err = b.node.Visit(b.t.Context(), key, river.At{}); err != nil {
			return fmt.Sprintf("%v: %v", key, err)
		}
		if !v.Live {
			return fmt.Sprintf("%v is not held", key)
		}
		return ""
	})
	return v
}

// waitUntilNothingWrong waits until wrong returns an empty text. If that takes too long, it
// fails the test with the last text.
func (b *bundle) waitUntilNothingWrong(wrong func() string) {
	b.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		why := wrong()
		if why == "" {
			return
		}
		select {
		case <-tick.C:
		case <-limit.C:
			b.t.Fatal(why)
		}
	}
}

// An ear is an open page that keeps all its frames.
type ear struct {
	*testing.T
	on   *bundle
	path string // as JSON
	html bool
	conn *websocket.Conn
	end  context.CancelFunc
	done chan struct{}

	mu     sync.Mutex
	page   *liveclient.Page
	frames []earFrame
	unread int
	closed websocket.StatusCode // 0: it is open
}

type earFrame struct {
	counter int64 // of the state to which it leads
	text    string
}

// openListener opens a socket for a page, and waits until the page is shown.
func (c *client) openListener(path, uuid string, html bool) *ear {
	c.b.t.Helper()
	ctx, end := context.WithCancel(context.Background())
	header := http.Header{"Origin": {c.b.http.URL}}
	if c.token != "" {
		header.Set("X-API-Token", c.token)
	}
	conn, _, err := liveclient.Dial(ctx, c.b.http.URL+"/live", c.http, header)
	if err != nil {
		c.b.t.Fatal(err)
	}
	o := &ear{T: c.b.t, on: c.b, path: path, html: html, page: liveclient.NewPage(uuid, path), conn: conn, end: end, done: make(chan struct{})}
	if o.page.Returns = true; html {
		o.page.As = "html"
	}
	c.b.t.Cleanup(o.close)
	go o.run(ctx)
	c.b.waitUntilNothingWrong(func() string {
		o.mu.Lock()
		defer o.mu.Unlock()
		if len(o.frames) < 2 && o.closed == 0 {
			return path + " is not shown"
		}
		return ""
	})
	return o
}

// close closes the socket, and waits until run has ended.
func (o *ear) close() {
	o.end()
	_ = o.conn.CloseNow()
	<-o.done
}

// run follows the socket to its end.
func (o *ear) run(ctx context.Context) {
	defer close(o.done)
	err := liveclient.Follow(ctx, o.conn, o.sub, o.take)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed = websocket.CloseStatus(err); o.closed == 0 {
		o.closed = -1
	}
}

func (o *ear) sub() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.page.Sub()
}

// take keeps a frame, and reports whether the page must subscribe again.
func (o *ear) take(text []byte) (again bool, err error) {
	var f struct {
		Type                   string
		From, To, Counter, Pos int64
		Unread                 *int
		Count                  int
	}
	if err := json.Unmarshal(text, &f); err != nil {
		o.Errorf("%s is told %q", o.path, text)
		return false, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.frames = append(o.frames, earFrame{max(f.To, f.Counter), string(text)})
	switch {
	case f.Unread != nil:
		o.unread = *f.Unread
	case f.Type == "unread":
		o.unread = f.Count
	}
	if o.html {
		return false, nil
	}
	switch f.Type {
	case "hello", "patch", "reset", "beat":
		verdict, _, err := o.page.Take(text)
		if err != nil {
			o.Errorf("%s: %v", o.path, err)
		}
		return verdict == liveclient.Resub, nil
	}
	return false, nil
}

// closeCode returns the closing code of the socket; 0 while the socket is open.
func (o *ear) closeCode() websocket.StatusCode {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.closed
}

// waitText waits until a frame has a text, unless the socket ended.
func (o *ear) waitText(text string) {
	o.Helper()
	o.on.waitUntilNothingWrong(func() string {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.closed != 0 {
			return ""
		}
		for _, f := range o.frames {
			if strings.Contains(f.text, text) {
				return ""
			}
		}
		return fmt.Sprintf("%s is not told %q", o.path, text)
	})
}

// counted waits for a count of unread notices, unless the socket ended.
func (o *ear) counted(unread int) {
	o.Helper()
	o.on.waitUntilNothingWrong(func() string {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.closed != 0 || o.unread == unread {
			return ""
		}
		return fmt.Sprintf("%s is told that %d notices are unread, want %d", o.path, o.unread, unread)
	})
}

// textSince returns where a text stands in the frames of a state, or of a newer state; empty if
// no frame has the text.
func (o *ear) textSince(text string, since int64) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, f := range o.frames {
		if at := strings.Index(f.text, text); at >= 0 && f.counter >= since {
			return fmt.Sprintf("at %d: …%s", f.counter, f.text[max(0, at-200):min(len(f.text), at+200)])
		}
	}
	return ""
}

// has says whether the page shows a post.
func (o *ear) has(post timeline.PostID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, has := o.page.Entries[int64(post)]
	return has && o.closed == 0
}
