package realtime_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestFirstChangeAtOnceThenCoalesced(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		synctest.Wait()
		time.Sleep(time.Second)
		began := time.Now()
		b.rivers.Put(everything, fold(1, 2, 1000, "liked"))
		if f := c.next(); f.Type != "patch" || len(f.Ops) != 1 || time.Since(began) != 0 {
			t.Errorf("the first change came after %v as %+v", time.Since(began), f)
		}
		for i := range 100 { // in no time
			b.rivers.Put(everything, fold(1, 3+i, 1000, fmt.Sprintf("liked %d times", i)))
		}
		if f := c.next(); len(f.Ops) != 1 || time.Since(began) != 200*time.Millisecond {
			t.Errorf("the next came after %v as %d ops", time.Since(began), len(f.Ops))
		}
		c.same(everything)
		if got := c.page.Entries[1].Text; got != "liked 99 times" {
			t.Errorf("post 1 is %q", got)
		}
	})
}

func TestReadersOfOnePageShareOneFrame(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 30)
		const readers, changes = 50, 4
		clients := make([]*client, readers)
		for i := range clients {
			clients[i] = b.open(everything, "", "")
		}
		synctest.Wait()
		before := b.server.Stats()
		for i := range changes {
			time.Sleep(time.Second)
			b.rivers.Put(everything, fold(20, 2+i, 20_000, fmt.Sprintf("state %d", i)), fold(timeline.PostID(100+i), 1, int64(100_000+i), "new"))
			for _, c := range clients {
				c.next()
			}
		}
		for _, c := range clients {
			c.same(everything)
		}
		synctest.Wait()
		after := b.server.Stats()
		if got := after.Composed - before.Composed; got != changes {
			t.Errorf("%d frames composed for %d changes", got, changes)
		}
		if got := after.Rendered - before.Rendered; got != 2*changes {
			t.Errorf("%d entries drawn for %d", got, 2*changes)
		}
		if got := after.Frames - before.Frames; got != readers*changes {
			t.Errorf("%d frames written, want %d", got, readers*changes)
		}
		if after.Hubs != 1 || after.Sockets != readers {
			t.Errorf("%d hubs, %d sockets", after.Hubs, after.Sockets)
		}
	})
}

// TestPagesOpenedAtAnyTimeShareOneFrame opens pages of one river at different counters: other
// changes on the node raise the counter, so each page has a counter of its own. All pages get
// the same frame.
func TestPagesOpenedAtAnyTimeShareOneFrame(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 30)
		const readers = 60
		elsewhere := func(n int) { b.rivers.Put(home, fold(1, n, 1000, "elsewhere")) }
		var clients []*client
		for i := range readers {
			clients = append(clients, b.open(everything, "", ""))
			elsewhere(2 + i)
			if i%3 == 0 {
				clients[i].write(`{"type":"vis","hidden":true}`)
			}
		}
		// told makes the pages of a kind read a patch, and waits until the round is over,
		// because each state of the node at which a round finds waiting pages costs a frame.
		told := func(hidden bool) {
			for i, c := range clients {
				if i%3 == 0 == hidden {
					c.nextPatch()
					c.same(everything)
				}
			}
			synctest.Wait()
		}
		change := func(n int) (composed, drawn int64) {
			time.Sleep(6 * time.Second)
			b.rivers.Put(everything, fold(20, 2*n, 20_000, "told to all at once"))
			told(false)
			told(true)
			time.Sleep(time.Second)
			before := b.server.Stats()
			b.rivers.Put(everything, fold(20, 2*n+1, 20_000, "told to hidden pages later"))
			told(false)
			for i := range readers {
				elsewhere(1000*n + i)
			}
			told(true)
			after := b.server.Stats()
			return after.Composed - before.Composed, after.Rendered - before.Rendered
		}
		for n := range 3 {
			if composed, drawn := change(1 + n); composed != 2 || drawn != 1 {
				t.Errorf("change %d was composed %d times, and drawn %d", n, composed, drawn)
			}
		}
		// The reset of a rebuilt river is composed once too.
		before := b.server.Stats().Composed
		b.rivers.Rebuild(everything)
		for _, c := range clients {
			for c.next().Type != "reset" {
			}
			c.same(everything)
		}
		if composed := b.server.Stats().Composed - before; composed > 2 {
			t.Errorf("a new river was composed %d times", composed)
		}
	})
}

// TestPagesOlderThanAPurgeGetAReset: the river is purged after each page but the last was opened,
// so it does not know the changes since their counters. These pages get a reset, composed once for
// all, and the last page gets a patch.
func TestPagesOlderThanAPurgeGetAReset(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 30)
		clients := []*client{b.open(everything, "", "")}
		for i := range 10 {
			b.rivers.Put(home, fold(1, 2+i, 1000, "elsewhere"))
			b.rivers.Purge(everything)
			clients = append(clients, b.open(everything, "", ""))
		}
		before := b.server.Stats().Composed
		_, opened := b.rivers.Watches()
		b.rivers.Put(everything, fold(20, 2, 20_000, "changed"))
		for i, c := range clients {
			f := c.next()
			if want := map[bool]string{true: "patch", false: "reset"}[i == len(clients)-1]; f.Type != want {
				t.Errorf("page %d is told by a %s", i, f.Type)
			}
			c.same(everything)
		}
		if after := b.server.Stats().Composed; after-before > 4 {
			t.Errorf("composed %d times", after-before)
		}
		if _, after := b.rivers.Watches(); after != opened {
			t.Errorf("a river that lives was opened %d times more", after-opened)
		}
	})
}

func TestChangesOutsideThePageAreNotSent(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 30)
		c := b.open(everything, "", "?count=10")
		b.rivers.Put(everything, fold(3, 2, 3000, "below the page"))
		time.Sleep(time.Second)
		b.rivers.Remove(everything, 4)
		b.rivers.Put(river.Key{What: river.KindUser, TheirID: 7}, fold(900, 1, 900_000, "another river"))
		c.silent(10 * time.Second)
	})
}

func TestEntryThatSinksBelowThePageLeavesIt(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 30)
		c := b.open(everything, "", "?count=10")
		b.rivers.Put(everything, fold(25, 2, 500, "its only comment was deleted"))
		if f := c.next(); len(f.Ops) != 2 || !f.Ops[0].Gone || f.Ops[1].Post != 20 || *f.Ops[1].After != 21 {
			t.Errorf("got %+v", f)
		}
		b.rivers.Put(everything, fold(2, 2, 90_000, "commented"))
		if f := c.next(); len(f.Ops) != 1 || f.Ops[0].After != nil || f.Ops[0].Post != 2 {
			t.Errorf("got %+v", f)
		}
		c.same(everything)
	})
}

// TestPagesThatAreEmptiedAreFilledByOneFrame: one frame for all pages has the removals and the
// older entries that fill the pages from below. Later changes of these entries arrive too.
func TestPagesThatAreEmptiedAreFilledByOneFrame(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 30)
		clients := make([]*client, 20)
		for i := range clients {
			clients[i] = b.open(everything, "", "?count=3")
		}
		synctest.Wait()
		before := b.server.Stats().Composed
		b.rivers.Remove(everything, 30, 29, 28)
		for _, c := range clients {
			if f := c.next(); len(f.Ops) != 6 || len(c.page.Order) != 3 || c.page.Order[0] != 27 {
				t.Errorf("got %+v, and shows %v", f, c.page.Order)
			}
			c.same(everything)
		}
		if composed := b.server.Stats().Composed - before; composed != 1 {
			t.Errorf("composed %d times", composed)
		}
		time.Sleep(time.Second)
		b.rivers.Put(everything, fold(25, 2, 25_000, "the lowest that came from below"))
		for _, c := range clients {
			if f := c.next(); len(f.Ops) != 1 || f.Ops[0].Post != 25 {
				t.Errorf("got %+v", f)
			}
			c.same(everything)
		}
		if composed := b.server.Stats().Composed - before; composed != 2 {
			t.Errorf("composed %d times", composed)
		}
	})
}

func TestHiddenPagesAreToldLater(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		time.Sleep(time.Second)
		c.write(`{"type":"vis","hidden":true}`)
		synctest.Wait()
		began := time.Now()
		for i := range 10 {
			b.rivers.Put(everything, fold(9, 2+i, 9000, "more"))
			time.Sleep(300 * time.Millisecond)
		}
		c.nextPatch()
		if d := time.Since(began); d < 3*time.Second || d > 6*time.Second {
			t.Errorf("a hidden page was told after %v", d)
		}
		b.rivers.Put(everything, fold(9, 20, 9000, "last"))
		synctest.Wait()
		began = time.Now()
		c.write(`{"type":"vis","hidden":false}`)
		c.nextPatch()
		if d := time.Since(began); d != 0 {
			t.Errorf("a page that is shown again was told after %v", d)
		}
		c.same(everything)
	})
}

// nextPatch reads up to a patch.
func (c *client) nextPatch() *liveclient.Frame {
	c.Helper()
	for {
		if f := c.next(); f.Type == "patch" {
			return f
		}
	}
}

func TestBeatOnASilentSocket(t *testing.T) {
	within(t, func(c *realtime.Config) { c.Jitter = func() float64 { return 0 } }, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		began := time.Now()
		for i := range 3 {
			f := c.next()
			if want := time.Duration(i+1) * 20 * time.Second; f.Type != "beat" || f.Counter != 2 || time.Since(began) != want {
				t.Errorf("after %v, want %v: %+v", time.Since(began), want, f)
			}
		}
		time.Sleep(10 * time.Second)
		b.rivers.Put(everything, fold(9, 1, 9000, "not silent"))
		c.nextPatch()
		began = time.Now()
		if f := c.next(); f.Type != "beat" || f.Counter != 3 || time.Since(began) != 20*time.Second {
			t.Errorf("after %v: %+v", time.Since(began), f)
		}
	})
}

func TestRiverThatEndsSendsItsPagesAReset(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c, d := b.open(everything, "", ""), b.open(everything, "", "")
		before := b.server.Stats().Composed
		b.rivers.Rebuild(everything, fold(4, 1, 4000, "new"))
		for _, c := range []*client{c, d} {
			for c.next().Type != "reset" {
			}
			c.same(everything)
			if c.page.Epoch != "epoch-2" {
				t.Errorf("the page's epoch is %q", c.page.Epoch)
			}
		}
		if got := b.server.Stats().Composed - before; got != 1 {
			t.Errorf("composed %d times", got)
		}
		b.rivers.Put(everything, fold(4, 2, 4000, "changed"))
		c.nextPatch()
		c.same(everything)
	})
}

func TestTombstonesGoneUnderAnOpenPage(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		b.rivers.Put(river.Key{What: river.KindUser}, fold(50, 1, 1, "elsewhere")) // the counter rises
		b.rivers.Purge(everything)
		b.rivers.Remove(everything, 2)
		for c.next().Type != "reset" {
		}
		c.same(everything)
	})
}

func TestAWatchThatEndsTakesNothingFromThePage(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 30)
		c := b.open(everything, "", "?count=5")
		for i := range 10 {
			b.rivers.Put(everything, fold(timeline.PostID(100+i), 1, int64(100_000+i), "new"))
			c.nextPatch()
			time.Sleep(time.Second)
		}
		b.rivers.End(everything)
		b.rivers.Put(everything, fold(26, 2, 26_000, "the lowest of fifteen"))
		if f := c.nextPatch(); len(f.Ops) != 1 || f.Ops[0].Post != 26 {
			t.Errorf("got %+v", f)
		}
		c.same(everything)
	})
}

// TestEntryThatShowsAgainWhatItShowedIsSentWithItsNewVersion changes a post and takes
// the change back, as a comment and its deletion do. The entry then has its first tag
// again, for which the hub remembers the first version.
func TestEntryThatShowsAgainWhatItShowedIsSentWithItsNewVersion(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		clients := []*client{b.open(everything, "", ""), b.open(everything, "", "")} // nothing is kept for a single page
		tags := make(map[string]bool)
		for version := 2; version <= 5; version++ {
			time.Sleep(time.Second)
			b.rivers.Put(everything, fold(2, version, 2000, []string{"as it was", "liked"}[version%2]))
			for i, c := range clients {
				f := c.nextPatch()
				if len(f.Ops) != 1 || f.Ops[0].Entry == nil {
					t.Fatalf("page %d is told %+v of version %d, want the entry", i, f.Ops, version)
				}
				if got := f.Ops[0].Entry.Version; got != version {
					t.Errorf("page %d is told version %d, want %d", i, got, version)
				}
				tags[f.Ops[0].Tag] = true
				c.same(everything)
			}
		}
		if len(tags) != 2 {
			t.Errorf("%d tags for two contents: %v", len(tags), tags)
		}
	})
}

// A placeRender renders the place of an entry as its text.
type placeRender struct{ livetest.Render }

func (placeRender) EntryJSON(_ *timeline.Sets, e *river.Entry, _ realtime.Users, _ realtime.Groups) json.RawMessage {
	text, err := json.Marshal(liveclient.Shown{Post: int64(e.Fold.Post), Version: e.Fold.Version, Text: e.Cursor.String()})
	if err != nil {
		panic(err)
	}
	return text
}

// TestEntryThatOnlyMovedIsSentWithItsNewPlace moves an entry without changing its version or
// tag, as a ranking does.
func TestEntryThatOnlyMovedIsSentWithItsNewPlace(t *testing.T) {
	within(t, func(c *realtime.Config) { c.Render = placeRender{} }, func(b *bench) {
		b.fill(everything, 3)
		clients := []*client{b.open(everything, "", ""), b.open(everything, "", "")} // nothing is kept for a single page
		for _, at := range []int64{5000, 6000} {
			time.Sleep(time.Second)
			b.rivers.Put(everything, fold(1, 1, at, "post 1"))
			want := timeline.Cursor{FreshAt: at, Post: 1}.String()
			for i, c := range clients {
				if f := c.nextPatch(); len(f.Ops) != 1 || f.Ops[0].Entry == nil || f.Ops[0].Entry.Text != want {
					t.Errorf("page %d is told %+v, want post 1 at %s", i, f.Ops, want)
				}
			}
		}
	})
}
