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

// script is a server's side of sockets as a test has it: each one is answered by
// the next of the turns, and then closed.
type script struct {
	*testing.T
	turns chan func(*scripted)
}

// scripted is a socket that a page has subscribed by.
type scripted struct {
	ctx  context.Context
	conn *websocket.Conn
	sub  struct {
		Epoch   string
		Counter int64
		Have    [][2]any
	}
}

// answer takes sockets in place of the site.
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
		s.Errorf("a sub that is none: %v: %q", err, data)
	}
	select {
	case turn := <-s.turns:
		turn(page)
	default:
		s.Error("the page came once more")
	}
	return true
}

func (p *scripted) say(frame string) { _ = p.conn.Write(p.ctx, websocket.MessageText, []byte(frame)) } // it may have gone

func (p *scripted) pack(packed []byte) { _ = p.conn.Write(p.ctx, websocket.MessageBinary, packed) }

// stay waits until the page goes.
func (p *scripted) stay() { _, _, _ = p.conn.Read(p.ctx) }

// hello greets a page that has missed nothing.
func (p *scripted) hello(more string) {
	p.say(fmt.Sprintf(`{"type":"hello","epoch":%s,"counter":%d,"beat":25000,"build":"b"%s}`, quote(p.sub.Epoch), p.sub.Counter, more))
}

// packed is a text as binary messages have it.
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

// TestPageHandlesUnusualFrames sends a page frames that a site in a test does not send: that the server
// is busy, from a later version, compressed, and broken.
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
				t.Errorf("the page has %v", p.sub.Have)
			}
			p.hello("")
			p.pack(reset[:40])
			p.pack(reset) // nothing that comes after that counts
			p.stay()
		},
		func(p *scripted) {
			if p.sub.Epoch != "" || len(p.sub.Have) != 0 {
				t.Errorf("after what it could not read the page tells %+v", p.sub)
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
	anybody := b.visitor(m.site, "anybody")
	anybody.hasten()
	anybody.open("/everything/0")
	anybody.tells("pace", "Many people are reading: updates come every 4 seconds.")
	close(seen)
	anybody.reads("told in a packed frame")
	anybody.silent("pace")
	anybody.same()
	if n := len(s.turns); n != 0 {
		t.Errorf("%d turns were left", n)
	}
}
