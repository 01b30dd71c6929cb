package realtime_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/realtime"
)

// swarmed has the test binary be a swarm, instead of running tests.
const swarmed = "AMSTEL_TEST_SWARM"

// A swarm is very many pages in a process of their own, as cheap as they can be:
// they read, and note when each change came.
type swarm struct {
	Address string
	Sockets int
	Homes   bool // each page is the home of another person; otherwise all pages are of one river
	Stuck   int  // how many read nothing after their hello
}

// A told is a report of a swarm, one line each.
type told struct {
	Open   int   // that many pages got their hello, the first dialled at First, and the last at Last
	Change int   // the number of a change that all reading pages have, from 1
	First  int64 // when the first page had it (ns of the wall clock)
	Half   int64
	P99    int64
	Last   int64
}

// breed starts a swarm, which ends with the test. next returns the swarm's next report.
func breed(b testing.TB, what swarm) (next func() told) {
	b.Helper()
	todo, err := json.Marshal(what)
	if err != nil {
		b.Fatal(err)
	}
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), swarmed+"="+string(todo), "GOMAXPROCS=2")
	process.Stderr = os.Stderr
	in, err := process.StdinPipe() // the swarm ends when this closes
	if err != nil {
		b.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := process.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		_, _ = io.Copy(io.Discard, out)
		if err := process.Wait(); err != nil {
			b.Error(err)
		}
	})
	lines := json.NewDecoder(out)
	return func() (t told) {
		b.Helper()
		if err := lines.Decode(&t); err != nil {
			b.Fatalf("the swarm has died: %v", err)
		}
		return t
	}
}

// swarming is the swarm's process.
func swarming(todo string) error {
	var s swarm
	if err := json.Unmarshal([]byte(todo), &s); err != nil {
		return err
	}
	tally := &tally{out: json.NewEncoder(os.Stdout), readers: s.Sockets - s.Stuck, began: time.Now().UnixNano()}
	dialing := make(chan struct{}, 100)
	fail := make(chan error, s.Sockets)
	for i := range s.Sockets {
		dialing <- struct{}{}
		go func() {
			page, err := s.open(i)
			if <-dialing; err != nil {
				fail <- err
				return
			}
			if tally.opened(s.Sockets); i < s.Stuck {
				tally.keep(page)
				return
			}
			for n := 1; ; n++ {
				if err := page.change(); err != nil {
					return
				}
				tally.note(n)
			}
		}()
	}
	go func() {
		fmt.Fprintln(os.Stderr, "swarm:", <-fail)
		os.Exit(1)
	}()
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// tally counts changes.
type tally struct {
	mu      sync.Mutex
	out     *json.Encoder
	began   int64
	open    int
	stuck   []*pageConn // kept, since a connection without a reference is closed
	readers int
	times   [][]int64
}

func (t *tally) opened(all int) {
	now := time.Now().UnixNano()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open++; t.open == all {
		_ = t.out.Encode(told{Open: t.open, First: t.began, Last: now})
	}
}

func (t *tally) keep(page *pageConn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stuck = append(t.stuck, page)
}

func (t *tally) note(change int) {
	now := time.Now().UnixNano()
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.times) < change {
		t.times = append(t.times, make([]int64, 0, t.readers))
	}
	all := append(t.times[change-1], now)
	if t.times[change-1] = all; len(all) < t.readers {
		return
	}
	slices.Sort(all)
	_ = t.out.Encode(told{Change: change, First: all[0], Half: all[len(all)/2], P99: all[len(all)*99/100], Last: all[len(all)-1]})
	t.times[change-1] = nil
}

// pageConn is the connection of a page, with the bytes read so far.
type pageConn struct {
	net.Conn
	in *bufio.Reader
}

// open opens a page and waits for its hello and the next frame.
func (s *swarm) open(i int) (*pageConn, error) {
	// One address has ports for only so many connections.
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(i/4000))}
	conn, err := (&net.Dialer{LocalAddr: local}).Dial("tcp", s.Address)
	if err != nil {
		return nil, err
	}
	if i < s.Stuck {
		_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	}
	session, river, path := "", "0/everything:0?#", "/everything/0"
	if s.Homes {
		id := i + 1
		session = fmt.Sprintf("X-Session: %d-s\r\n", id)
		river, path = fmt.Sprintf("%d/home:%d?#%x", id, id, fmt.Sprintf("%d-s", id)), fmt.Sprintf("/home/%d", id)
	}
	fmt.Fprintf(conn, "GET /live HTTP/1.1\r\nHost: site.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\n%s\r\n",
		realtime.Subprotocol, session)
	p := &pageConn{conn, bufio.NewReaderSize(conn, 4<<10)}
	for line := ""; line != "\r\n"; {
		if line, err = p.in.ReadString('\n'); err != nil {
			return nil, err
		}
		if strings.HasPrefix(line, "HTTP/") && !strings.Contains(line, " 101 ") {
			return nil, fmt.Errorf("the upgrade is answered %s", line)
		}
	}
	sub := fmt.Sprintf(`{"type":"sub","river":%q,"page":%q,"epoch":"epoch-1","counter":1,"as":"html"}`, river, path)
	frame := append([]byte{0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0}, sub...) // masked by zeros
	binary.BigEndian.PutUint16(frame[2:], uint16(len(sub)))
	if _, err := conn.Write(frame); err != nil {
		return nil, err
	}
	for {
		_, message, err := p.message()
		if err != nil {
			return nil, err
		}
		if !bytes.HasPrefix(message, []byte(`{"type":"hello"`)) {
			return p, nil
		}
	}
}

// change reads up to a change.
func (p *pageConn) change() error {
	for {
		binary, message, err := p.message()
		if err != nil {
			return err
		}
		if binary || bytes.HasPrefix(message, []byte(`{"type":"patch"`)) {
			return nil
		}
	}
}

// message reads a message and returns its beginning.
func (p *pageConn) message() (bin bool, start []byte, err error) {
	head, err := p.in.Peek(2)
	if err != nil {
		return false, nil, err
	}
	bin = head[0]&0xf == 2
	size, skip := int(head[1]), 2
	switch size {
	case 126:
		if head, err = p.in.Peek(4); err != nil {
			return false, nil, err
		}
		size, skip = int(binary.BigEndian.Uint16(head[2:])), 4
	case 127:
		if head, err = p.in.Peek(10); err != nil {
			return false, nil, err
		}
		size, skip = int(binary.BigEndian.Uint64(head[2:])), 10
	}
	if _, err = p.in.Discard(skip); err != nil {
		return false, nil, err
	}
	start, err = p.in.Peek(min(size, 15))
	if err != nil {
		return false, nil, err
	}
	start = bytes.Clone(start)
	_, err = p.in.Discard(size)
	return bin, start, err
}
