package realtime_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
)

// allowed are the codes with which the server may close a socket: the codes of the protocol, and
// WebSocket's own codes for clients that break the WebSocket protocol.
var allowed = []websocket.StatusCode{
	realtime.CodeRestart, realtime.CodeOverload, realtime.CodeSlow, realtime.CodeBehind,
	realtime.CodeBad, realtime.CodeSignedOut, realtime.CodeForbidden, realtime.CodeLimit,
	websocket.StatusProtocolError,
}

// TestRogueClientsDisturbNoOtherPage has rogue clients do random things, right and wrong ones, on all
// levels of the protocol, while other pages follow the same river. Those pages get each
// change in time, and nothing is left of the rogues afterwards.
func TestRogueClientsDisturbNoOtherPage(t *testing.T) {
	happened := counts{}
	happened.untilAll(t, []string{
		"hello", "patch", "reset", "beat", "1002", "4008", "4400", "4401", "4403", "4429", "cut", "left",
	}, func(seed uint64) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			within(t, func(c *realtime.Config) { c.MaxPerViewer = 6 }, func(b *bench) {
				rogues(b, rand.New(rand.NewPCG(seed, 23)), happened)
			})
		})
	})
}

// rogues runs a river with two well-behaved pages and many bad ones.
func rogues(b *bench, rnd *rand.Rand, happened counts) {
	b.fill(everything, 20)
	b.fill(home, 20)
	pages := []*client{b.open(everything, "", ""), b.open(everything, "", "?count=7")}
	for _, p := range pages {
		p.readOn()
	}
	var done []chan counts
	for range 12 {
		r := &rogue{bench: b, rnd: rand.New(rand.NewPCG(rnd.Uint64(), 1)), did: counts{}}
		ended := make(chan counts, 1)
		done = append(done, ended)
		go func() {
			defer func() { ended <- r.did }()
			for range 3 {
				r.live()
			}
		}()
	}
	for i := range 40 {
		b.rivers.Put(everything, fold(3, 2+i, 3000, fmt.Sprint("state ", i)), fold(20, 2+i, 20_000, fmt.Sprint("state ", i)))
		b.rivers.Put(home, fold(3, 2+i, 3000, fmt.Sprint("state ", i)))
		time.Sleep(time.Second)
		synctest.Wait()
		for _, p := range pages {
			p.same(everything)
		}
	}
	for _, ended := range done {
		happened.add(<-ended)
	}
	for _, p := range pages {
		p.conn.CloseNow()
	}
	time.Sleep(20 * time.Second) // time for the server to cut stuck sockets
	synctest.Wait()
	if s := b.server.Stats(); s.Sockets != 0 || s.Hubs != 0 || s.Hidden != 0 {
		b.Errorf("left over: %+v", s)
	}
}

// A rogue is a client that may send anything.
type rogue struct {
	*bench
	rnd  *rand.Rand
	conn net.Conn
	in   *bufio.Reader

	mu  sync.Mutex
	did counts
}

func (r *rogue) note(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.did[what]++
}

// upgrade is a request for a socket, up to its last line.
const upgrade = "GET /live HTTP/1.1\r\nHost: site.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

// connect opens a connection and, if the server grants it, a socket.
func (r *rogue) connect(session string) bool {
	conn, err := r.net.Connect(r.Context())
	if err != nil {
		r.Error(err)
		return false
	}
	r.Cleanup(func() { conn.Close() })
	r.conn, r.in = conn, bufio.NewReader(conn)
	ask := upgrade
	if session != "" {
		ask += "X-Session: " + session + "\r\n"
	}
	if r.rnd != nil && r.rnd.IntN(20) == 0 {
		r.send([]byte(ask)) // and no more
		return false
	}
	r.send([]byte(ask + "\r\n"))
	answer, err := http.ReadResponse(r.in, nil)
	return err == nil && answer.StatusCode == http.StatusSwitchingProtocols
}

// live runs one connection.
func (r *rogue) live() {
	session := []string{"", "", "7-s", "7-s", "8-s"}[r.rnd.IntN(5)]
	granted := r.connect(session)
	conn := r.conn
	defer conn.Close()
	if !granted {
		return
	}
	over := make(chan struct{})
	stuck := time.Duration(0)
	if r.rnd.IntN(6) == 0 {
		stuck = time.Duration(r.rnd.IntN(20)) * time.Second
	}
	go func() {
		defer close(over)
		r.read(stuck)
	}()
	defer func() { <-over }()
	key := everything
	if r.rnd.IntN(2) == 0 {
		key = home
	}
	for range 1 + r.rnd.IntN(6) {
		if !r.act(key, session) {
			conn.Close()
			r.note("left")
			return
		}
		time.Sleep(time.Duration(r.rnd.IntN(2500)) * time.Millisecond)
	}
	if r.rnd.IntN(2) == 0 {
		time.Sleep(time.Duration(r.rnd.IntN(40)) * time.Second)
	}
	conn.Close()
}

// read reads until the end; a stuck rogue pauses for a while.
func (r *rogue) read(stuck time.Duration) {
	for n := 0; ; n++ {
		if n == 2 {
			time.Sleep(stuck)
		}
		op, data, err := r.frame()
		if err != nil {
			if errors.Is(err, io.EOF) {
				r.note("cut")
			}
			return
		}
		switch op {
		case 0x81, 0x82:
			kind := websocket.MessageText
			if op == 0x82 {
				kind = websocket.MessageBinary
			}
			text, err := liveclient.Unpacked(kind, data)
			if err != nil || !strings.HasPrefix(string(text), `{"type":"`) {
				r.Errorf("a message %.100q: %v", text, err)
			}
			what, _, _ := strings.Cut(strings.TrimPrefix(string(text), `{"type":"`), `"`)
			r.note(what)
		case 0x8a: // a pong
		case 0x88:
			code := websocket.StatusNoStatusRcvd
			if len(data) >= 2 {
				code = websocket.StatusCode(binary.BigEndian.Uint16(data))
			}
			if code != websocket.StatusNormalClosure && !slices.Contains(allowed, code) {
				r.Errorf("closed with %d", code)
			}
			r.note(fmt.Sprint(int(code)))
			if op, data, err := r.frame(); err == nil {
				r.Errorf("after the end came %x %q", op, data)
			}
			return
		default:
			r.Errorf("a frame of %x", op)
			return
		}
	}
}

// frame reads a frame of the server's.
func (r *rogue) frame() (op byte, data []byte, err error) {
	var head [2]byte
	if _, err = io.ReadFull(r.in, head[:]); err != nil {
		return 0, nil, err
	}
	size := int64(head[1])
	switch size {
	case 126:
		var n uint16
		err = binary.Read(r.in, binary.BigEndian, &n)
		size = int64(n)
	case 127:
		err = binary.Read(r.in, binary.BigEndian, &size)
	}
	if err != nil {
		return 0, nil, err
	}
	data = make([]byte, size)
	_, err = io.ReadFull(r.in, data)
	return head[0], data, err
}

// send writes bytes. If the server does not read them, it has closed.
func (r *rogue) send(data []byte) { _, _ = r.conn.Write(data) }

// say sends a frame, masked by zeros.
func (r *rogue) say(op byte, text string) {
	head := []byte{op}
	switch n := len(text); {
	case n < 126:
		head = append(head, 0x80|byte(n))
	default:
		head = binary.BigEndian.AppendUint64(append(head, 0x80|127), uint64(n))
	}
	r.send(append(append(head, 0, 0, 0, 0), text...))
}

// act does something, and says whether the client goes on.
func (r *rogue) act(key river.Key, session string) bool {
	sub := func(epoch string, counter int64, have string) string {
		name := r.rivers.Name(key, []byte(session))
		return fmt.Sprintf(`{"type":"sub","river":%q,"page":"/%s/%d","epoch":%q,"counter":%d,"have":[%s],"as":"html"}`,
			name, key.What, key.TheirID, epoch, counter, have)
	}
	switch n := r.rnd.IntN(100); {
	case n < 40:
		r.say(0x81, sub("epoch-1", 2+r.rnd.Int64N(40), `[20,"a"],[19,"b"]`))
	case n < 45:
		r.say(0x81, sub("forged", r.rnd.Int64()-r.rnd.Int64(), ""))
	case n < 50: // more than the page has
		r.say(0x81, sub("epoch-1", 1<<53, strings.Repeat(`[9007199254740991,"x"],`, 1000)+`[1,"y"]`))
	case n < 55:
		r.say(0x81, strings.Replace(sub("", 0, ""), `"page":"/`, `"page":"/other/`, 1))
	case n < 60:
		r.say(0x81, strings.Replace(sub("", 0, ""), `"river":"`, `"river":"other`, 1))
	case n < 70:
		r.say(0x81, fmt.Sprintf(`{"type":"vis","hidden":%v}`, r.rnd.IntN(2) == 0))
	case n < 73:
		for range 20 { // a flood
			r.say(0x81, `{"type":"vis"}`)
		}
	case n < 76:
		for range 30 {
			r.say(0x89, "ping")
		}
	case n < 79:
		r.say(0x81, strings.Repeat("x", 40_000))
	case n < 82:
		r.say(0x81, "nonsense \xff")
	case n < 84:
		r.say(0x82, sub("", 0, ""))
	case n < 88: // invalid WebSocket frames: masks, bits, kinds, parts
		r.send([][]byte{
			{0x81, 2, '{', '}'}, {0xf1, 0x80, 0, 0, 0, 0}, {0x83, 0x80, 0, 0, 0, 0}, {0x80, 0x80, 0, 0, 0, 0},
			{0x09, 0x80, 0, 0, 0, 0}, {0x89, 0xfe, 1, 0, 0, 0, 0, 0}, {0x88, 0x81, 0, 0, 0, 0, 1},
		}[r.rnd.IntN(7)])
	case n < 91: // a frame without an end
		r.send([]byte{0x81, 0x80 | 126, 0xff, 0xff, 0, 0, 0, 0, '{'})
		return r.rnd.IntN(2) == 0
	case n < 93: // parts
		r.say(0x01, `{"type":`)
		r.say(0x80, `"vis"}`)
	case n < 95:
		r.say(0x88, "\x03\xe8bye")
	case n < 97:
		r.server.Ended([]byte(session))
	default:
		return false
	}
	return true
}
