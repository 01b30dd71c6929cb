package realtime

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestPace(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, tt := range []struct {
		name        string
		costs, want []time.Duration
		told        []time.Duration
	}{
		{"short rounds change nothing", []time.Duration{0, 10 * ms, 99 * ms}, []time.Duration{200 * ms, 200 * ms, 200 * ms}, nil},
		{"one long round doubles it at most", []time.Duration{4000 * ms, 0}, []time.Duration{400 * ms, 200 * ms}, []time.Duration{400 * ms, 200 * ms}},
		{"a little more is not told", []time.Duration{150 * ms, 150 * ms, 0}, []time.Duration{300 * ms, 300 * ms, 200 * ms}, nil},
		{"long rounds stretch it to its most",
			slices.Repeat([]time.Duration{9000 * ms}, 6),
			[]time.Duration{400 * ms, 800 * ms, 1600 * ms, 3200 * ms, 5000 * ms, 5000 * ms},
			[]time.Duration{400 * ms, 800 * ms, 1600 * ms, 3200 * ms}},
		{"it comes back by halves",
			[]time.Duration{9000 * ms, 9000 * ms, 0, 0, 0},
			[]time.Duration{400 * ms, 800 * ms, 400 * ms, 200 * ms, 200 * ms},
			[]time.Duration{400 * ms, 800 * ms, 200 * ms}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPace(200*ms, 5000*ms)
			var got, told []time.Duration
			for _, cost := range tt.costs {
				p.adjust(cost)
				got = append(got, p.now)
				if p.announce() {
					told = append(told, p.told)
				}
			}
			if !slices.Equal(got, tt.want) || !slices.Equal(told, tt.told) {
				t.Errorf("paces %v, told %v; want %v, %v", got, told, tt.want, tt.told)
			}
		})
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	r := rateLimit{times: make([]int64, 2)}
	for i, tt := range []struct {
		at   time.Duration
		many bool
	}{
		{0, false}, {0, false}, {0, true}, {999 * time.Millisecond, true},
		{time.Second, false}, {1999 * time.Millisecond, false}, {2000 * time.Millisecond, false}, {2001 * time.Millisecond, true},
	} {
		if many := r.exceeded(int64(tt.at)); many != tt.many {
			t.Errorf("frame %d at %v: %v", i, tt.at, many)
		}
	}
}

// A countedWatch is an open river from which a post leaves at each counter.
type countedWatch struct {
	Watch
	counter int64
}

func (w *countedWatch) Epoch() string                { return "epoch" }
func (w *countedWatch) Counter() int64               { return w.counter }
func (w *countedWatch) Unread() (river.Unread, bool) { return river.Unread{}, false }

func (w *countedWatch) Patch(from int64, _ river.Window) (*river.Patch, error) {
	p := &river.Patch{Epoch: "epoch", From: from, To: w.counter}
	for post := from + 1; post <= w.counter; post++ {
		p.Ops = append(p.Ops, river.Op{Post: timeline.PostID(post), Gone: true})
	}
	return p, nil
}

// TestRoundAllocatesNothingForItsSockets: a change is written to a thousand sockets with the allocations of its one frame,
// as it is written to ten.
func TestRoundAllocatesNothingForItsSockets(t *testing.T) {
	if testing.Short() {
		t.Skip("counts allocations, and the short tests are compiled without inlining")
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer nowhere.Close()
	raw, err := nowhere.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	allocations := func(sockets int) float64 {
		server := New(Config{Jitter: func() float64 { return 0 }})
		w := &countedWatch{counter: 1}
		h := newHub(server, river.Key{What: river.KindEverything}, w)
		defer h.stop()
		state := &pageState{view: view{as: AsHTML, epoch: "epoch"}, counter: 1}
		for range sockets {
			h.add(&socket{server: server, hub: h, conn: new(websocket.Conn), state: state, pace: h.pace.Load(), wire: wire{raw: raw, lock: make(chan struct{}, 1)}})
		}
		const rounds = 20
		n := testing.AllocsPerRun(rounds, func() { w.counter++; h.round(false) })
		if frames, want := server.stats.frames.Load(), int64(sockets*(rounds+1)); frames != want {
			t.Errorf("%d frames were written to %d sockets, want %d", frames, sockets, want)
		}
		return n
	}
	few, many := allocations(10), allocations(1000)
	// 25 and 40: access is checked for each few sockets.
	if few > 50 || many > few+1000/socketsAtOnce+1 {
		t.Errorf("a round takes %v allocations with ten sockets, and %v with a thousand", few, many)
	}
}
