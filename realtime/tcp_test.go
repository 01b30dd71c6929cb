package realtime_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
)

// A loop is a node on the loopback interface, in real time. The server tries writes without
// waiting first.
type loop struct {
	testing.TB
	rivers *livetest.Rivers
	server *realtime.Server
	url    string
}

func onLoopback(t testing.TB, change func(*realtime.Config)) *loop {
	t.Helper()
	l := &loop{TB: t, rivers: livetest.NewRivers()}
	config := livetest.Config(l.rivers)
	patient(&config.Limits)
	if change != nil {
		change(&config)
	}
	l.server = realtime.New(config)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	site := &http.Server{Handler: l.server}
	served := make(chan error, 1)
	go func() { served <- site.Serve(listener) }()
	l.url = "ws://" + listener.Addr().String()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = l.server.Close(ctx) // cuts the stuck sockets
		site.Close()
		<-served
		if open, _ := l.rivers.Watches(); open != 0 {
			t.Errorf("%d rivers are still watched", open)
		}
	})
	return l
}

// reader is a page on the loopback.
type reader struct {
	*loop
	conn *websocket.Conn
	mu   sync.Mutex
	page *liveclient.Page
	got  chan struct{} // has a value after each frame read; at most one
	most int           // bytes of the longest
}

// open opens a page, for the time of the test.
func (l *loop) open(key river.Key, room int) *reader {
	l.Helper()
	r := l.dial(key, room)
	l.Cleanup(func() { r.conn.CloseNow() })
	return r
}

// dial opens a page with a kernel buffer for room unread bytes.
func (l *loop) dial(key river.Key, room int) *reader {
	l.Helper()
	dialer := &net.Dialer{}
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, addr)
		if err == nil && room > 0 {
			err = conn.(*net.TCPConn).SetReadBuffer(room)
		}
		return conn, err
	}}}
	header := http.Header{}
	if key.Viewer != 0 {
		header.Set("X-Session", fmt.Sprintf("%d-s", key.Viewer))
	}
	conn, _, err := websocket.Dial(l.Context(), l.url, &websocket.DialOptions{HTTPClient: client, HTTPHeader: header, Subprotocols: []string{realtime.Subprotocol}})
	if err != nil {
		l.Fatal(err)
	}
	conn.SetReadLimit(-1)
	var credential []byte
	if key.Viewer != 0 {
		credential = fmt.Appendf(nil, "%d-s", key.Viewer)
	}
	r := &reader{loop: l, conn: conn, got: make(chan struct{}, 1),
		page: liveclient.NewPage(l.rivers.Name(key, credential), fmt.Sprintf("/%s/%d", key.What, key.TheirID))}
	if err := conn.Write(l.Context(), websocket.MessageText, r.page.Sub()); err != nil {
		l.Fatal(err)
	}
	for range 2 { // a hello and a reset
		r.take()
	}
	return r
}

// take reads a frame.
func (r *reader) take() bool {
	data, err := liveclient.Read(r.Context(), r.conn)
	if err != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.most = max(r.most, len(data))
	if verdict, _, err := r.page.Take(data); err != nil || verdict == liveclient.Resub {
		r.Errorf("a page could not apply %.100s: %v", data, err)
	}
	select {
	case r.got <- struct{}{}:
	default:
	}
	return true
}

// follow reads until the connection ends.
func (r *reader) follow() {
	for r.take() {
	}
}

// has waits until the page shows the river's state of now.
func (r *reader) has(key river.Key) {
	r.Helper()
	late := time.After(patience)
	for {
		r.mu.Lock()
		why := differs(r.page, r.rivers.View(key, river.At{Count: 100_000}))
		r.mu.Unlock()
		if why == "" {
			return
		}
		select {
		case <-r.got:
		case <-late:
			r.Fatal(why)
		}
	}
}

// TestStuckConnectionsDelayNoOtherPage has some pages read nothing: the others get every change.
// When the stuck pages read again, they get all that they missed in a few frames.
func TestStuckConnectionsDelayNoOtherPage(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	l := onLoopback(t, func(c *realtime.Config) { c.Coalesce, c.WriteWithin, c.Slow = time.Millisecond, time.Hour, time.Hour })
	l.rivers.Put(everything, fold(1, 1, 1000, "first"))
	var readers, stuck []*reader
	for i := range 30 {
		if i%6 == 0 {
			stuck = append(stuck, l.open(everything, 4<<10))
			continue
		}
		r := l.open(everything, 0)
		readers = append(readers, r)
		go r.follow()
	}
	const changes = 40
	rnd := rand.New(rand.NewPCG(1, 4))
	for i := range changes {
		text := noise(rnd, 8000) // which packs badly
		l.rivers.Put(everything, fold(1, 2+i, 1000, text), fold(2, 1+i, 2000, text+"!"))
		for _, r := range readers {
			r.has(everything)
		}
	}
	if n := runtime.NumGoroutine(); n > 1000 {
		t.Errorf("%d goroutines", n)
	}
	for _, r := range stuck {
		go r.follow()
	}
	for _, r := range stuck {
		r.has(everything)
		r.mu.Lock()
		if r.most > 40_000 {
			t.Errorf("a frame of %d bytes: what was missed was not merged", r.most)
		}
		r.mu.Unlock()
	}
	if s := l.server.Stats(); s.Dropped != 0 || s.Slow() != 0 || s.Merged < int64(len(stuck)) {
		t.Errorf("%d cut, %d slow, and %d told of several changes at once", s.Dropped, s.Slow(), s.Merged)
	}
}

// files are the process's open files.
func files(t testing.TB) int {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(open)
}

// TestNothingIsLeftOfSocketsThatCameAndWent counts files and goroutines after many sockets have
// come and gone. It does not run in parallel with other tests, whose files and goroutines it
// would count.
func TestNothingIsLeftOfSocketsThatCameAndWent(t *testing.T) {
	l := onLoopback(t, nil)
	l.rivers.Put(everything, fold(1, 1, 1000, "first"))
	churn := func(n int) {
		var all sync.WaitGroup
		for i := range n {
			key := everything
			if i%3 == 0 {
				key = homeOf(i % 9)
				l.rivers.Put(key, fold(1, 1, 1000, "first"))
			}
			r := l.dial(key, 0)
			all.Go(func() {
				switch i % 4 {
				case 0:
					r.conn.Close(websocket.StatusNormalClosure, "")
				case 1:
					r.conn.CloseNow()
				case 2: // the server closes it
					_ = r.conn.Write(r.Context(), websocket.MessageText, []byte("nonsense"))
					r.follow()
				case 3:
					l.server.Ended(fmt.Appendf(nil, "%d-s", key.Viewer))
					r.conn.CloseNow()
				}
			})
			if i%50 == 0 {
				l.rivers.Put(everything, fold(1, 2+i, 1000, fmt.Sprint("change ", i)))
			}
		}
		all.Wait()
		for l.server.Stats().Sockets > 0 {
			runtime.Gosched()
		}
	}
	count := func() (int, int, uint64) {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return files(t), runtime.NumGoroutine(), m.HeapAlloc
	}
	churn(50) // opens files and goroutines that stay
	f, g, heap := count()
	churn(600)
	late := time.Now().Add(patience)
	for {
		moreFiles, moreGoroutines, moreHeap := count()
		if moreFiles <= f && moreGoroutines <= g && moreHeap < heap+1<<20 {
			break
		}
		if time.Now().After(late) {
			t.Fatalf("%d files, %d goroutines, %d bytes; before %d, %d, %d", moreFiles, moreGoroutines, moreHeap, f, g, heap)
		}
	}
	if s := l.server.Stats(); s.Hubs != 0 {
		t.Errorf("%d hubs", s.Hubs)
	}
}
