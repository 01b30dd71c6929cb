package apitest

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"sync"
	"testing"
)

// Tap returns the client's end of a connection, and fails the test for each frame that breaks the JSON
// Schema of frames. It checks each frame from the server, and each subscription that the server answers.
// With anyEntries it does not check the fields of entries, for tests with renderers of their own.
func Tap(t testing.TB, conn net.Conn, anyEntries bool) net.Conn {
	c := &tapped{Conn: conn, t: t, anyEntries: anyEntries}
	c.in.take, c.out.take = c.received, c.sent
	return c
}

// A tapped is a connection whose frames are checked.
type tapped struct {
	net.Conn
	t          testing.TB
	anyEntries bool
	in, out    messages

	mu   sync.Mutex
	subs [][]byte // subscriptions that were sent and are not answered yet
}

func (c *tapped) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.in.feed(p[:n])
	return n, err
}

func (c *tapped) Write(p []byte) (int, error) {
	if c.in.upgraded { // what is sent before is the request
		c.out.upgraded = true
		c.out.feed(p)
	}
	return c.Conn.Write(p)
}

// received checks a message from the server.
func (c *tapped) received(kind byte, message []byte) {
	if kind == binaryMessage {
		var err error
		if message, err = io.ReadAll(flate.NewReader(bytes.NewReader(message))); err != nil {
			c.t.Errorf("a binary message: %v", err)
			return
		}
	}
	check := CheckFrame
	if c.anyEntries {
		check = CheckFrameOfAnyEntry
	}
	if err := check(FromServer, message); err != nil {
		c.t.Error(err)
	}
	if typeOf(message) != "hello" {
		return
	}
	if sub := c.answered(); sub != nil {
		if err := CheckFrame(FromPage, sub); err != nil {
			c.t.Error(err)
		}
	}
}

// sent keeps a message to the server if the message is a subscription. Anything may follow a
// subscription before the server answers the subscription, so the last message is not enough.
func (c *tapped) sent(_ byte, message []byte) {
	if typeOf(message) != "sub" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.subs = append(c.subs, message)
}

// answered returns the first subscription that was not answered yet, and takes it as answered; nil
// if there is none.
func (c *tapped) answered() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.subs) == 0 {
		return nil
	}
	sub := c.subs[0]
	c.subs = c.subs[1:]
	return sub
}

// typeOf returns the type of a frame; "" if the frame has none.
func typeOf(frame []byte) string {
	var f struct{ Type string }
	if json.Unmarshal(frame, &f) != nil {
		return ""
	}
	return f.Type
}

// The kinds of messages (RFC 6455, section 5.2).
const (
	continuation  = 0
	textMessage   = 1
	binaryMessage = 2
	controlFrames = 8
)

// messages finds the messages in the bytes of one direction of a WebSocket, after the head of the
// request or the answer.
type messages struct {
	take     func(kind byte, message []byte)
	upgraded bool
	buffer   []byte
	message  []byte
	kind     byte
}

// upgrade begins the answer that makes a connection a WebSocket.
var upgrade = []byte("HTTP/1.1 101 ")

func (m *messages) feed(p []byte) {
	m.buffer = append(m.buffer, p...)
	if !m.upgraded {
		if n := min(len(m.buffer), len(upgrade)); !bytes.Equal(m.buffer[:n], upgrade[:n]) {
			m.buffer = nil // of another request on the connection
			return
		}
		_, rest, whole := bytes.Cut(m.buffer, []byte("\r\n\r\n"))
		if !whole {
			return
		}
		m.upgraded, m.buffer = true, rest
	}
	for m.frame() {
	}
}

// frame takes the next frame from the buffer, and reports whether it is whole.
func (m *messages) frame() bool {
	b := m.buffer
	if len(b) < 2 {
		return false
	}
	last, kind, masked, length := b[0]&0x80 != 0, b[0]&0x0f, b[1]&0x80 != 0, uint64(b[1]&0x7f)
	head := 2
	switch length {
	case 126:
		if head = 4; len(b) < head {
			return false
		}
		length = uint64(binary.BigEndian.Uint16(b[2:]))
	case 127:
		if head = 10; len(b) < head {
			return false
		}
		length = binary.BigEndian.Uint64(b[2:])
	}
	var mask [4]byte
	if masked {
		if head += 4; len(b) < head {
			return false
		}
		copy(mask[:], b[head-4:])
	}
	if uint64(len(b)) < uint64(head)+length {
		return false
	}
	payload := bytes.Clone(b[head : head+int(length)])
	m.buffer = b[head+int(length):]
	for i := range payload {
		payload[i] ^= mask[i%4]
	}
	if kind >= controlFrames {
		return true
	}
	if kind != continuation {
		m.kind, m.message = kind, nil
	}
	m.message = append(m.message, payload...)
	if last {
		m.take(m.kind, m.message)
	}
	return true
}
