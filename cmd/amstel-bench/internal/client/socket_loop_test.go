package client

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
)

// testTime is the time in tests that need any time.
var testTime = time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)

// A stub is a site with one page. The test writes to the sockets of the page.
type stub struct {
	*httptest.Server
	mu    sync.Mutex
	conns []*websocket.Conn
	subs  []string
	came  chan struct{} // gets a value when a socket was opened
}

func newStub(t *testing.T) *stub {
	t.Helper()
	s := &stub{came: make(chan struct{}, 100)}
	mux := http.NewServeMux()
	mux.HandleFunc("/page.json", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"river":{"uuid":"u","epoch":"e","counter":7,"position":3,"live":true},"entries":[{"id":5,"tag":"five"}]}`)
	})
	mux.HandleFunc("/live", func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{realtime.Subprotocol}})
		if err != nil {
			t.Error(err)
			return
		}
		_, sub, err := conn.Read(t.Context())
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns, s.subs = append(s.conns, conn), append(s.subs, r.Header.Get("X-API-Token")+" "+string(sub))
		s.mu.Unlock()
		var told struct{ Counter int64 }
		if err := json.Unmarshal(sub, &told); err != nil {
			t.Error(err)
		}
		conn.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"type":"hello","epoch":"e","counter":%d}`, told.Counter))
		s.came <- struct{}{}
		conn.Read(t.Context()) // pongs, and the end
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		for _, c := range s.conns {
			c.CloseNow()
		}
		s.Close()
	})
	return s
}

// all writes a frame to all sockets.
func (s *stub) all(t *testing.T, kind websocket.MessageType, data string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		if err := c.Write(t.Context(), kind, []byte(data)); err != nil {
			t.Error(err)
		}
	}
}

// startedSockets returns sockets in this process.
func startedSockets(t *testing.T) *Sockets {
	t.Helper()
	sockets, err := StartSockets(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sockets.Stop(true); err != nil {
			t.Error(err)
		}
	})
	return sockets
}

// openInOrder opens n sockets one after the other, so that the site has them in the order of
// their numbers.
func openInOrder(t *testing.T, site *stub, sockets *Sockets, n int) {
	t.Helper()
	for i := range n {
		if err := sockets.Open(site.URL, i, true, Page{Path: "/page"}); err != nil {
			t.Fatal(err)
		}
	}
}

func deflated(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func TestSocketLoopReportsArrivalTimes(t *testing.T) {
	t.Parallel()
	site, sockets := newStub(t), startedSockets(t)
	if err := sockets.Open(site.URL, 0, false, Page{Path: "/page", Times: 3}, Page{Path: "/page", Token: "secret"}); err != nil {
		t.Fatal(err)
	}
	var sub struct {
		Type, River, Page, Epoch, As string
		Counter, Position            int64
		Have                         [][]any
	}
	signed := 0
	for _, said := range site.subs {
		token, text, _ := strings.Cut(said, " ")
		if token == "secret" {
			signed++
		}
		if err := json.Unmarshal([]byte(text), &sub); err != nil {
			t.Fatal(err)
		}
		if sub.Type != "sub" || sub.River != "u" || sub.Page != "/page" || sub.Epoch != "e" || sub.As != "html" || sub.Counter != 7 || sub.Position != 3 ||
			len(sub.Have) != 1 || sub.Have[0][0] != 5.0 || sub.Have[0][1] != "five" {
			t.Errorf("a page subscribes with %s", text)
		}
	}
	if len(site.subs) != 4 || signed != 1 {
		t.Errorf("%d sockets, %d of them signed in; want 4 and 1", len(site.subs), signed)
	}
	begun := time.Now()
	site.all(t, websocket.MessageText, "nothing of note")
	site.all(t, websocket.MessageText, `{"said":"amstel-bench-0."}`)
	long := `{"said":"amstel-bench-2.` + strings.Repeat("long ", 2000) + `"}`
	site.all(t, websocket.MessageBinary, deflated(t, long))
	site.conns[0].Ping(context.Background()) // answered, or the socket ends; the answer is not read
	result, err := sockets.Do(Order{Do: DoAwait, From: 0, To: 2})
	if err != nil {
		t.Fatal(err)
	}
	if result.Open != 4 || result.Ended != 0 || len(result.Seen) != 3 || result.Text != len(long) || result.Wire >= len(long) {
		t.Fatalf("%+v", result)
	}
	for mark, seen := range result.Seen {
		for number, at := range seen {
			if took := time.Unix(0, at).Sub(begun); took < 0 || took > time.Minute {
				t.Errorf("mark %d came to %d %v after it was written", mark, number, took)
			}
		}
	}
	for number := range result.Seen[1] {
		if result.Seen[1][number] != result.Seen[2][number] || result.Seen[0][number] > result.Seen[1][number] {
			t.Errorf("marks came to %d at %d, %d, %d", number, result.Seen[0][number], result.Seen[1][number], result.Seen[2][number])
		}
	}
}

func TestSocketLoopReportsStuckSockets(t *testing.T) {
	t.Parallel()
	site, sockets := newStub(t), startedSockets(t)
	openInOrder(t, site, sockets, 4)
	if _, err := sockets.Do(Order{Do: DoLeave, First: 0, Count: 3}); err != nil {
		t.Fatal(err)
	}
	site.all(t, websocket.MessageText, Mark(0))
	// One socket misses marks that the others get, one is closed, and one gets all.
	write := func(conn, mark int) {
		t.Helper()
		if err := site.conns[conn].Write(t.Context(), websocket.MessageText, []byte(Mark(mark))); err != nil {
			t.Error(err)
		}
	}
	write(1, 2)
	write(3, 2)
	site.conns[0].CloseNow()
	write(2, 1)
	write(2, 2)
	result, err := sockets.Do(Order{Do: DoDrain, First: 0, Count: 4, From: 1, To: 2})
	if err != nil {
		t.Fatal(err)
	}
	if result.Merged != 1 || result.Closed != 1 || result.Ended != 0 || result.Open != 3 {
		t.Errorf("%d were behind and %d closed, %d ended, %d are open; want 1, 1, none and 3", result.Merged, result.Closed, result.Ended, result.Open)
	}
}

func TestSocketLoopReportsEndedSockets(t *testing.T) {
	t.Parallel()
	site, sockets := newStub(t), startedSockets(t)
	openInOrder(t, site, sockets, 2)
	gone := site.conns[0]
	site.conns = site.conns[1:]
	gone.Write(t.Context(), websocket.MessageText, []byte(Mark(0)))
	gone.Close(websocket.StatusTryAgainLater, "much to do")
	site.all(t, websocket.MessageText, Mark(0))
	result, err := sockets.Do(Order{Do: DoAwait, From: 0, To: 0})
	if err != nil || result.Ended != 1 || result.Open != 1 || !strings.Contains(result.Why, "1013 much to do") {
		t.Errorf("%+v, %v", result, err)
	}
	if err := sockets.Open(site.URL, 2, false, Page{Path: "/nowhere"}); err == nil || !strings.Contains(err.Error(), "/nowhere") {
		t.Errorf("a page that is not there: %v", err)
	}
}

func TestSocketLoopIsCutAndComesBack(t *testing.T) {
	t.Parallel()
	site, sockets := newStub(t), startedSockets(t)
	if err := sockets.Follow(site.URL, []Page{{Path: "/page"}, {Path: "/page"}}); err != nil {
		t.Fatal(err)
	}
	site.all(t, websocket.MessageText, `{"type":"patch","epoch":"e","from":7,"to":9,"ops":[{"post":8,"tag":"eight","after":5}]}`)
	calm := Order{Do: doCalm, Calm: 100 * time.Millisecond}
	if result, err := sockets.Do(calm); err != nil || result.Open != 2 {
		t.Fatalf("%+v, %v", result, err)
	}
	site.mu.Lock()
	was := site.conns
	site.conns, site.subs = nil, nil
	site.mu.Unlock()
	if result, err := sockets.Do(Order{Do: DoCut, Count: 2}); err != nil || result.Open != 0 || result.At == 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	for _, c := range was {
		if _, _, err := c.Read(t.Context()); err == nil {
			t.Error("it was not cut")
		}
	}
	if result, err := sockets.Do(Order{Do: DoBack, Count: 2}); err != nil || result.At == 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	if result, err := sockets.Do(calm); err != nil || result.Open != 2 || result.Ended != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	const want = `"counter":9,"epoch":"e","have":[[5,"five"],[8,"eight"]]`
	for _, sub := range site.subs {
		if !strings.Contains(sub, want) {
			t.Errorf("it comes back with %s, want %s", sub, want)
		}
	}
	// A page whose socket the site closes reconnects by itself.
	site.conns[0].Close(websocket.StatusTryAgainLater, "much to do")
	for range 5 { // two, the same two again, and one more
		select {
		case <-site.came:
		case <-t.Context().Done():
			t.Fatal("it does not come back")
		}
	}
	if _, err := sockets.Do(calm); err != nil {
		t.Fatal(err)
	}
	result, err := sockets.Do(Order{Do: doShown})
	if err != nil || len(result.Pages) != 2 || result.Pages[0].Retries+result.Pages[1].Retries != 1 || len(result.Pages[0].Shown) != 2 {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestOutcomeIsNotChangedByLateFrames: the loop goes on while an outcome is written as JSON, so the
// outcome must have copies of what the loop changes.
func TestOutcomeIsNotChangedByLateFrames(t *testing.T) {
	t.Parallel()
	s := &socketLoop{sockets: []*socket{{newest: -1}, {number: 1, newest: -1}}, pending: &pendingOrder{}}
	s.noteMark(s.sockets[0], frameInfo{mark: 0}, testTime)
	o := s.outcome(&pendingOrder{Order: Order{Do: DoAwait}})
	s.noteMark(s.sockets[1], frameInfo{mark: 0}, testTime)
	if got := o.Seen[0][1]; got != 0 {
		t.Errorf("a frame that came after the outcome was noted in it at %d", got)
	}
}
