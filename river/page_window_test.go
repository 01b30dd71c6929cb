package river

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"amstel.dev/amstel/timeline"
)

// A viewport is an open page that follows the client's rule.
type viewport struct {
	site    *testSite
	at      At
	watch   *Watch
	window  Window
	epoch   string
	counter int64
	shows   []timeline.PostID
	texts   map[timeline.PostID]string
	tags    map[timeline.PostID]string
	twice   []timeline.PostID // put on the page although the page had them unchanged
	blank   bool              // the page was empty at times
}

// viewport opens a page, from its load to its first patch.
func (p *testSite) viewport(key Key, at At) *viewport {
	p.t.Helper()
	v, w := p.opened(key, at)
	o := &viewport{site: p, at: at, watch: w, epoch: v.Epoch, counter: v.Counter, texts: make(map[timeline.PostID]string), tags: make(map[timeline.PostID]string)}
	for i := range v.Entries {
		o.show(len(o.shows), &v.Entries[i])
	}
	o.resume(false)
	return o
}

func (o *viewport) show(i int, e *Entry) {
	o.shows = slices.Insert(o.shows, i, e.Facts.ID)
	o.texts[e.Facts.ID], o.tags[e.Facts.ID] = e.Fold.Text.Text, e.Tag
}

func (o *viewport) resume(poll bool) {
	o.site.t.Helper()
	known := Resume{At: o.at, Epoch: o.epoch, Counter: o.counter, Poll: poll}
	for _, post := range o.shows {
		if !poll {
			known.Have = append(known.Have, Have{post, o.tags[post]})
		}
	}
	patch, window, err := o.watch.Resume(known)
	o.site.must(err)
	o.window = window
	o.apply(patch)
}

// applyPatch applies the changes since the last call, and returns them as a patch.
func (o *viewport) applyPatch() *Patch {
	o.site.t.Helper()
	patch, err := o.watch.Patch(o.counter, o.window)
	o.site.must(err)
	if patch.Filled != nil {
		o.window = *patch.Filled
	}
	o.apply(patch)
	return patch
}

func (o *viewport) apply(p *Patch) {
	o.epoch, o.counter = p.Epoch, p.To
	if p.Reset {
		o.shows = nil
		for i := range p.Entries {
			o.show(i, &p.Entries[i])
		}
	}
	for _, op := range p.Ops {
		if !op.Gone && slices.Contains(o.shows, op.Post) && o.tags[op.Post] == op.Entry.Tag {
			o.twice = append(o.twice, op.Post)
		}
		o.shows = slices.DeleteFunc(o.shows, func(id timeline.PostID) bool { return id == op.Post })
		if op.Gone {
			continue
		}
		i := slices.Index(o.shows, op.After) + 1
		if op.After != 0 && i == 0 {
			o.site.t.Errorf("an op stands after %d, which the page does not have", op.After)
		}
		o.show(i, op.Entry)
	}
	o.blank = o.blank || len(o.shows) == 0
}

func (o *viewport) read() (all []string) {
	for _, post := range o.shows {
		all = append(all, o.texts[post])
	}
	return all
}

// numbered writes posts "1", "2" and so on.
func (p *testSite) numbered(author string, n int) (ids []timeline.PostID) {
	p.t.Helper()
	for i := range n {
		ids = append(ids, p.post(author, fmt.Sprint(i+1)))
	}
	return ids
}

func (p *testSite) erase(author string, posts ...timeline.PostID) {
	p.t.Helper()
	for _, post := range posts {
		p.must(p.store.DeletePost(p.t.Context(), p.user(author), post))
	}
}

// TestWindowThatLosesEntriesIsFilledFromBelow: when entries leave an open page, older entries
// appear at its bottom, in order, each once.
func TestWindowThatLosesEntriesIsFilledFromBelow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		at    func(all []Entry) At
		leave []int
		want  []string
	}{
		{"all", func([]Entry) At { return At{Count: 3} }, []int{8, 7, 6}, []string{"5", "4", "3"}},
		{"one", func([]Entry) At { return At{Count: 3} }, []int{7}, []string{"8", "6", "5"}},
		{"the lowest", func([]Entry) At { return At{Count: 3} }, []int{6}, []string{"8", "7", "5"}},
		{"more than the page shows", func([]Entry) At { return At{Count: 3} }, []int{8, 7, 6, 5, 4, 3}, []string{"2", "1"}},
		{"of a page by number", func([]Entry) At { return At{Count: 3, Skip: 2} }, []int{6, 5}, []string{"4", "3", "2"}},
		{"of a page that ends above an entry", func(all []Entry) At {
			return At{Count: 3, After: all[4].Cursor}
		}, []int{8, 7, 6}, []string{"5"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newTestSite(t, "ann", "bob")
			ids := p.numbered("bob", 8)
			o := p.viewport(everything(0), test.at(p.visitAll(everything(0)))) // the river holds them all
			var leave []timeline.PostID
			for _, n := range test.leave {
				leave = append(leave, ids[n-1])
			}
			p.erase("bob", leave...)
			p.sync()
			o.applyPatch()
			want(t, "the page", o.read(), test.want...)
			if len(o.twice) > 0 {
				t.Errorf("the page was given twice: %v", o.twice)
			}
			if patch := o.applyPatch(); len(patch.Ops) > 0 {
				t.Errorf("a page that is filled is told %d ops more", len(patch.Ops))
			}
			newer := p.post("bob", "9")
			p.like("ann", newer)
			p.sync()
			if o.applyPatch(); o.at.Skip == 0 {
				want(t, "the page", o.read(), append([]string{"9"}, test.want...)...)
			}
			shown := o.read()
			o.resume(false) // the page's entries determine its window
			want(t, "the page that comes back", o.read(), shown...)
		})
	}
}

// TestWindowBelowWhichNothingIsHeldIsFilledByExtension: if the river holds too few
// entries, the page gets the rest after the river was extended.
func TestWindowBelowWhichNothingIsHeldIsFilledByExtension(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	ids := p.numbered("bob", 60)
	o := p.viewport(everything(0), At{})
	p.node.mu.RLock()
	held := len(o.watch.rv.order)
	p.node.mu.RUnlock()
	if held >= 45 {
		t.Fatalf("the river holds %d entries: nothing is shown", held)
	}
	polls := p.viewport(everything(0), At{})
	builds := p.node.Stats().Builds
	p.erase("bob", ids[40:]...)
	for range 3 {
		p.waitSettled()
		o.applyPatch()
		polls.resume(true)
	}
	var all []string
	for n := 40; n > 15; n-- {
		all = append(all, fmt.Sprint(n))
	}
	want(t, "the page", o.read(), all...)
	want(t, "the page that polls", polls.read(), all...)
	if n := p.node.Stats().Builds - builds; n != 1 {
		t.Errorf("the river was extended %d times", n)
	}
	p.erase("bob", ids[:40]...)
	for range 3 {
		p.waitSettled()
		o.applyPatch()
	}
	want(t, "the page without posts", o.read())
	p.post("bob", "61")
	p.sync()
	o.applyPatch()
	want(t, "the page", o.read(), "61")
}

// TestShortPageIsNotExtendedWithoutALoss: a page may be short from the start, because a
// visit looks at a limited number of posts. Such a page costs no builds.
func TestShortPageIsNotExtendedWithoutALoss(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.must(p.store.Ban(t.Context(), p.user("bob"), "ann"))
	p.numbered("eve", 1)
	p.numbered("bob", 300)
	p.stop()
	p.set.Candidates = 2
	p.start()
	o := p.viewport(everything(p.user("ann")), At{})
	builds := p.node.Stats().Builds
	for i := range 5 {
		p.post("eve", fmt.Sprint("more ", i))
		p.waitSettled()
		o.applyPatch()
	}
	p.node.mu.RLock()
	finished := o.watch.rv.finished
	p.node.mu.RUnlock()
	if n := p.node.Stats().Builds - builds; n > 0 || finished || len(o.shows) != 5 {
		t.Errorf("%d builds for a page of which nothing left, which shows %v; the river is finished: %v", n, o.read(), finished)
	}
}

// TestPageThatComesBackIsFilled: a page loses entries while it sleeps. Older entries fill it when
// it connects, whether it names its entries, names none, or polls.
func TestPageThatComesBackIsFilled(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	ids := p.numbered("bob", 12)
	p.visitAll(everything(0))
	asleep, part, polls := p.viewport(everything(0), At{Count: 3}), p.viewport(everything(0), At{Count: 3}), p.viewport(everything(0), At{Count: 3})
	part.resume(false)
	p.erase("bob", ids[11], ids[10])
	p.sync()
	part.applyPatch()
	polls.resume(true)
	want(t, "the page that polls", polls.read(), "10", "9", "8")
	p.erase("bob", ids[9])
	p.sync()
	for _, o := range []*viewport{asleep, part} {
		o.resume(false)
		want(t, "the page that slept", o.read(), "9", "8", "7")
	}
	polls.resume(true)
	want(t, "the page that polls", polls.read(), "9", "8", "7")
	// A page without entries that received all changes.
	blank := p.viewport(everything(0), At{Count: 3})
	blank.shows = nil
	blank.resume(false)
	want(t, "the page that had nothing", blank.read(), "9", "8", "7")
}

// TestReplyIsNotPushedWhileItsRiverIsSwept: an entry that became a reply by a
// change of the viewer's sets leaves a page without replies at once, and is not
// shown on it by any turn of the sweep.
func TestReplyIsNotPushedWhileItsRiverIsSwept(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve", "dan")
	p.follow("ann", "bob")
	p.follow("ann", "eve")
	p.follow("ann", "dan")
	reply := p.post("bob", "becomes a reply")
	p.comment("eve", reply, "indeed")
	p.numbered("dan", 9)
	p.stop()
	p.set.chunk = 3 // so that the sweep takes several turns
	var page atomic.Pointer[viewport]
	sweeping := 0
	p.faults.turn = func() error { // between any two turns
		if o := page.Load(); o != nil {
			o.applyPatch()
			if o.watch.rv.stale == 0 {
				return nil
			}
			if sweeping++; slices.Contains(o.shows, reply) {
				t.Errorf("in turn %d of the sweep the page without replies shows %v", sweeping, o.read())
			}
		}
		return nil
	}
	p.start()
	p.visitAll(p.home("ann"))
	o := p.viewport(p.home("ann"), At{Count: 50, NoReplies: true})
	with := p.viewport(p.home("ann"), At{Count: 50})
	if len(o.shows) != 10 || o.shows[9] != reply {
		t.Fatalf("the page shows %v", o.read())
	}
	page.Store(o)
	p.must(p.store.Unsubscribe(t.Context(), p.user("ann"), timeline.FeedName{Name: "bob"}))
	p.waitSettled()
	page.Store(nil)
	p.sync()
	o.applyPatch()
	with.applyPatch()
	if sweeping == 0 || slices.Contains(o.shows, reply) || len(o.shows) != 9 {
		t.Errorf("after %d turns of a sweep the page without replies shows %v", sweeping, o.read())
	}
	if !slices.Contains(with.shows, reply) {
		t.Errorf("the page with replies shows %v", with.read())
	}
}

// TestPageWithoutEntriesIsToldWhatIsNotHeld connects a page without entries that reaches below the
// held entries of its river: a numbered page past the end, or a page after a reset. The page gets
// the entries from the primary.
func TestPageWithoutEntriesIsToldWhatIsNotHeld(t *testing.T) {
	long(t)
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	p.set.Deepest = 8 // a first visit has the river hold 26
	var drop atomic.Bool
	p.faults.turn = func() error { // in the loop, which owns the state
		if drop.CompareAndSwap(true, false) {
			p.node.resetLog("a test", nil)
		}
		return nil
	}
	p.start()
	p.numbered("bob", 30)
	p.sync()
	key := everything(p.user("ann"))
	o := p.viewport(key, At{Skip: 30, Count: 2})
	want(t, "the page past the end", o.read())
	p.post("bob", "31")
	p.sync()
	o.resume(false)
	want(t, "the page past the end, after a post", o.read(), "1")
	if o.window.High != o.window.Low {
		t.Errorf("the page that the river does not hold is followed: %+v", o.window)
	}
	above, err := p.node.FromPrimary(t.Context(), key, At{Count: 28})
	p.must(err)
	for name, test := range map[string]struct {
		at       At
		followed bool
		want     []string
	}{
		"far down":        {at: At{Before: *above.Older, Count: 2}, want: []string{"3", "2"}},
		"past the end":    {at: At{Skip: 40, Count: 2}},
		"below the end":   {at: At{StartFrom: 1, Count: 2}},
		"at the top":      {at: At{Count: 2}, followed: true, want: []string{"31", "30"}},
		"at a number":     {at: At{Skip: 2, Count: 1}, followed: true, want: []string{"29"}},
		"above an entry":  {at: At{After: above.Entries[1].Cursor}, followed: true, want: []string{"31"}},
		"above the floor": {at: At{After: above.Entries[27].Cursor, Skip: 20, Count: 3}, followed: true, want: []string{"11", "10", "9"}},
	} {
		patch, window, err := o.watch.Resume(Resume{At: test.at})
		p.must(err)
		want(t, name, texts(patch.Entries), test.want...)
		if followed := window.High != window.Low; followed != test.followed {
			t.Errorf("%s: the window is %+v, want it followed: %v", name, window, test.followed)
		}
	}
	// A turn under way continues with the epoch it has read.
	for err = nil; err == nil; _, _, err = o.watch.Resume(Resume{At: o.at}) {
		drop.Store(true)
		p.sync()
	}
	if !errors.Is(err, ErrGone) {
		t.Errorf("a page of a river that ended is told %v", err)
	}
}
