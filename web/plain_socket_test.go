package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	liveclient "amstel.dev/amstel/realtime/client"
)

// An openPage is a page that a viewer keeps open while the world changes.
type openPage struct {
	viewer int64
	path   string
	html   bool
	page   *liveclient.Page // of JSON
	conn   *websocket.Conn
	end    context.CancelFunc
	done   chan struct{}

	mu     sync.Mutex
	frames []plainFrame
	whole  bool // it was shown to its end when it was last reset
	closed bool
}

type plainFrame struct {
	counter int64
	ops     int
	text    string
}

// reopenPages keeps two pages of each viewer open: it opens a new one for each page that ended.
func (p *plainSite) reopenPages() {
	p.t.Helper()
	open := make(map[int64]int)
	kept := p.open[:0]
	for _, o := range p.open {
		if o.ended() {
			p.checkFrames(o)
			o.close()
			continue
		}
		kept = append(kept, o)
		open[o.viewer]++
	}
	p.open = kept
	for _, v := range p.viewers() {
		if open[v] < 2 {
			p.openOne(v)
		}
	}
}

// openOne opens one of the pages that a viewer may open: after every second step the
// viewer's home, and otherwise the next of all pages.
func (p *plainSite) openOne(v int64) {
	p.t.Helper()
	pages := p.pagesOf(v)
	page := pages[(len(p.states)*7+int(v))%len(pages)]
	if len(p.states)%2 == 0 {
		page = pages[1] // home
	}
	if page.refused != 0 || page.still {
		return
	}
	answer := p.viewer(v).get(page.json())
	if answer.status != 200 {
		return // the viewer lost the right between the check and the visit
	}
	header := http.Header{}
	if token := p.viewer(v).token; token != "" {
		header.Set("X-API-Token", token)
	}
	ctx, end := context.WithCancel(p.t.Context())
	conn, _, err := liveclient.Dial(ctx, p.http.URL+"/live", p.viewer(v).http, header)
	if err != nil {
		end()
		p.t.Fatal(err)
	}
	uuid, _ := answer.at("river", "uuid").(string)
	o := &openPage{viewer: v, path: page.address(), html: len(p.states)%3 == 0, page: liveclient.NewPage(uuid, page.json()), conn: conn, end: end, done: make(chan struct{})}
	if o.page.Returns = true; o.html { // a right may be given back
		o.page.As = "html"
	}
	p.t.Cleanup(o.close)
	go o.read(ctx)
	p.open = append(p.open, o)
}

// read follows the socket as a page does, and keeps the frames.
func (o *openPage) read(ctx context.Context) {
	defer close(o.done)
	_ = liveclient.Follow(ctx, o.conn, o.sub, o.take) // ends when the socket does
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
}

func (o *openPage) sub() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.page.Sub()
}

// take keeps a frame, and reports whether the page must subscribe again.
func (o *openPage) take(text []byte) (again bool, err error) {
	var f struct {
		Type        string
		To, Counter int64
		Ops         []json.RawMessage
		Entries     []json.RawMessage
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return false, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	counter := f.To
	if f.Type == "reset" {
		counter = f.Counter
		o.whole = len(f.Entries) < 25
	}
	o.frames = append(o.frames, plainFrame{counter, len(f.Ops), string(text)})
	if o.html {
		return false, nil
	}
	verdict, _, err := o.page.Take(text)
	return verdict == liveclient.Resub, err
}

func (o *openPage) ended() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.closed
}

// close closes the socket, and waits until the page has read its end.
func (o *openPage) close() {
	o.end()
	_ = o.conn.CloseNow()
	<-o.done
}

// checkFrames checks that the frames of an open page contain nothing that its viewer may not
// see.
func (p *plainSite) checkFrames(o *openPage) {
	p.t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, f := range o.frames {
		p.seen["frames"]++
		if f.ops > 0 {
			p.seen["frames of changes"]++
		}
		if leaked := p.leaksAt(o.viewer, f.counter, f.text); len(leaked) > 0 {
			p.t.Errorf("the open page %s of %s, at %d, was told %v\n%.300s", o.path, p.name(o.viewer), f.counter, leaked, f.text)
		}
	}
	o.frames = nil
}

// compareFrames calls checkFrames for all open pages.
func (p *plainSite) compareFrames() {
	p.t.Helper()
	for _, o := range p.open {
		p.checkFrames(o)
	}
}

// compareOpen waits until every open page shows the right entries.
func (p *plainSite) compareOpen() {
	p.t.Helper()
	limit, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for _, o := range p.open {
		for o.compared(p) != "" {
			select {
			case <-tick.C:
				continue
			case <-limit.Done():
				p.t.Errorf("the open page %s of %s %s", o.path, p.name(o.viewer), o.compared(p))
			}
			break
		}
		p.seen["open pages compared"]++
	}
	p.compareFrames()
}

// compared returns the first fault of an open page: it must show the first entries of its river,
// at least as many as when it was opened.
func (o *openPage) compared(p *plainSite) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.html || o.closed {
		return ""
	}
	for _, page := range p.pagesOf(o.viewer) {
		if page.address() != o.path {
			continue
		}
		switch {
		case page.refused == 404 && len(o.page.Order) == 0: // as for a language without posts left
			return ""
		case page.refused != 0:
			return fmt.Sprintf("may not be opened any more (%d), and has %d entries", page.refused, len(o.page.Order))
		}
		entries := page.entries()
		switch {
		case o.page.Waiting:
			return "is not answered"
		case len(o.page.Faults) > 0:
			return fmt.Sprint(o.page.Faults)
		case len(o.page.Order) > len(entries), o.whole && len(o.page.Order) != len(entries):
			return "has too many or too few entries"
		}
		for i, id := range o.page.Order {
			if want := entries[i].Post; id != int64(want.ID) || o.page.Entries[id].Text != want.Text {
				return "has other entries"
			}
		}
	}
	return "" // right, or no page has this path any more, because its owner was renamed
}
