package realtime_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A scale is a node with its pages in another process.
type scale struct {
	testing.TB
	rivers *livetest.Rivers
	server *realtime.Server
	next   func() told
	opened told
	rnd    *rand.Rand
	n      int
}

// atScale opens the pages of a swarm; of each river an entry is shown.
func atScale(b testing.TB, what swarm, change func(*realtime.Config)) *scale {
	b.Helper()
	s := &scale{TB: b, rivers: livetest.NewRivers(), rnd: rand.New(rand.NewPCG(1, 2))}
	s.rivers.Put(everything, fold(1, 1, 1000, "first"))
	if what.Homes {
		for i := range what.Sockets {
			s.rivers.Put(homeOf(i), fold(1, 1, 1000, "first"))
		}
	}
	config := livetest.Config(s.rivers)
	if change != nil {
		change(&config)
	}
	s.server = realtime.New(config)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	site := &http.Server{Handler: s.server}
	served := make(chan error, 1)
	go func() { served <- site.Serve(listener) }()
	what.Address = listener.Addr().String()
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := s.server.Close(ctx); err != nil && what.Stuck == 0 {
			b.Error(err)
		}
		site.Close()
		<-served
	})
	s.next = breed(b, what)
	opened := make(chan struct{})
	defer close(opened)
	go func() { // changes elsewhere, so that pages have many different counters
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-tick.C:
				s.rivers.Put(river.Key{What: river.KindUser}, fold(1, n, 1000, "elsewhere"))
			case <-opened:
				return
			}
		}
	}()
	for s.opened.Open < what.Sockets {
		s.opened = s.next()
	}
	return s
}

func homeOf(i int) river.Key {
	return river.Key{Viewer: timeline.UserID(i + 1), What: river.KindHome, TheirID: int64(i + 1)}
}

// sessionOf returns the session of the owner of home i.
func sessionOf(i int) string { return fmt.Sprintf("%d-s", i+1) }

// noise returns a text that compresses to a little more than half its size.
func noise(rnd *rand.Rand, length int) string {
	var t strings.Builder
	for t.Len() < length {
		fmt.Fprintf(&t, "%x ", rnd.Uint32())
	}
	return t.String()[:length]
}

// change changes an entry of some rivers, and returns when all pages have the change.
func (s *scale) change(length int, keys ...river.Key) (began int64, had told) {
	s.n++
	f := fold(1, 1+s.n, 1000, noise(s.rnd, length))
	began = time.Now().UnixNano()
	for _, key := range keys {
		s.rivers.Put(key, f)
	}
	for had.Change < s.n {
		had = s.next()
	}
	return began, had
}

// rss returns the resident memory of the process.
func rss(b testing.TB) int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Skip(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// held returns the bytes in the heap and the stacks of the process.
func held() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// spent returns the processor time of this process.
func spent(b testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkIdleSockets measures the memory of an idle page.
func BenchmarkIdleSockets(b *testing.B) {
	for _, what := range []swarm{{Sockets: 10_000}, {Sockets: 1000, Homes: true}} {
		b.Run(fmt.Sprintf("%d,homes=%v", what.Sockets, what.Homes), func(b *testing.B) {
			debug.FreeOSMemory()
			process, memory := rss(b), held()
			s := atScale(b, what, nil)
			s.awaitSockets(what.Sockets)
			for range 3 { // stacks shrink by half each
				runtime.GC()
			}
			grown := rss(b) - process
			b.ReportMetric(float64(grown)/float64(what.Sockets), "rss-B/socket")
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(held()-memory)/float64(what.Sockets), "B/socket")
			b.ReportMetric(float64(m.StackInuse)/float64(what.Sockets), "stack-B/socket")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func (s *scale) awaitSockets(n int) {
	for s.server.Stats().Subs < int64(n) {
		runtime.Gosched()
	}
}

// BenchmarkStorm measures how long it takes to open pages that all come at once.
func BenchmarkStorm(b *testing.B) {
	for _, what := range []swarm{{Sockets: 1000, Homes: true}, {Sockets: 10_000}} {
		b.Run(fmt.Sprintf("%d,homes=%v", what.Sockets, what.Homes), func(b *testing.B) {
			before := spent(b)
			s := atScale(b, what, nil)
			b.ReportMetric(float64(s.opened.Last-s.opened.First)/1e6, "ms")
			b.ReportMetric(float64((spent(b)-before).Microseconds())/float64(what.Sockets), "cpu-us/socket")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkRiver is how long a change takes to all pages of a river, from before
// it is made.
func BenchmarkRiver(b *testing.B) {
	for _, stuck := range []int{0, 1000} {
		b.Run(fmt.Sprintf("stuck=%d", stuck), func(b *testing.B) {
			s := atScale(b, swarm{Sockets: 10_000, Stuck: stuck}, func(c *realtime.Config) { c.WriteWithin, c.Slow = time.Hour, time.Hour })
			if stuck > 0 { // and now they are
				memory := held()
				for range 12 {
					s.change(16<<10, everything)
				}
				defer b.ReportMetric(float64(held()-memory)/float64(stuck), "B/stuck")
				if n := s.server.Stats().Sockets; n != 10_000 {
					b.Fatalf("%d sockets", n)
				}
			}
			s.report(b, func() []river.Key { return []river.Key{everything} })
		})
	}
}

// BenchmarkHomes is the same for a change of a thousand rivers with a page each.
func BenchmarkHomes(b *testing.B) {
	const homes = 1000
	s := atScale(b, swarm{Sockets: homes, Homes: true}, nil)
	keys := make([]river.Key, homes)
	for i := range keys {
		keys[i] = homeOf(i)
	}
	s.report(b, func() []river.Key { return keys })
}

func (s *scale) report(b *testing.B, keys func() []river.Key) {
	var half, p99, last []time.Duration
	var cpu time.Duration
	for b.Loop() {
		time.Sleep(time.Second) // changes after a silence
		before := spent(b)
		began, had := s.change(2<<10, keys()...)
		cpu += spent(b) - before
		half = append(half, time.Duration(had.Half-began))
		p99 = append(p99, time.Duration(had.P99-began))
		last = append(last, time.Duration(had.Last-began))
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2].Microseconds()) / 1000
	}
	b.ReportMetric(median(half), "p50-ms")
	b.ReportMetric(median(p99), "p99-ms")
	b.ReportMetric(median(last), "last-ms")
	b.ReportMetric(float64(p99[len(p99)-1].Microseconds())/1000, "worst-p99-ms")
	b.ReportMetric(float64(cpu.Microseconds())/float64(len(p99))/float64(s.server.Stats().Sockets), "cpu-us/socket")
	b.ReportMetric(0, "ns/op")
}
