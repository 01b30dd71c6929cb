package web_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"amstel.dev/amstel/internal/racetest"
)

// The opcodes of frames, and the bit of a message's last frame.
const (
	opMore   = 0x0
	opText   = 0x1
	opBinary = 0x2
	opClose  = 0x8
	opPing   = 0x9
	opPong   = 0xa
	whole    = 0x80
)

// A wire is a socket without a library. It can send frames that no library would.
type wire struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

// upgrade asks for a socket, and returns the status of the answer.
func (c *client) upgrade(t *testing.T) (*wire, int) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.b.http.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	w := &wire{t, conn, bufio.NewReader(conn)}
	w.limit()
	r, err := http.NewRequest("GET", c.b.http.URL+"/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{
		"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"},
		"Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="}, "Sec-Websocket-Protocol": {"amstel.v1"},
	}
	for name, values := range c.header {
		r.Header[name] = values
	}
	if c.token != "" {
		r.Header.Set("X-API-Token", c.token)
	}
	if err := r.Write(conn); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(w.in, r)
	if err != nil {
		t.Fatal(err)
	}
	return w, answer.StatusCode
}

// wire is a socket of the client's.
func (c *client) wire(t *testing.T) *wire {
	t.Helper()
	w, status := c.upgrade(t)
	if status != http.StatusSwitchingProtocols {
		t.Fatalf("no socket: %d", status)
	}
	return w
}

// frameOf returns a masked frame, as clients send it.
func frameOf(first byte, payload []byte) []byte {
	b := []byte{first}
	switch n := len(payload); {
	case n < 126:
		b = append(b, 0x80|byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(n))
	}
	mask := []byte{1, 2, 3, 4}
	b = append(b, mask...)
	for i, c := range payload {
		b = append(b, c^mask[i%4])
	}
	return b
}

// send sends bytes. It is no failure if the other side has closed.
func (w *wire) send(frames ...[]byte) {
	w.t.Helper()
	w.limit()
	_, err := w.conn.Write(bytes.Join(frames, nil))
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		w.t.Fatal("the server does not read: ", err)
	}
}

// text sends a message.
func (w *wire) text(message string) { w.send(frameOf(whole|opText, []byte(message))) }

// limit allows two minutes for the next read or write, far more than a busy machine needs: a
// test that hangs says where.
func (w *wire) limit() {
	w.t.Helper()
	if err := w.conn.SetDeadline(time.Now().Add(2 * time.Minute)); err != nil && !errors.Is(err, net.ErrClosed) {
		w.t.Fatal(err)
	}
}

// next reads a frame.
func (w *wire) next() (op byte, payload []byte, err error) {
	w.limit()
	var head [2]byte
	if _, err := io.ReadFull(w.in, head[:]); err != nil {
		return 0, nil, err
	}
	n := uint64(head[1] & 0x7f)
	switch n {
	case 126:
		var long [2]byte
		_, err = io.ReadFull(w.in, long[:])
		n = uint64(binary.BigEndian.Uint16(long[:]))
	case 127:
		var long [8]byte
		_, err = io.ReadFull(w.in, long[:])
		n = binary.BigEndian.Uint64(long[:])
	}
	if err != nil {
		return 0, nil, err
	}
	if n > 1<<20 {
		return 0, nil, fmt.Errorf("a frame of %d bytes", n)
	}
	payload = make([]byte, n)
	_, err = io.ReadFull(w.in, payload)
	return head[0] & 0xf, payload, err
}

// readClose reads frames up to the closing frame, and answers the closing frame. It returns the
// code, 0 without a code, the reason, and the frames before.
func (w *wire) readClose() (code int, reason string, before []string) {
	w.t.Helper()
	for {
		op, payload, err := w.next()
		if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
			w.t.Fatalf("it was not closed, after %q", before)
		}
		switch {
		case err != nil:
			return 0, err.Error(), before
		case op == opText || op == opBinary:
			before = append(before, string(payload))
		case op == opClose && len(payload) >= 2:
			w.send(frameOf(whole|opClose, payload[:2]))
			if rest, err := io.ReadAll(w.in); len(rest) > 0 {
				w.t.Errorf("after the close: %q, %v", rest, err)
			}
			return int(binary.BigEndian.Uint16(payload)), string(payload[2:]), before
		}
	}
}

// hears reads messages up to the first that contains the text.
func (w *wire) hears(text string) {
	w.t.Helper()
	for {
		op, payload, err := w.next()
		switch {
		case err != nil:
			w.t.Fatalf("closed before %q came: %v", text, err)
		case op == opClose:
			w.t.Fatalf("closed before %q came: %q", text, payload)
		case op == opText && bytes.Contains(payload, []byte(text)):
			return
		}
	}
}

// subOf returns a sub as JSON, with more or other fields than necessary.
func subOf(uuid, page string, more object) string {
	sub := object{"type": "sub", "river": uuid, "page": page, "as": "json"}
	for name, value := range more {
		sub[name] = value
	}
	text, err := json.Marshal(sub)
	if err != nil {
		panic(err) // strings and numbers
	}
	return string(text)
}

// uuidOf is the name of a page's river.
func (c *client) uuidOf(path string) string {
	c.b.t.Helper()
	uuid, _ := c.get(path).ok().at("river", "uuid").(string)
	return uuid
}

// TestBadFramesOfARealSocket sends frames that our pages would never send. Each socket is closed
// as the protocol says, and another page of the same river does not notice.
func TestBadFramesOfARealSocket(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.post("the first", "user")
	uuid := bobby.uuidOf("/alice.json")
	witness := bobby.wire(t)
	witness.text(subOf(uuid, "/alice", nil))
	witness.hears("the first")

	sub := subOf(uuid, "/alice", nil)
	large := `{"type":"vis","hidden":true,"x":"` + strings.Repeat("x", 33<<10) + `"}`
	tests := []struct {
		name string
		send func(w *wire)
		want int
	}{
		{"a frame that is too long", func(w *wire) { w.text(large) }, 4400},
		{"one of ten megabytes", func(w *wire) { w.text(strings.Repeat("x", 10<<20)) }, 4400},
		{"too long in pieces", func(w *wire) {
			w.send(frameOf(opText, []byte(large[:100])))
			for at := 100; at < len(large); at += 100 {
				w.send(frameOf(opMore, []byte(large[at:min(at+100, len(large))])))
			}
			w.send(frameOf(whole|opMore, nil))
		}, 4400},
		{"too long, and never whole", func(w *wire) {
			w.send(frameOf(opText, []byte(large)))
		}, 4400},
		{"too long after a sub", func(w *wire) { w.text(sub); w.hears("the first"); w.text(large) }, 4400},
		{"a binary message", func(w *wire) { w.send(frameOf(whole|opBinary, []byte(sub))) }, 4400},
		{"a sub in pieces is one", func(w *wire) {
			w.send(frameOf(opText, []byte(sub[:10])), frameOf(opMore, []byte(sub[10:20])), frameOf(whole|opMore, []byte(sub[20:])))
			w.hears("the first")
			w.text("bye")
		}, 4400},
		{"nothing in it", func(w *wire) { w.text("") }, 4400},
		{"JSON twice", func(w *wire) { w.text(`{"type":"vis"}{"type":"vis"}`) }, 4400},
		{"no object", func(w *wire) { w.text(`null`) }, 4400},
		{"brackets without an end", func(w *wire) { w.text(strings.Repeat("[", 32<<10)) }, 4400},
		{"a number beyond all bounds", func(w *wire) {
			w.text(strings.Replace(sub, `{`, `{"counter":9999999999999999999999,`, 1))
		}, 4400},
		{"a flood of frames", func(w *wire) {
			for range 1000 {
				w.text(`{"type":"vis","hidden":false}`)
			}
		}, 4400},
		{"subs in a hurry", func(w *wire) {
			for range 20 {
				w.text(sub)
			}
		}, 4400},
		{"a second river", func(w *wire) {
			w.text(sub)
			w.hears("the first")
			w.text(subOf(bobby.uuidOf("/bobby.json"), "/bobby", nil))
		}, 4400},
		{"a page with a bad address", func(w *wire) { w.text(subOf(uuid, "/alice?page=two", nil)) }, 4400},
		{"a page that is looked for by what is no day", func(w *wire) {
			w.text(subOf(uuid, "/s?q=after:"+strings.Repeat("ж", 200), nil))
		}, 4400},
		{"the same, a byte farther", func(w *wire) {
			w.text(subOf(uuid, "/s?q=after:-"+strings.Repeat("ж", 200), nil))
		}, 4400},
		{"a position of no log, which is ignored", func(w *wire) {
			w.text(subOf(uuid, "/alice", object{"position": int64(1) << 62}))
			w.hears("the first")
			w.text("bye")
		}, 4400},
		{"bits that mean nothing", func(w *wire) { w.send(frameOf(whole|0x40|opText, []byte(sub))) }, 1002},
		{"an opcode that means nothing", func(w *wire) { w.send(frameOf(whole|0x3, []byte(sub))) }, 1002},
		{"more of nothing", func(w *wire) { w.send(frameOf(whole|opMore, []byte(sub))) }, 1002},
		{"a ping in pieces", func(w *wire) { w.send(frameOf(opPing, nil)) }, 1002},
		{"a long ping", func(w *wire) { w.send(frameOf(whole|opPing, make([]byte, 126))) }, 1002},
		{"a close with half a code", func(w *wire) { w.send(frameOf(whole|opClose, []byte{3})) }, 1002},
		{"a frame without a mask", func(w *wire) { w.send([]byte{whole | opText, 2, '{', '}'}) }, 0},
		{"a goodbye", func(w *wire) { w.text(sub); w.hears("the first"); w.send(frameOf(whole|opClose, []byte{3, 232})) }, 1000},
	}
	t.Run("closes", func(t *testing.T) { // and comes back when all of them have
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				w := bobby.wire(t)
				tt.send(w)
				code, reason, before := w.readClose()
				if code != tt.want {
					t.Errorf("closed with %d %q, want %d, after %q", code, reason, tt.want, before)
				}
				if !utf8.ValidString(reason) || len(reason) > 123 {
					t.Errorf("the reason is %q, which no browser takes", reason)
				}
			})
		}
	})
	alice.post("the last", "user")
	witness.hears("the last")
}
