package realtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/apitest"
	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// everything is the river of most tests; all viewers share the river.
var everything = river.Key{What: river.KindEverything}

// bench is a node on a network in memory.
type bench struct {
	*testing.T
	rivers *livetest.Rivers
	server *realtime.Server
	net    *livetest.Network
}

// within runs a test against a bench of its own, in a time of its own: waiting costs nothing,
// and time advances as soon as all goroutines wait.
func within(t *testing.T, change func(*realtime.Config), test func(*bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{T: t, rivers: livetest.NewRivers(), net: livetest.NewNetwork()}
		b.net.Tap = func(c net.Conn) net.Conn { return apitest.Tap(t, c, true) }
		config := livetest.Config(b.rivers)
		config.Jitter = func() float64 { return 0.5 }
		if change != nil {
			change(&config)
		}
		b.server = realtime.New(config)
		mux := http.NewServeMux()
		mux.Handle("GET /live", b.server)
		mux.HandleFunc("GET /live/changes", b.server.Changes)
		site := &http.Server{Handler: mux}
		served := make(chan error)
		go func() { served <- site.Serve(b.net) }()
		defer func() { // also after a fatal failure
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if err := b.server.Close(ctx); err != nil {
				t.Errorf("closing: %v", err)
			}
			site.Close()
			<-served
			if open, _ := b.rivers.Watches(); open != 0 {
				t.Errorf("%d rivers are still watched", open)
			}
			if s := b.server.Stats(); s.Hubs != 0 || s.Sockets != 0 {
				t.Errorf("left over: %d hubs, %d sockets", s.Hubs, s.Sockets)
			}
		}()
		test(b)
	})
}

// client is an open socket of a test's.
type client struct {
	*bench
	conn *websocket.Conn
	page *liveclient.Page
}

// dial opens a socket for a session ("": none) that has not sent a sub yet.
func (b *bench) dial(session string) *client {
	b.Helper()
	header := http.Header{}
	if session != "" {
		header.Set("X-Session", session)
	}
	conn, answer, err := b.net.Dial(b.Context(), header)
	if err != nil {
		b.Fatalf("dial: %v (%v)", err, answer)
	}
	b.Cleanup(func() { conn.CloseNow() })
	return &client{b, conn, nil}
}

// open opens a page of a river: the page as rendered, and a socket that is subscribed.
func (b *bench) open(key river.Key, session, query string) *client {
	b.Helper()
	c := b.dial(session)
	c.page = b.visit(key, session, query)
	c.write(string(c.page.Sub()))
	if f := c.next(); f.Type != "hello" {
		b.Fatalf("the first frame is %+v, not a hello", f)
	}
	return c
}

// visit renders a page.
func (b *bench) visit(key river.Key, session, query string) *liveclient.Page {
	path := fmt.Sprintf("/%s/%d%s", key.What, key.TheirID, query)
	_, at, err := livetest.Resolve(b.Context(), key.Viewer, path, nil)
	if err != nil {
		b.Fatal(err)
	}
	var credential []byte
	if session != "" {
		credential = []byte(session)
	}
	p := liveclient.NewPage(b.rivers.Name(key, credential), path)
	v := b.rivers.View(key, at)
	p.Epoch, p.Counter = v.Epoch, v.Counter
	for _, e := range v.Entries {
		p.Order = append(p.Order, int64(e.Fold.Post))
		p.Entries[int64(e.Fold.Post)] = liveclient.Shown{Post: int64(e.Fold.Post), Tag: e.Tag, Version: e.Fold.Version, Text: e.Fold.Text.Text}
	}
	return p
}

func (c *client) write(frame string) {
	c.Helper()
	if err := c.conn.Write(c.Context(), websocket.MessageText, []byte(frame)); err != nil {
		c.Fatalf("write: %v", err)
	}
}

// next reads a frame and applies it to the page.
func (c *client) next() *liveclient.Frame {
	c.Helper()
	data, err := liveclient.Read(c.Context(), c.conn)
	if err != nil {
		c.Fatalf("read: %v", err)
	}
	if c.page != nil {
		verdict, f, err := c.page.Take(data)
		if err != nil || verdict == liveclient.Resub {
			c.Fatalf("the page can't apply %.200s: %v", data, err)
		}
		return f
	}
	var f liveclient.Frame
	if err := json.Unmarshal(data, &f); err != nil {
		c.Fatalf("frame %s: %v", data, err)
	}
	return &f
}

// ended reads to the end of the socket and returns its closing code.
func (c *client) ended() websocket.StatusCode {
	c.Helper()
	for {
		data, err := liveclient.Read(c.Context(), c.conn)
		if err == nil {
			var f liveclient.Frame
			if err := json.Unmarshal(data, &f); err != nil || f.Type == "patch" {
				c.Fatalf("before the end came %.100s", data)
			}
			continue
		}
		return websocket.CloseStatus(err)
	}
}

// endedUntold fails unless the next event is the end of the socket, with this code.
func (c *client) endedUntold(want websocket.StatusCode) {
	c.Helper()
	data, err := liveclient.Read(c.Context(), c.conn)
	if err == nil {
		c.Errorf("before the end came %.100s", data)
	} else if code := websocket.CloseStatus(err); code != want {
		c.Errorf("closed with %d, want %d", code, want)
	}
}

// silent fails if a frame comes within the time.
func (c *client) silent(within time.Duration) {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), within)
	defer cancel()
	if data, err := liveclient.Read(ctx, c.conn); err == nil {
		c.Errorf("unexpected frame %.200s", data)
	}
}

// fold is a state of a post.
func fold(post timeline.PostID, version int, freshAt int64, text string) *timeline.Fold {
	return &timeline.Fold{Post: post, Version: version, Text: timeline.TextFold{Text: text, FreshAt: freshAt}}
}

// fill puts n posts into a river, number 1 the oldest.
func (b *bench) fill(key river.Key, n int) {
	folds := make([]*timeline.Fold, n)
	for i := range folds {
		folds[i] = fold(timeline.PostID(i+1), 1, int64(1000*(i+1)), fmt.Sprintf("post %d", i+1))
	}
	b.rivers.Put(key, folds...)
}

// same fails unless the page equals the river, down to the page's lowest entry.
func (c *client) same(key river.Key) {
	c.Helper()
	if why := differs(c.page, c.rivers.View(key, river.At{Count: 100_000})); why != "" {
		c.Error(why)
	}
}

// differs returns the difference between a page and its river.
func differs(p *liveclient.Page, v *river.View) string {
	if len(p.Faults) > 0 {
		return fmt.Sprintf("the page went back: %v", p.Faults)
	}
	if len(p.Order) > len(v.Entries) || len(p.Order) == 0 && len(v.Entries) > 0 {
		return fmt.Sprintf("the page has %d entries, the river %d", len(p.Order), len(v.Entries))
	}
	for i, post := range p.Order {
		e := v.Entries[i]
		if int64(e.Facts.ID) != post {
			return fmt.Sprintf("entry %d is post %d, want %d (page %v)", i, post, e.Facts.ID, p.Order)
		}
		if got := p.Entries[post]; got.Tag != e.Tag || got.Text != e.Fold.Text.Text {
			return fmt.Sprintf("post %d is %+v, want version %d %q", post, got, e.Fold.Version, e.Fold.Text.Text)
		}
	}
	return ""
}

// slowRender takes long to draw an entry.
type slowRender struct {
	livetest.Render
	takes atomic.Int64
}

func (r *slowRender) EntryJSON(v *timeline.Sets, e *river.Entry, users realtime.Users, groups realtime.Groups) json.RawMessage {
	time.Sleep(time.Duration(r.takes.Load()))
	return r.Render.EntryJSON(v, e, users, groups)
}
