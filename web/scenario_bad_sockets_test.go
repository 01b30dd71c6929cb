package web_test

import (
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/racetest"
)

// TestRudeSockets: pages disconnect without a close frame, send nothing, subscribe twice or
// ping without end. They get the frames of their subscriptions, they leave no goroutine and no
// file behind, and other pages of the same river do not notice.
func TestRudeSockets(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.post("the first", "user")
	sub := subOf(bobby.uuidOf("/alice.json"), "/alice", nil)
	witness := bobby.wire(t)
	witness.text(sub)
	witness.hears("the first")
	reset := func(w *wire) {
		if err := w.conn.(*net.TCPConn).SetLinger(0); err != nil {
			t.Fatal(err)
		}
		w.conn.Close()
	}
	tests := []struct {
		name string
		do   func(w *wire)
	}{
		{"reset in a frame", func(w *wire) { w.send(frameOf(whole|opText, []byte(sub))[:20]); reset(w) }},
		{"reset behind a header that says much", func(w *wire) {
			w.send([]byte{whole | opText, 0x80 | 127, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4})
			reset(w)
		}},
		{"reset behind a sub", func(w *wire) { w.text(sub); reset(w) }},
		{"gone without a word", func(w *wire) { w.text(sub); w.hears("the first"); w.conn.Close() }},
		{"a close, and no wait for the answer", func(w *wire) {
			w.text(sub)
			w.hears("the first")
			w.send(frameOf(whole|opClose, nil))
			w.conn.Close()
		}},
		{"closed without reading", func(w *wire) { w.text(strings.Repeat("x", 64<<10)); w.conn.Close() }},
		{"half a message, and silence", func(w *wire) {
			w.text(sub)
			w.hears("the first")
			w.send(frameOf(opText, []byte(`{"type":`)))
			alice.post("meanwhile 1", "user")
			w.hears("meanwhile 1")
			w.conn.Close()
		}},
		{"looking before asking", func(w *wire) {
			w.text(`{"type":"vis","hidden":false}`)
			w.text(sub)
			w.hears("the first")
			alice.post("meanwhile 2", "user")
			w.hears("meanwhile 2")
			w.conn.Close()
		}},
		{"asked twice, answered twice", func(w *wire) {
			w.text(sub)
			w.hears("the first")
			w.text(sub)
			w.hears("the first")
			w.conn.Close()
		}},
		{"asked twice before the answer, answered once at least", func(w *wire) {
			w.text(sub)
			w.text(sub)
			w.hears("the first")
			alice.post("meanwhile 4", "user")
			w.hears("meanwhile 4")
			w.conn.Close()
		}},
		{"pings in a message, each answered", func(w *wire) {
			w.send(frameOf(opText, []byte(sub[:10])), frameOf(whole|opPing, []byte("a")), frameOf(whole|opMore, []byte(sub[10:])))
			if op, payload, err := w.next(); op != opPong || string(payload) != "a" {
				w.t.Errorf("a ping is answered by %x %q, %v", op, payload, err)
			}
			w.hears("the first")
			w.conn.Close()
		}},
		{"a flood of pings whose answers are not read", func(w *wire) {
			w.text(sub)
			flood := frameOf(whole|opPing, make([]byte, 125))
			for range 2000 {
				if _, err := w.conn.Write(flood); err != nil {
					break // closed: as well
				}
			}
			alice.post("meanwhile 3", "user")
			witness.hears("meanwhile 3")
			w.conn.Close()
		}},
		{"a message of very many pieces with nothing in them", func(w *wire) {
			w.text(sub)
			w.hears("the first")
			w.send(frameOf(opText, nil))
			nothing := frameOf(opMore, nil)
			for range 20_000 {
				if _, err := w.conn.Write(nothing); err != nil {
					break
				}
			}
			w.conn.Close()
		}},
	}
	for _, tt := range tests { // one at a time: all cases share the witness
		t.Run(tt.name, func(t *testing.T) {
			w := bobby.wire(t)
			tt.do(w)
			text := "after " + tt.name
			alice.post(text, "user")
			witness.hears(text)
		})
	}
}

// TestUpgradesThatAreNone: an improper upgrade is refused as a request. A page of another site
// that sends a cookie gets no socket.
func TestUpgradesThatAreNone(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	proper := http.Header{
		"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="},
	}
	for _, tt := range []struct {
		name   string
		method string
		change http.Header // an empty list: without
		want   int
	}{
		{"a plain request", "GET", http.Header{"Connection": {}, "Upgrade": {}}, 426},
		{"a post", "POST", nil, 405},
		{"another version", "GET", http.Header{"Sec-Websocket-Version": {"8"}}, 400},
		{"no key", "GET", http.Header{"Sec-Websocket-Key": {}}, 400},
		{"two keys", "GET", http.Header{"Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="}}, 400},
		{"a short key", "GET", http.Header{"Sec-Websocket-Key": {"YWJj"}}, 400},
		{"another site's, with a cookie", "GET", http.Header{"Origin": {"https://evil.example"}, "Cookie": {"amstel=x"}}, 403},
		{"a cookie and no origin", "GET", http.Header{"Cookie": {"amstel=x"}}, 403},
		{"a cookie of any kind", "GET", http.Header{"Origin": {"null"}, "Cookie": {"theme=dark"}}, 403},
		{"a token that is none", "GET", http.Header{"X-Api-Token": {"\x01"}}, 400},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(b.http.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		header := proper.Clone()
		for name, values := range tt.change {
			if header.Del(name); len(values) > 0 {
				header[name] = values
			}
		}
		var request strings.Builder
		request.WriteString(tt.method + " /live HTTP/1.1\r\nHost: " + strings.TrimPrefix(b.http.URL, "http://") + "\r\n")
		if err := header.Write(&request); err != nil {
			t.Fatal(err)
		}
		w := &wire{t: t, conn: conn}
		w.send([]byte(request.String() + "\r\n"))
		answer := make([]byte, 4096)
		n, err := conn.Read(answer)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if line, _, _ := strings.Cut(string(answer[:n]), "\r\n"); !strings.HasPrefix(line, "HTTP/1.1 "+strconv.Itoa(tt.want)+" ") {
			t.Errorf("%s: %s, want %d", tt.name, line, tt.want)
		}
		conn.Close()
	}
}

// TestTooManySockets: the number of a person's sockets is limited, independently of those of
// other people. After one is closed, the person may open another.
func TestTooManySockets(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.as("alice")
	const most = 200
	var open []*wire
	for range most {
		open = append(open, alice.wire(t))
	}
	for range 3 {
		w := alice.wire(t)
		if code, reason, _ := w.readClose(); code != 4429 {
			t.Errorf("one more closed with %d %q", code, reason)
		}
		w.conn.Close()
	}
	uuid := b.as("bobby").uuidOf("/alice.json")
	w := b.as("bobby").wire(t)
	w.text(subOf(uuid, "/alice", nil))
	if code, _, _ := w.readClose(); code != 4403 { // the river is another token's, and is refused
		t.Errorf("another person's socket is closed with %d", code)
	}
	open[7].conn.Close()
	deadline := time.Now().Add(patience)
	for { // the server has to notice: polled
		w := alice.wire(t)
		w.text(subOf(alice.uuidOf("/alice.json"), "/alice", nil))
		op, _, err := w.next()
		w.conn.Close()
		if err == nil && op == opText {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("one is gone, and there is no other")
		}
	}
}

// files returns the open files of the process, as paths and sockets.
func files(t *testing.T) map[string]int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("SKIPPED, NOT TESTED: %v", err)
	}
	open := make(map[string]int)
	for _, e := range entries {
		to, err := os.Readlink("/proc/self/fd/" + e.Name())
		switch {
		case err != nil: // the folder's own
		case strings.HasPrefix(to, "socket:"):
			open["socket"]++
		default:
			open[to]++
		}
	}
	return open
}

// comesBack waits until a count is what it was before, and fails with the differing count.
func comesBack(t *testing.T, what string, count func() string) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		why := count()
		if why == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: %s", what, why)
		}
		time.Sleep(20 * time.Millisecond) // other goroutines and the kernel: polled
	}
}

// A leaks holds counts that a test compares at its beginning and its end. The counts are of the
// whole process, so such a test does not run in parallel with others.
type leaks struct {
	t      *testing.T
	pool   *pgxpool.Pool // its connections do not count as leaks; nil: no pool
	before goleak.Option
	files  map[string]int
}

func lookForLeaks(t *testing.T, pool *pgxpool.Pool) *leaks {
	l := &leaks{t: t, pool: pool, before: goleak.IgnoreCurrent()}
	l.files = l.open()
	return l
}

// open returns the open files, except the pool's.
func (l *leaks) open() map[string]int {
	open := files(l.t)
	if l.pool != nil {
		open["socket"] -= int(l.pool.Stat().TotalConns())
	}
	return open
}

// none fails the test if there are more goroutines or open files than before.
func (l *leaks) none(when string) {
	l.t.Helper()
	ignored := []goleak.Option{l.before}
	if l.pool != nil {
		// If a write takes longer than 15 ms, as on a busy machine, pgx begins to read in the background. The read ends with the
		// next answer of PostgreSQL, so an idle connection of the pool may have one.
		ignored = append(ignored, goleak.IgnoreAnyFunction("github.com/jackc/pgx/v5/pgconn/internal/bgreader.(*BGReader).bgRead"))
	}
	comesBack(l.t, when+", goroutines", func() string {
		if err := goleak.Find(ignored...); err != nil {
			return err.Error()
		}
		return ""
	})
	comesBack(l.t, when+", files", func() string {
		var more []string
		for name, n := range l.open() {
			if n > l.files[name] {
				more = append(more, name+": "+strconv.Itoa(n)+" instead of "+strconv.Itoa(l.files[name]))
			}
		}
		return strings.Join(more, ", ")
	})
}
