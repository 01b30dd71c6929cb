package faye

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestClientThatNeverFetches: the server keeps no changes for a client that does not fetch,
// however many there are, and ends the client after a time.
func TestClientThatNeverFetches(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{})
	b.subscribed("/rivers/one")
	text := strings.Repeat("x", 1000)
	before := heap()
	for i := range 100_000 {
		b.publish("/rivers/one", i%10, text)
	}
	if grown := heap() - before; grown > 10<<20 {
		t.Errorf("100,000 changes take %d bytes", grown)
	}
	if b.fetched > 1 { // by the first connect
		t.Errorf("%d fetches", b.fetched)
	}
	b = newBench(t, Limits{Idle: time.Millisecond})
	b.post(subscribe(b.handshake(), "/rivers/one"))
	b.eventually("the client ends", func() bool { return b.open() == 0 && b.faye.Stats().Clients == 0 })
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestSocketThatNeverReads: a socket ends if its client does not read, and no other client waits
// for the socket.
func TestSocketThatNeverReads(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{WriteWithin: 100 * time.Millisecond})
	id, conn := b.handshake(), b.dial()
	b.write(conn, subscribe(id, "/rivers/one"))
	b.eventually("the client has subscribed", func() bool { return b.open() == 1 })
	text := strings.Repeat("x", 1<<20)
	b.eventually("the client ends", func() bool {
		for i := range 10 {
			b.publish("/rivers/one", i, text)
		}
		return b.open() == 0
	})
}

// TestTooMany holds the bounds of clients, sockets and subscriptions.
func TestTooMany(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{MaxPerClient: 2, MaxChannels: 1})
	send := func(from, body string) int {
		t.Helper()
		req := httptest.NewRequestWithContext(t.Context(), "POST", "/faye", strings.NewReader(body))
		req.Header.Set("X-Client", from)
		w := httptest.NewRecorder()
		b.faye.ServeHTTP(w, req)
		return w.Code
	}
	dial := func(from string) int {
		t.Helper()
		conn, answer, err := websocket.Dial(t.Context(), b.http.URL, &websocket.DialOptions{HTTPHeader: http.Header{"X-Client": {from}}})
		if err == nil {
			t.Cleanup(func() { conn.CloseNow() })
		}
		return answer.StatusCode
	}
	for i, want := range []int{200, 200, 429} {
		if status := send("10.0.0.1/32", connect(b.handshake(), byPOST)); status != want {
			t.Errorf("client %d is answered %d", i+1, status)
		}
		if status := dial("10.0.0.1/32"); (status == 429) != (want == 429) {
			t.Errorf("socket %d is answered %d", i+1, status)
		}
	}
	if status := send("10.0.0.2/32", connect(b.handshake(), byPOST)); status != 200 {
		t.Errorf("a client of another network is answered %d", status)
	}
	if status := send("10.0.0.1/32", connect(b.handshake(), byPOST)); status != 429 {
		t.Errorf("one more is answered %d", status)
	}
	if n := b.faye.Stats(); n.Refused != 3 || n.Clients != 3 || n.Sockets != 2 {
		t.Errorf("stats are %+v", n)
	}
	id := b.subscribed("/rivers/one")
	if all := b.post(subscribe(id, "/rivers/two")); all[0]["error"] != "403:/rivers/two:Too many subscriptions" {
		t.Errorf("a second subscription is answered %v", all)
	}
	if all := b.post(`[{"channel":"/meta/unsubscribe","clientId":"` + id + `","subscription":"/rivers/one"},{"channel":"/meta/subscribe","clientId":"` + id +
		`","subscription":["/rivers/two","/rivers/one"]}]`); all[1]["successful"] != false || b.open() != 0 {
		t.Errorf("two at once are answered %v, and %d are left", all, b.open())
	}
}

// TestBadFrames: each bad frame closes the WebSocket with its code.
func TestBadFrames(t *testing.T) {
	t.Parallel()
	b := newBench(t, Limits{ReadLimit: 1000})
	for _, tt := range []struct {
		name   string
		kind   websocket.MessageType
		frames []string
		code   websocket.StatusCode
	}{
		{"no JSON", websocket.MessageText, []string{"ping"}, websocket.StatusPolicyViolation},
		{"null", websocket.MessageText, []string{"null"}, websocket.StatusPolicyViolation},
		{"binary", websocket.MessageBinary, []string{"[]"}, websocket.StatusUnsupportedData},
		{"too long", websocket.MessageText, []string{"[" + strings.Repeat(" ", 1000) + "]"}, websocket.StatusMessageTooBig},
		{"too many", websocket.MessageText, strings.Split(strings.Repeat("[] ", 50), " "), websocket.StatusPolicyViolation},
	} {
		conn := b.dial()
		for _, frame := range tt.frames {
			if conn.Write(t.Context(), tt.kind, []byte(frame)) != nil {
				break // the socket is closed already
			}
		}
		var err error
		for err == nil {
			_, err = b.tryRead(conn)
		}
		if code := websocket.CloseStatus(err); code != tt.code {
			t.Errorf("%s: closed with %v, want %v", tt.name, err, tt.code)
		}
	}
	silent := newBench(t, Limits{Silence: time.Millisecond})
	if all, err := silent.tryRead(silent.dial()); err == nil {
		t.Errorf("a silent socket is told %v", all)
	}
}

// FuzzRequests checks that whatever comes is answered, with a JSON array or an error of the
// API, and leaves nothing open.
func FuzzRequests(f *testing.F) {
	source := newSource("/rivers/one")
	s := New(Config{Listen: source.listen, Secret: []byte("secret"), Limits: Limits{Timeout: time.Microsecond, Adopt: time.Hour}})
	for _, message := range []string{
		`[{"channel":"/meta/handshake","version":"1.0","supportedConnectionTypes":["websocket"],"id":"1"}]`,
		`{"channel":"/meta/connect","clientId":"ID","connectionType":"long-polling","advice":{"timeout":0.5}}`,
		`[{"channel":"/meta/subscribe","clientId":"ID","subscription":["/rivers/one"]},{"channel":"/meta/unsubscribe","clientId":"ID","subscription":"/rivers/one"}]`,
		`[{"channel":"/meta/disconnect","clientId":"ID","id":-5}]`, `[]`, `message=%5B%5D`, "\x00", `[{"channel":"/a\u2028"}]`, `[[[[`,
	} {
		f.Add(message, "application/json", "cb")
		f.Add(message, "text/plain", "a.b")
		f.Add(message, "application/x-www-form-urlencoded", "")
	}
	f.Fuzz(func(t *testing.T, message, kind, callback string) {
		id := s.ids.make(time.Now())
		message = strings.ReplaceAll(message, "ID", id)
		post := httptest.NewRequestWithContext(t.Context(), "POST", "/faye", strings.NewReader(message))
		post.Header["Content-Type"] = []string{kind}
		get := httptest.NewRequestWithContext(t.Context(), "GET", "/faye?"+url.Values{"message": {message}, "jsonp": {callback}}.Encode(), nil)
		for _, r := range []*http.Request{post, get} {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			body := w.Body.String()
			switch {
			case w.Code >= 500:
				t.Fatalf("%q is answered %d", message, w.Code)
			case w.Code == 200 && r == post && !strings.HasPrefix(body, "["), w.Code == 200 && r == get && !strings.HasPrefix(body, "/**/"):
				t.Fatalf("%q is answered %s", message, body)
			case w.Code != 200 && !strings.HasPrefix(body, `{"error":`):
				t.Fatalf("%q is answered %d %s", message, w.Code, body)
			}
		}
		s.mu.Lock()
		c := s.clients[id]
		s.mu.Unlock()
		if c != nil {
			c.end()
			s.mu.Lock()
			s.drop(c)
			s.mu.Unlock()
		}
		if n := source.open(); n != 0 || s.Stats().Clients != 0 {
			t.Fatalf("%q leaves %d subscriptions, and %+v", message, n, s.Stats())
		}
	})
}

// FuzzIDs: only an id made by a process of the site is a clientId.
func FuzzIDs(f *testing.F) {
	one, other, stranger := newIDs([]byte("secret")), newIDs([]byte("secret")), newIDs([]byte("another"))
	now := time.UnixMilli(1_800_000_000_000)
	f.Add(0, byte(1))
	f.Add(63, byte(0x80))
	f.Fuzz(func(t *testing.T, at int, flip byte) {
		id := one.make(now)
		made, here, ok := other.read(id)
		if _, mine, _ := one.read(id); !ok || here || !mine || !made.Equal(now) {
			t.Fatalf("%s is of %v, %v, %v", id, made, here, ok)
		}
		if _, _, ok := stranger.read(id); ok {
			t.Fatal("another site takes it")
		}
		forged := []byte(id)
		at = max(at, -at) % len(forged)
		if at >= 0 {
			forged[at] ^= flip
		}
		if _, _, ok := one.read(string(forged)); ok && string(forged) != id {
			t.Fatalf("%s is taken for %s", forged, id)
		}
		for _, short := range []string{"", "x", id[1:], id + "A", fmt.Sprint(id, "\n")} {
			if _, _, ok := one.read(short); ok {
				t.Fatalf("%q is taken", short)
			}
		}
	})
}
