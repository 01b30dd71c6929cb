package quota

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A ledger is a primary in memory that counts its statements.
type ledger struct {
	mu         sync.Mutex
	sums       map[string]int
	statements int
	away       bool
	entered    chan struct{} // if not nil, each statement sends to it when it begins
	leave      chan struct{} // and then receives from it before it ends
}

func (l *ledger) CountRequests(_ context.Context, hour int, counts []timeline.RequestCount) ([]int, error) {
	if l.entered != nil {
		l.entered <- struct{}{}
		<-l.leave
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statements++
	if l.away {
		return nil, errors.New("away")
	}
	var sums []int
	for _, one := range counts {
		key := fmt.Sprint(hour, " ", one.Key)
		l.sums[key] += one.N
		sums = append(sums, l.sums[key])
	}
	return sums, nil
}

func (l *ledger) CountedRequests(_ context.Context, hour int, keys []string) ([]int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var sums []int
	for _, key := range keys {
		sums = append(sums, l.sums[fmt.Sprint(hour, " ", key)])
	}
	return sums, nil
}

// A clock is a time that tests move.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time          { return time.Unix(0, c.at.Load()).UTC() }
func (c *clock) set(t time.Time)         { c.at.Store(t.UnixNano()) }
func (c *clock) advance(d time.Duration) { c.at.Add(int64(d)) }

func start(t *testing.T) (*ledger, *clock) {
	t.Helper()
	c := &clock{}
	c.set(time.Date(2026, 11, 24, 10, 20, 0, 0, time.UTC))
	return &ledger{sums: make(map[string]int)}, c
}

// admitted returns how many of n requests are admitted, one node after the other.
func admitted(nodes []*Counter, k Key, limit, n int) (all int) {
	for i := range n {
		if nodes[i%len(nodes)].Take(context.Background(), k, limit).OK {
			all++
		}
	}
	return all
}

func TestQuotaOfOneNode(t *testing.T) {
	t.Parallel()
	l, c := start(t)
	node := New(l, c.now, 0)
	k, other := OfToken(7), OfToken(8)
	first := node.Take(t.Context(), k, 100)
	if want := (Result{OK: true, Limit: 100, Left: 99, Reset: 40 * time.Minute}); first != want {
		t.Errorf("the first request: %+v, want %+v", first, want)
	}
	if n := admitted([]*Counter{node}, k, 100, 200); n != 99 {
		t.Errorf("%d more requests were admitted, want 99", n)
	}
	if last := node.Take(t.Context(), k, 100); last.OK || last.Left != 0 || last.Reset != 40*time.Minute {
		t.Errorf("a request over the quota: %+v", last)
	}
	if !node.Take(t.Context(), other, 100).OK || !node.Take(t.Context(), OfPerson(7), 100).OK {
		t.Error("another token, or the person of the same number, has no quota of its own")
	}
	if l.statements != 50 {
		t.Errorf("a hundred requests took %d statements, want one for each share of two", l.statements)
	}
	if n := admitted([]*Counter{node}, OfToken(9), 0, 1000); n != 1000 {
		t.Errorf("without a limit %d of 1000 are admitted", n)
	}
	c.advance(40*time.Minute - time.Second)
	if node.Take(t.Context(), k, 100).OK {
		t.Error("a second before the hour ends, a request is admitted")
	}
	c.advance(time.Second)
	if r := node.Take(t.Context(), k, 100); !r.OK || r.Left != 99 || r.Reset != time.Hour {
		t.Errorf("the first request of the next hour: %+v", r)
	}
	if st := node.Stats(); st.Refused["token"] != 103 || st.Refused["person"] != 0 || st.Keys != 1 {
		t.Errorf("%+v", st)
	}
}

// TestQuotaOfSeveralNodes checks that two nodes together admit all of a quota and at most two shares more on each node, however
// the requests are spread over the nodes, and after restarts.
func TestQuotaOfSeveralNodes(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{20, 100, 1000, 5000} {
		for _, each := range []struct {
			name string
			way  func(l *ledger, c *clock) int
		}{
			{"in turns", func(l *ledger, c *clock) int {
				return admitted([]*Counter{New(l, c.now, 0), New(l, c.now, 0)}, OfToken(1), limit, 3*limit)
			}},
			{"one after the other", func(l *ledger, c *clock) int {
				return admitted([]*Counter{New(l, c.now, 0)}, OfToken(1), limit, limit) +
					admitted([]*Counter{New(l, c.now, 0)}, OfToken(1), limit, limit)
			}},
			{"killed half way", func(l *ledger, c *clock) int {
				return admitted([]*Counter{New(l, c.now, 0), New(l, c.now, 0)}, OfToken(1), limit, limit/2) +
					admitted([]*Counter{New(l, c.now, 0), New(l, c.now, 0)}, OfToken(1), limit, 2*limit)
			}},
			{"from all sides at once", func(l *ledger, c *clock) int {
				nodes := []*Counter{New(l, c.now, 0), New(l, c.now, 0)}
				var wg sync.WaitGroup
				var all atomic.Int64
				for i := range 16 {
					wg.Go(func() { all.Add(int64(admitted(nodes[i%2:i%2+1], OfToken(1), limit, limit/4))) })
				}
				wg.Wait()
				return int(all.Load())
			}},
		} {
			l, c := start(t)
			if n := each.way(l, c); n < limit || n > limit+4*int(shareOf(limit)) {
				t.Errorf("%s: %d requests are admitted of a quota of %d", each.name, n, limit)
			}
		}
	}
}

// TestRestartKeepsCounts checks that a node that stops loses no request of a token or a person.
func TestRestartKeepsCounts(t *testing.T) {
	t.Parallel()
	l, c := start(t)
	node := New(l, c.now, 0)
	network := OfNetwork(netip.MustParsePrefix("2001:db8:1:2::/64"))
	admitted([]*Counter{node}, OfToken(1), 1000, 7)
	admitted([]*Counter{node}, OfPerson(1), 5000, 13)
	admitted([]*Counter{node}, network, 5000, 60)
	admitted([]*Counter{node}, OfNetwork(netip.MustParsePrefix("192.0.2.1/32")), 5000, 3)
	keys := []Key{OfToken(1), OfPerson(1), network}
	want := []int{7, 13, 60}
	if used, err := node.Used(t.Context(), keys); err != nil || !slices.Equal(used, want) {
		t.Errorf("before it is saved: %v %v", used, err)
	}
	for range 2 {
		if err := node.Save(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	saved := map[string]int{"495850 token 1": 7, "495850 person 1": 13, "495850 address 2001:db8:1:2::/64": 60}
	if l.statements != 1 || !maps.Equal(l.sums, hourly(c, saved)) {
		t.Errorf("%d statements saved %v", l.statements, l.sums)
	}
	node = New(l, c.now, 0)
	if used, err := node.Used(t.Context(), keys); err != nil || !slices.Equal(used, want) {
		t.Errorf("after the restart: %v %v", used, err)
	}
}

// hourly returns the sums with the hour of the clock in their keys.
func hourly(c *clock, sums map[string]int) map[string]int {
	all := make(map[string]int)
	for key, n := range sums {
		all[fmt.Sprint(timeline.HourOf(c.now()), key[len("495850"):])] = n
	}
	return all
}

// TestQuotaWithoutThePrimary checks that a node that can't reach the primary enforces the quota by its own
// counts, does not try the primary at each request, and adds its counts when the primary is back.
func TestQuotaWithoutThePrimary(t *testing.T) {
	t.Parallel()
	l, c := start(t)
	l.away = true
	node := New(l, c.now, 0)
	if n := admitted([]*Counter{node}, OfToken(1), 500, 400); n != 400 || l.statements != 1 {
		t.Errorf("%d requests are admitted, with %d statements", n, l.statements)
	}
	if err := node.Save(t.Context()); err == nil {
		t.Error("nothing was saved, and no error")
	}
	c.advance(awayFor)
	l.away = false
	if n := admitted([]*Counter{node}, OfToken(1), 500, 400); n != 100 {
		t.Errorf("%d more requests are admitted, want 100", n)
	}
	if n := admitted([]*Counter{New(l, c.now, 0)}, OfToken(1), 500, 400); n > 10 {
		t.Errorf("another node admits %d of a quota that is used up", n)
	}
}

// TestSlowPrimary checks that requests go on while a share is being added, up to twice the share, and
// wait then.
func TestSlowPrimary(t *testing.T) {
	t.Parallel()
	l, c := start(t)
	l.entered, l.leave = make(chan struct{}), make(chan struct{})
	node := New(l, c.now, 0)
	const limit, share = 500, 10
	var wg sync.WaitGroup
	wg.Go(func() { admitted([]*Counter{node}, OfToken(1), limit, share) })
	<-l.entered
	if n := admitted([]*Counter{node}, OfToken(1), limit, share); n != share {
		t.Errorf("while a share is added, %d of the next share are admitted", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	left := make(chan bool)
	wg.Go(func() { left <- node.Take(ctx, OfToken(1), limit).OK })
	if !<-left {
		t.Error("a request that waits no longer is refused")
	}
	wg.Go(func() { left <- node.Take(t.Context(), OfToken(1), limit).OK })
	runtime.Gosched()
	select {
	case <-left:
		t.Error("a request over twice the share did not wait")
	default:
	}
	l.leave <- struct{}{} // the first share arrives
	<-l.entered           // the waiting request adds the rest
	l.leave <- struct{}{}
	<-left
	wg.Wait()
	if sum := l.sums[fmt.Sprint(timeline.HourOf(c.now()), " token 1")]; sum < 2*share {
		t.Errorf("%d requests arrived", sum)
	}
}

// TestHourTurnsWhileAShareIsAdded checks that an addition that is answered in the next hour does not change
// the counts of that hour, and that no request waits for ever.
func TestHourTurnsWhileAShareIsAdded(t *testing.T) {
	t.Parallel()
	l, c := start(t)
	l.entered, l.leave = make(chan struct{}), make(chan struct{})
	node := New(l, c.now, 0)
	var wg sync.WaitGroup
	wg.Go(func() { admitted([]*Counter{node}, OfToken(1), 500, 10) })
	<-l.entered
	c.advance(time.Hour)
	if r := node.Take(t.Context(), OfToken(1), 500); !r.OK || r.Left != 499 {
		t.Errorf("the first request of the hour: %+v", r)
	}
	l.leave <- struct{}{}
	wg.Wait()
	if r := node.Take(t.Context(), OfToken(1), 500); !r.OK || r.Left != 498 {
		t.Errorf("the second request of the hour: %+v", r)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for text, k := range map[string]Key{
		"token 12":                   OfToken(12),
		"person 12":                  OfPerson(12),
		"address 192.0.2.1/32":       OfNetwork(netip.MustParsePrefix("192.0.2.1/32")),
		"address 2001:db8:1:2::/64":  OfNetwork(netip.MustParsePrefix("2001:db8:1:2::/64")),
		"address c000:201::/64":      OfNetwork(netip.MustParsePrefix("c000:0201::/64")), // the bits of 192.0.2.1
		"address 255.255.255.255/32": OfNetwork(netip.MustParsePrefix("255.255.255.255/32")),
		"token 9223372036854775807":  OfToken(1<<63 - 1),
	} {
		if k.String() != text {
			t.Errorf("%q, want %q", k, text)
		}
	}
}

// TestAMillionAddresses checks that a million addresses with a request each cost bounded memory and no
// statement, and that of a busy key among them at most a share of the requests is forgotten.
func TestAMillionAddresses(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	l, c := start(t)
	before := heap()
	node := New(l, c.now, 0)
	const limit = 1000
	busy := OfNetwork(netip.MustParsePrefix("192.0.2.1/32"))
	admittedBusy := 0
	for i := range 1_000_000 {
		k := Key{kind: Address, bits: 64, id: uint64(i) << 20}
		if !node.Take(t.Context(), k, limit).OK {
			t.Fatalf("address %d is refused", i)
		}
		if i%500 == 0 && node.Take(t.Context(), busy, limit).OK {
			admittedBusy++
		}
	}
	grown := heap() - before
	t.Logf("%d keys take %d MB; the busy address was admitted %d times, with %d statements", node.Stats().Keys, grown>>20, admittedBusy, l.statements)
	if keys := node.Stats().Keys; keys > DefaultKeys {
		t.Errorf("%d keys are held, %d at most", keys, DefaultKeys)
	}
	if grown > 64<<20 {
		t.Errorf("they take %d MB", grown>>20)
	}
	if l.statements > admittedBusy {
		t.Errorf("%d statements", l.statements)
	}
	if admittedBusy > limit+int(shareOf(limit)) { // it is never evicted after its first requests
		t.Errorf("the busy address was admitted %d times of %d", admittedBusy, limit)
	}
	runtime.KeepAlive(node)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// It counts allocations, so nothing may run beside it.
func TestTakeAllocatesNothing(t *testing.T) {
	l, c := start(t)
	node := New(l, c.now, 0)
	k := OfNetwork(netip.MustParsePrefix("192.0.2.1/32"))
	node.Take(t.Context(), k, 1_000_000)
	if n := testing.AllocsPerRun(1000, func() { node.Take(t.Context(), k, 1_000_000) }); n > 0 {
		t.Errorf("a request takes %v allocations", n)
	}
}

func BenchmarkTake(b *testing.B) {
	l := &ledger{sums: make(map[string]int)}
	node := New(l, time.Now, 0)
	k := OfNetwork(netip.MustParsePrefix("192.0.2.1/32"))
	for b.Loop() {
		node.Take(b.Context(), k, 1_000_000_000)
	}
}
