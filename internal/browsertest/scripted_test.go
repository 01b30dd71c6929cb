package browsertest

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/coder/websocket"
)

// A script stands for the server of sockets. Each socket is answered by the next of the turns, and
// then closed.
type script struct {
	*testing.T
	turns chan func(*scripted)
}

// A scripted is a socket over which a page has subscribed.
type scripted struct {
	ctx  context.Context
	conn *websocket.Conn
	sub  struct {
		Epoch   string
		Counter int64
		Have    [][2]any
	}
}

// answer accepts sockets in place of the site. It reports whether a request was for a socket.
func (s *script) answer(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path != "/live" {
		return false
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"amstel.v1"}})
	if err != nil {
		return true
	}
	defer conn.CloseNow()
	page := &scripted{ctx: r.Context(), conn: conn}
	_, data, err := conn.Read(page.ctx)
	if err != nil {
		return true
	}
	if err := json.Unmarshal(data, &page.sub); err != nil {
		s.Errorf("the page sent no sub: %v: %q", err, data)
	}
	select {
	case turn := <-s.turns:
		turn(page)
	default:
		s.Error("the page opened more sockets than there are turns")
	}
	return true
}

// say sends a frame as text. The page may have closed the socket.
func (p *scripted) say(frame string) { _ = p.conn.Write(p.ctx, websocket.MessageText, []byte(frame)) }

// pack sends a compressed frame. The page may have closed the socket.
func (p *scripted) pack(packed []byte) { _ = p.conn.Write(p.ctx, websocket.MessageBinary, packed) }

// stay waits until the page closes the socket.
func (p *scripted) stay() { _, _, _ = p.conn.Read(p.ctx) }

// hello sends the hello for a page that has missed nothing, with more fields.
func (p *scripted) hello(more string) {
	p.say(fmt.Sprintf(`{"type":"hello","epoch":%s,"counter":%d,"beat":25000,"build":"b"%s}`, quote(p.sub.Epoch), p.sub.Counter, more))
}

// packed returns a text compressed as in binary messages.
func packed(text string) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestPageHandlesUnusualFrames sends a page frames that a test's site does not send: the server
// is busy, a later version, a compressed frame, a broken frame.
func TestPageHandlesUnusualFrames(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	m := newModelSite(t)
	m.write()
	reset := packed(fmt.Sprintf(`{"type":"reset","epoch":"another","counter":7,"entries":[{"post":9,"tag":"t","html":%s}]}`,
		quote(`<article class="entry" data-post-id="9" data-tag="t">told in a packed frame</article>`)))
	seen := make(chan struct{})
	turns := []func(*scripted){
		func(p *scripted) {
			p.hello(`,"pace":4000`)
			p.say(`{"type":"of a later day","count":3}`)
			<-seen
		},
		func(p *scripted) {
			if len(p.sub.Have) != 1 {
				t.Errorf("the sub names the entries %v, want one", p.sub.Have)
			}
			p.hello("")
			p.pack(reset[:40])
			p.pack(reset) // the page must ignore frames after an unreadable one
			p.stay()
		},
		func(p *scripted) {
			if p.sub.Epoch != "" || len(p.sub.Have) != 0 {
				t.Errorf("after a frame that it could not read the page subscribes with %+v", p.sub)
			}
			p.say(`{"type":"hello","epoch":"another","counter":0,"beat":25000,"build":"b"}`)
			p.pack(reset)
			p.stay()
		},
	}
	s := &script{T: t, turns: make(chan func(*scripted), len(turns))}
	for _, turn := range turns {
		s.turns <- turn
	}
	m.door.put(s.answer)
	visitor := b.visitor(m.site, "visitor")
	visitor.hasten()
	visitor.open("/everything/0")
	visitor.tells("pace", "Many people are reading: updates come every 4 seconds.")
	close(seen)
	visitor.reads("told in a packed frame")
	visitor.silent("pace")
	visitor.same()
	if n := len(s.turns); n != 0 {
		t.Errorf("the page left %d turns unused", n)
	}
}
