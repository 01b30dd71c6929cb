package realtime_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

var runs = flag.Int("runs", 15, "how many seeds the random runs of pages and of rogues have, at least")

// TestPagesEndLikeTheirRiver: pages follow a river over links that lose, double and reorder
// frames and break off, while the river changes, ends, forgets and answers the pages' actions.
// At the end each page equals its river, and no page ever went back to an older state.
func TestPagesEndLikeTheirRiver(t *testing.T) {
	happened := counts{}
	happened.untilAll(t, []string{
		"resets", "patches", "resubs", "breaks", "lost", "doubled", "reordered", "answers", "rebuilt", "purged", "removed", "emptied",
	}, func(seed uint64) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			within(t, func(c *realtime.Config) { c.Jitter = nil }, func(b *bench) {
				randomRun(b, rand.New(rand.NewPCG(seed, 17)), happened)
			})
		})
	})
}

// A counts counts the events of a run, so that a test can't pass by doing nothing.
type counts map[string]int

// untilAll calls run with one seed after the other, for as many as the flag says and
// until each of some things has happened.
func (c counts) untilAll(t *testing.T, things []string, run func(seed uint64)) {
	t.Helper()
	racetest.Long(t)
	const most = 100 // seeds, enough for a few of the rarest events
	missing := func(what string) bool { return c[what] == 0 }
	for seed := range uint64(max(*runs, most)) {
		if seed >= uint64(*runs) && !slices.ContainsFunc(things, missing) {
			break
		}
		run(seed)
	}
	t.Log(c)
	for _, what := range things {
		if missing(what) {
			t.Errorf("%q never happened", what)
		}
	}
}

func (c counts) add(more counts) {
	for what, n := range more {
		c[what] += n
	}
}

// randomRun runs one river with three pages.
func randomRun(b *bench, rnd *rand.Rand, happened counts) {
	author := &author{b: b, rnd: rnd, happened: happened, versions: map[timeline.PostID]int{}, clock: 1000}
	for range 20 + rnd.IntN(30) {
		author.write()
	}
	pages := make([]*walker, 3)
	for i := range pages {
		count := []int{25, 5, 100}[i]
		pages[i] = &walker{
			bench: b, rnd: rand.New(rand.NewPCG(rnd.Uint64(), 1)), happened: counts{},
			ending: make(chan struct{}),
			page:   b.visit(everything, "", fmt.Sprintf("?count=%d", count)),
			posts:  make(chan answer, 100), calm: make(chan struct{}), done: make(chan error, 1),
		}
		go func() { pages[i].done <- pages[i].run() }()
	}
	for range 80 {
		time.Sleep(time.Duration(rnd.IntN(400)) * time.Millisecond)
		author.change(pages)
	}
	for _, p := range pages {
		close(p.calm)
	}
	time.Sleep(2 * time.Minute) // beats reach pages that lost the last frame
	for i, p := range pages {
		close(p.ending)
		if err := <-p.done; err != nil {
			b.Errorf("page %d: %v", i, err)
		}
		happened.add(p.happened)
		all := b.rivers.View(everything, river.At{Count: 100_000})
		if why := differs(p.page, all); why != "" {
			b.Errorf("page %d: %s", i, why)
		}
		if count := []int{25, 5, 100}[i]; len(p.page.Order) < min(count, len(all.Entries)) {
			b.Errorf("page %d asked for %d entries and shows %d of %d", i, count, len(p.page.Order), len(all.Entries))
		}
	}
}

// author changes the river.
type author struct {
	b        *bench
	rnd      *rand.Rand
	happened counts
	versions map[timeline.PostID]int
	fresh    map[timeline.PostID]int64
	last     timeline.PostID
	clock    int64
}

// write writes a post.
func (a *author) write() (epoch string, counter int64, shown liveclient.Shown) {
	a.last++
	return a.state(a.last, true)
}

// state gives a post its next state; with bump, the post rises to the top.
func (a *author) state(post timeline.PostID, bump bool) (epoch string, counter int64, shown liveclient.Shown) {
	if a.fresh == nil {
		a.fresh = map[timeline.PostID]int64{}
	}
	if bump {
		a.clock++
		a.fresh[post] = a.clock
	}
	a.versions[post]++
	f := fold(post, a.versions[post], a.fresh[post], fmt.Sprintf("post %d, state %d", post, a.versions[post]))
	epoch, counter = a.b.rivers.Put(everything, f)
	return epoch, counter, liveclient.Shown{Post: int64(post), Tag: livetest.Tag(f), Version: f.Version, Text: f.Text.Text}
}

// any returns a random post, more likely a new one.
func (a *author) any() timeline.PostID {
	return max(1, a.last-timeline.PostID(a.rnd.ExpFloat64()*12))
}

// change makes a random change of the river, by a page or by another person.
func (a *author) change(pages []*walker) {
	for range a.rnd.IntN(3) {
		a.b.rivers.Put(home, fold(1, 1, 1000, "elsewhere")) // the counter rises
	}
	switch n := a.rnd.IntN(100); {
	case n < 25:
		a.state(a.any(), false)
	case n < 45:
		a.state(a.any(), true)
	case n < 60:
		a.write()
	case n < 75: // by the reader of a page; the answer has the change
		p := pages[a.rnd.IntN(len(pages))]
		var ans answer
		if a.rnd.IntN(2) == 0 {
			ans.epoch, ans.counter, ans.shown = a.write()
		} else {
			ans.epoch, ans.counter, ans.shown = a.state(a.any(), a.rnd.IntN(2) == 0)
			ans.known = true
		}
		p.posts <- ans
		a.happened["answers"]++
	case n < 84:
		a.b.rivers.Remove(everything, a.any(), a.any())
		a.happened["removed"]++
	case n < 85: // all entries of the small page, and more
		var all []timeline.PostID
		for _, e := range a.b.rivers.View(everything, river.At{Count: 5 + a.rnd.IntN(15)}).Entries {
			all = append(all, e.Facts.ID)
		}
		a.b.rivers.Remove(everything, all...)
		a.happened["emptied"]++
	case n < 90:
		for range 30 {
			a.state(a.any(), a.rnd.IntN(2) == 0)
		}
	case n < 94:
		a.b.rivers.Purge(everything)
		a.happened["purged"]++
	case n < 97:
		a.b.rivers.Rebuild(everything)
		a.happened["rebuilt"]++
	default:
		for range 40 {
			a.write()
		}
	}
}

// answer is the answer to a POST.
type answer struct {
	epoch   string
	counter int64
	shown   liveclient.Shown
	known   bool // the page has the entry, or ignores it
}

// A walker is a page with a bad link to the server, until the test calls calm.
type walker struct {
	*bench
	rnd      *rand.Rand
	happened counts
	page     *liveclient.Page
	posts    chan answer
	calm     chan struct{}
	done     chan error
	ending   chan struct{}
}

// run follows the river over one connection after another.
func (w *walker) run() error {
	for {
		err := w.connect()
		select {
		case <-w.ending:
			return err
		default:
		}
		if err != nil {
			return err
		}
		w.happened["breaks"]++
		time.Sleep(time.Duration(w.rnd.IntN(1000)) * time.Millisecond)
	}
}

// connect follows the river until the connection ends; an error is a fault.
func (w *walker) connect() error {
	conn, _, err := w.net.Dial(w.Context(), nil)
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	frames := make(chan []byte)
	over, gone := make(chan struct{}), make(chan struct{})
	defer close(over)
	go func() {
		defer close(gone)
		for {
			data, err := liveclient.Read(w.Context(), conn)
			if err != nil {
				return
			}
			select {
			case frames <- data:
			case <-over:
				return
			}
		}
	}()
	asked := time.Now()
	write := func() error {
		asked = time.Now()
		return conn.Write(w.Context(), websocket.MessageText, w.page.Sub())
	}
	if err := write(); err != nil {
		return nil // broke off
	}
	var held []byte // a frame delivered after the next one
	for {
		select {
		case <-gone:
			return nil
		case <-w.ending:
			return nil
		case a := <-w.posts:
			if _, shown := w.page.Entries[a.shown.Post]; shown || !a.known {
				w.page.Answer(a.epoch, a.counter, a.shown)
			}
		case data := <-frames:
			batch, next, broken := w.damage(data, held)
			held = next
			if broken {
				return nil
			}
			for _, data := range batch {
				again, err := w.take(data)
				if err != nil {
					return err
				}
				if again {
					time.Sleep(time.Second - time.Since(asked)) // two frames a second
					if err := write(); err != nil {
						return nil
					}
				}
			}
		}
	}
}

// damage damages a frame as a bad link does. It returns the frames to deliver and the frames to
// hold back. A hello or a reset is a border: a frame sent before the border arrives before it or
// never.
func (w *walker) damage(data, held []byte) (batch [][]byte, hold []byte, broken bool) {
	select {
	case <-w.calm:
		return [][]byte{data}, nil, false
	default:
	}
	if strings.HasPrefix(string(data), `{"type":"hello"`) {
		return [][]byte{data}, nil, false
	}
	border := strings.HasPrefix(string(data), `{"type":"reset"`)
	batch = [][]byte{data}
	if held != nil && !border {
		w.happened["reordered"]++
		batch = append(batch, held)
	}
	switch n := w.rnd.IntN(100); {
	case n < 5:
		w.happened["lost"]++
		if border {
			held = nil
		}
		return nil, held, false
	case n < 10 && held == nil && !border:
		return nil, data, false
	case n < 15:
		w.happened["doubled"]++
		return append(batch, data), nil, false
	case n < 20:
		return nil, nil, true
	}
	return batch, nil, false
}

// take applies a frame to the page, and reports whether the page must subscribe again.
func (w *walker) take(data []byte) (again bool, err error) {
	verdict, f, err := w.page.Take(data)
	switch {
	case err != nil:
		return false, err
	case f.Type == "reset":
		w.happened["resets"]++
	case f.Type == "patch" && verdict == liveclient.Applied:
		w.happened["patches"]++
	}
	if len(w.page.Faults) > 0 {
		return false, errors.New(w.page.Faults[0].String())
	}
	if verdict == liveclient.Resub {
		w.happened["resubs"]++
	}
	return verdict == liveclient.Resub && !w.page.Waiting, nil
}
