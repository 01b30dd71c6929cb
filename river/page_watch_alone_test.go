package river

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
)

// An alone is an open river of a node without a primary. Its counter is 99. Viewer 1 sees the posts
// 9, 8, 7, 6 and 5 at 50, 40, 30, 20 and 10, which are by person 2 in their public feed, timeline 10, and
// changed last at 1. The river goes down to 10, and another client has the slots in which more could be read.
type alone struct {
	n  *Node
	st *state
	rv *river
	w  *Watch
}

func newAlone(t *testing.T, key Key) *alone {
	t.Helper()
	a := &alone{st: newState()}
	a.st.checks, a.st.counter = checks{}, 99
	a.st.viewers[1] = &viewer{sets: &timeline.Sets{User: 1}, rivers: make(map[*river]bool)}
	a.st.timelines[10] = timeline.Timeline{ID: 10, What: timeline.WhatUser, TheirID: 2, Access: timeline.AccessPublic}
	a.rv = &river{id: 1, key: key, epoch: "epoch", wants: map[timeline.TimelineID]bool{10: true}, floor: cursorAt(5, 10)}
	a.rv.sorted = timeline.OrderFresh
	a.st.add(a.rv)
	for post := timeline.PostID(5); post <= 9; post++ {
		a.add(post, 10*int64(post-4))
	}
	a.n = &Node{st: a.st, ring: make(chan struct{}, 1), next: make(chan struct{})}
	a.n.cfg.Settings.setDefaults()
	a.n.cfg.checks, a.n.cfg.hooks = checks{}, buildsFail{}
	a.n.cfg.Now = func() time.Time { return time.UnixMilli(5000) }
	a.n.start = time.Now()
	a.n.lastBegan.Store(1)
	a.n.life, a.n.end = context.WithCancel(t.Context())
	a.n.builds.open(&a.n.cfg.Settings)
	a.n.builds.members.builds = turnstile.New(turnstile.Config{Slots: 1, Each: 1, Waiting: 1})
	a.n.builds.members.unkept = turnstile.New(turnstile.Config{Slots: 1, Each: 1, Waiting: 1})
	t.Cleanup(func() {
		a.n.end()
		a.n.builds.wait()
	})
	for _, of := range []*turnstile.Turnstile{a.n.builds.members.builds, a.n.builds.members.unkept} {
		leave, err := of.Enter(t.Context(), "another client")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(leave)
	}
	a.w = &Watch{node: a.n, rv: a.rv, c: make(chan struct{}, 1)}
	put(&a.rv.watches, a.w, true)
	a.rv.watching.Store(1)
	return a
}

// buildsFail are hooks of a node without a primary: no build begins.
type buildsFail struct{}

func (buildsFail) reached(at point) error {
	if at == pointRegistered {
		return errors.New("there is no primary")
	}
	return nil
}

func (buildsFail) handles(string, []timeline.PostID) {}

// add puts a post into the river.
func (a *alone) add(post timeline.PostID, ms int64) *entry {
	h := heldWith(post, &timeline.Fold{Post: post, Author: 2}, nil)
	h.facts = &timeline.Facts{ID: post, Author: 2, FreshAt: ms, Places: []timeline.TimelineID{10}, In: []timeline.TimelineID{10}, Entered: []int64{ms}}
	h.changed = 1
	a.st.held[post] = h
	e := &entry{post: h, cursor: cursorAt(post, ms), changed: 1, moved: 1, decided: 1, known: 1}
	a.rv.insert(e)
	h.entries = map[*river]*entry{a.rv: e}
	return e
}

// entry returns the entry of a post.
func (a *alone) entry(post timeline.PostID) *entry { return a.st.entryOf(a.rv, post) }

// hide takes the right to read posts from their readers, and does not decide the entries again.
func (a *alone) hide(posts ...timeline.PostID) {
	for _, post := range posts {
		facts := *a.entry(post).post.facts
		facts.Deleted = true
		a.entry(post).post.facts = &facts
	}
}

// liked changes the shared fold of a post.
func (a *alone) liked(post timeline.PostID, at int64) { a.entry(post).post.changed = at }

// reply makes an entry one that only a comment brought.
func (a *alone) reply(post timeline.PostID) {
	a.entry(post).reasons = ReasonsOf(Reason{timeline.WhatUserComments, 3})
}

// have returns what a page shows of some posts: as they are now, or of "7!" an older form.
func (a *alone) have(shows string) (have []Have) {
	for one := range strings.FieldsSeq(shows) {
		var post timeline.PostID
		old := strings.HasSuffix(one, "!")
		_, _ = fmt.Sscan(strings.TrimSuffix(one, "!"), &post)
		h := Have{Post: post, Tag: "old"}
		if e := a.entry(post); e != nil && !old {
			h.Tag = a.st.compose(a.rv, e, a.st.newCardCollector()).Tag
		}
		have = append(have, h)
	}
	return have
}

// building returns to how many entries a waiting extension extends the river; 0: none waits.
func (a *alone) building() int {
	a.n.builds.mu.Lock()
	defer a.n.builds.mu.Unlock()
	if b := a.n.builds.under[buildID{a.rv.key, a.rv.floor}]; b != nil {
		return b.need
	}
	return 0
}

// inWords returns what a patch does, as in "7 after 8; 5 gone".
func inWords(p *Patch) string {
	var all []string
	for _, op := range p.Ops {
		switch {
		case op.Gone:
			all = append(all, fmt.Sprint(op.Post, " gone"))
		case op.After == 0:
			all = append(all, fmt.Sprint(op.Post, " first"))
		default:
			all = append(all, fmt.Sprint(op.Post, " after ", op.After))
		}
		if !op.Gone && op.Entry.Facts.ID != op.Post {
			all = append(all, "of another post")
		}
	}
	if p.Reset {
		all = append(all, "reset to")
		for _, e := range p.Entries {
			all = append(all, fmt.Sprint(e.Facts.ID))
		}
	}
	return strings.Join(all, "; ")
}

// TestWindowIsFilledDownToItsCount: the window of a page down to 30 is extended to the number of entries that the page
// asks for.
func TestWindowIsFilledDownToItsCount(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		window Window
		change func(*alone)
		low    timeline.Cursor
		short  bool
	}{
		{"in another order", Window{Still: true, Count: 5}, nil, cursorAt(7, 30), false},
		{"without a count", Window{}, nil, cursorAt(7, 30), false},
		{"down to its bottom", Window{Count: 5, Bottom: cursorAt(7, 30)}, nil, cursorAt(7, 30), false},
		{"with all it asks for", Window{Count: 3}, nil, cursorAt(7, 30), false},
		{"with more than it asks for", Window{Count: 1}, nil, cursorAt(7, 30), false},
		{"with one too few", Window{Count: 4}, nil, cursorAt(6, 20), false},
		{"an entry left", Window{Count: 3}, func(a *alone) { a.hide(8) }, cursorAt(6, 20), false},
		{"a page without replies", Window{Count: 3, NoReplies: true}, func(a *alone) { a.reply(8); a.reply(6) }, cursorAt(5, 10), false},
		{"below another page", Window{Count: 3, High: cursorAt(8, 40)}, nil, cursorAt(5, 10), false},
		{"the river holds too few", Window{Count: 9}, nil, cursorAt(5, 10), true},
		{"there are no more", Window{Count: 9}, func(a *alone) { a.rv.finished = true }, timeline.Cursor{}, false},
		{"there are no more above the bottom of the page", Window{Count: 9, Bottom: cursorAt(0, 15)}, nil, cursorAt(0, 15), false},
		{"the page goes down to the floor", Window{Count: 9, Bottom: cursorAt(5, 10)}, nil, cursorAt(5, 10), true},
	} {
		a := newAlone(t, everything(1))
		if test.change != nil {
			test.change(a)
		}
		w := test.window
		if w.Low = cursorAt(7, 30); w.High == (timeline.Cursor{}) {
			w.High = timeline.Top
		}
		want := w
		want.Low = test.low
		filled, short := a.st.fillWindow(a.rv, w)
		if diff := cmp.Diff(want, filled); diff != "" || short != test.short {
			t.Errorf("%s: short %v, want %v (-want +got):\n%s", test.name, short, test.short, diff)
		}
	}
}

// TestEntryThatMovesIsInNoWindowTwice has an entry that its river has at 40 and that was not decided since
// its post sank to 20: it stands neither in the window where it stood nor in the one where it will stand.
func TestEntryThatMovesIsInNoWindowTwice(t *testing.T) {
	t.Parallel()
	s := newOneShown()
	s.rv.sorted, s.e.cursor, s.e.post.facts.FreshAt = timeline.OrderFresh, cursorAt(7, 40), 20
	upper, lower := Window{High: timeline.Top, Low: cursorAt(0, 30)}, Window{High: cursorAt(0, 30)}
	for name, window := range map[string]Window{"where it stood": upper, "where it will stand": lower} {
		if shown := s.st.entryIn(s.rv, s.e, window) != nil; shown != (name == "where it stood") {
			t.Errorf("before the viewer's sets changed, %s: shown %v", name, shown)
		}
	}
	s.unconfirmed(false)
	for name, window := range map[string]Window{"where it stood": upper, "where it will stand": lower} {
		if s.st.entryIn(s.rv, s.e, window) != nil {
			t.Errorf("after they changed, it is shown %s", name)
		}
	}
	if s.st.entryIn(s.rv, s.e, Window{High: timeline.Top}) == nil {
		t.Error("a page of both places does not show it")
	}
	s.e.post.facts.Deleted = true
	if s.st.entryIn(s.rv, s.e, Window{High: timeline.Top}) != nil {
		t.Error("it is shown after it was deleted")
	}
}

// TestOpsTellWhatTheWindowDoesNotHave: the ops for a page down to 20 that has got all changes up to counter 90.
func TestOpsTellWhatTheWindowDoesNotHave(t *testing.T) {
	t.Parallel()
	moved := func(a *alone, post timeline.PostID, at int64, low, high int64) {
		e := a.entry(post)
		e.moved = at
		if high > 0 {
			e.span = &span{cursorAt(post, low), cursorAt(post, high)}
		}
	}
	shut := func(a *alone) { // all posts are in it
		t := a.st.timelines[10]
		t.Access = timeline.AccessClosed
		a.st.timelines[10], a.st.accessAt[10], a.st.lastAccessAt = t, 95, 95
	}
	lowered := func(w *Window, was *timeline.Cursor) { w.Low, *was = cursorAt(5, 10), cursorAt(7, 30) }
	for _, test := range []struct {
		name   string
		change func(a *alone, w *Window, was *timeline.Cursor)
		want   string
	}{
		{"nothing", func(*alone, *Window, *timeline.Cursor) {}, ""},
		{"a like", func(a *alone, _ *Window, _ *timeline.Cursor) { a.liked(7, 95) }, "7 after 8"},
		{"a like of the first", func(a *alone, _ *Window, _ *timeline.Cursor) { a.liked(9, 95) }, "9 first"},
		{"likes of two", func(a *alone, _ *Window, _ *timeline.Cursor) { a.liked(9, 95); a.liked(8, 95); a.liked(6, 95) }, "9 first; 8 after 9; 6 after 7"},
		{"a like that the page heard of", func(a *alone, _ *Window, _ *timeline.Cursor) { a.liked(7, 90) }, ""},
		{"a like below the page", func(a *alone, _ *Window, _ *timeline.Cursor) { a.liked(5, 95) }, ""},
		{"an entry that left downwards", func(a *alone, _ *Window, _ *timeline.Cursor) { a.entry(5).changed = 95 }, "5 gone"},
		{"an entry that left before", func(a *alone, _ *Window, _ *timeline.Cursor) { a.entry(5).changed = 90 }, ""},
		{"an entry that passed into the page unseen", func(a *alone, _ *Window, _ *timeline.Cursor) { moved(a, 7, 95, 10, 30) }, "7 after 8"},
		{"an entry that passed within the page", func(a *alone, _ *Window, _ *timeline.Cursor) { moved(a, 7, 95, 20, 30) }, ""},
		{"an entry that passed into the page before", func(a *alone, _ *Window, _ *timeline.Cursor) { moved(a, 7, 90, 10, 30) }, ""},
		{"an entry that passed out unseen", func(a *alone, _ *Window, _ *timeline.Cursor) { moved(a, 5, 95, 10, 30) }, "5 gone"},
		{"an entry that passed below the page", func(a *alone, _ *Window, _ *timeline.Cursor) { moved(a, 5, 95, 5, 10) }, ""},
		{"an entry below that moved", func(a *alone, _ *Window, _ *timeline.Cursor) { moved(a, 5, 95, 0, 0) }, ""},
		{"an entry that passed out before", func(a *alone, _ *Window, _ *timeline.Cursor) { moved(a, 5, 90, 10, 30) }, ""},
		{"a post that may no longer be read", func(a *alone, _ *Window, _ *timeline.Cursor) { a.hide(7); a.entry(7).changed = 95 }, "7 gone"},
		{"a post that could not be read before", func(a *alone, _ *Window, _ *timeline.Cursor) { a.hide(7); a.liked(6, 95) }, "6 after 8"},
		{"two that may no longer be read and one that changed", func(a *alone, _ *Window, _ *timeline.Cursor) {
			a.hide(7, 8)
			a.entry(7).changed, a.entry(8).changed = 95, 95
			a.liked(6, 95)
		}, "8 gone; 7 gone; 6 after 9"},
		{"a feed that may no longer be read", func(a *alone, _ *Window, _ *timeline.Cursor) { shut(a) }, "9 gone; 8 gone; 7 gone; 6 gone"},
		{"a reply on a page without replies", func(a *alone, w *Window, _ *timeline.Cursor) {
			w.NoReplies = true
			a.reply(7)
			a.entry(7).changed = 95
		}, "7 gone"},
		{"a page that was lowered", func(a *alone, w *Window, was *timeline.Cursor) { lowered(w, was) }, "6 after 7; 5 after 6"},
		{"a page that was lowered, and a like", func(a *alone, w *Window, was *timeline.Cursor) { lowered(w, was); a.liked(8, 95); a.liked(6, 95) }, "8 after 9; 6 after 7; 5 after 6"},
		{"a page that was lowered, past a post that could not be read", func(a *alone, w *Window, was *timeline.Cursor) { lowered(w, was); a.hide(6) }, "5 after 7"},
		{"a page that was lowered, past a post that was taken away", func(a *alone, w *Window, was *timeline.Cursor) {
			lowered(w, was)
			a.hide(6)
			a.entry(6).changed = 95
		}, "6 gone; 5 after 7"},
		{"a page that was lowered, past a post that was taken away before", func(a *alone, w *Window, was *timeline.Cursor) {
			lowered(w, was)
			a.hide(6)
			a.entry(6).changed = 90
		}, "5 after 7"},
		{"a page that was lowered in a feed that may no longer be read", func(a *alone, w *Window, was *timeline.Cursor) { lowered(w, was); shut(a) }, "9 gone; 8 gone; 7 gone"},
		{"an entry that came into the page from below, as it was lowered", func(a *alone, w *Window, was *timeline.Cursor) { lowered(w, was); moved(a, 7, 95, 20, 30) }, "7 after 8; 6 after 7; 5 after 6"},
		{"a page in another order", func(a *alone, w *Window, _ *timeline.Cursor) { w.Still = true; a.liked(7, 95) }, ""},
		{"a post that left", func(a *alone, _ *Window, _ *timeline.Cursor) { a.rv.tombs = map[timeline.PostID]tomb{3: {95, 0}} }, "3 gone"},
		{"a post that left before", func(a *alone, _ *Window, _ *timeline.Cursor) { a.rv.tombs = map[timeline.PostID]tomb{3: {90, 0}} }, ""},
		{"a post that left and came back", func(a *alone, _ *Window, _ *timeline.Cursor) { a.rv.tombs = map[timeline.PostID]tomb{7: {95, 0}} }, ""},
	} {
		a := newAlone(t, everything(1))
		w := Window{High: timeline.Top, Low: cursorAt(6, 20)}
		was := w.Low
		test.change(a, &w, &was)
		p, c := a.st.patch(a.rv, 90)
		a.st.ops(a.rv, p, c, w, was, 90)
		if diff := cmp.Diff(test.want, inWords(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestPatchTellsOrRefuses: the patch for a page down to 20 since counter 90, or the reason why there is none.
func TestPatchTellsOrRefuses(t *testing.T) {
	t.Parallel()
	type page struct {
		*alone
		from   int64
		window Window
	}
	many := func(n int) func(*page) {
		return func(p *page) {
			for i := range n {
				p.add(timeline.PostID(100+i), int64(100+i)).changed = 95
			}
		}
	}
	for _, test := range []struct {
		name   string
		change func(p *page)
		want   string // the ops and the counter after them, or the error
	}{
		{"nothing happened", func(*page) {}, " to 90"},
		{"a like", func(p *page) { p.liked(7, 95) }, "7 after 8 to 99"},
		{"two likes", func(p *page) { p.liked(7, 95); p.liked(8, 95) }, "8 after 9; 7 after 8 to 99"},
		{"the node is sealed", func(p *page) { p.n.sealedUntil.Store(1) }, ErrBehind.Error()},
		{"the node has published nothing for long", func(p *page) { p.n.start = p.n.start.Add(-time.Hour) }, ErrBehind.Error()},
		{"the node has published nothing for some time", func(p *page) { p.n.start = p.n.start.Add(-time.Second) }, " to 90"},
		{"the river ended", func(p *page) { delete(p.st.rivers, 1) }, ErrGone.Error()},
		{"the river was made anew", func(p *page) { p.st.rivers[1] = &river{} }, ErrGone.Error()},
		{"the viewer may open no page", func(p *page) { p.st.viewers[1].sets.Suspended = true }, ErrGone.Error()},
		{"before the first tombstone that is kept", func(p *page) { p.st.purged = 91 }, ErrGone.Error()},
		{"at the first tombstone that is kept", func(p *page) { p.st.purged = 90 }, " to 90"},
		{"up to date", func(p *page) { p.from = 99 }, " to 99"},
		{"from the future", func(p *page) { p.from = 100 }, ErrGone.Error()},
		{"a post is to be decided first", func(p *page) { p.rv.marks = map[timeline.PostID]bool{6: true}; p.liked(7, 95) }, " to 90"},
		{"the floor rose past the page", func(p *page) { p.rv.trimmed, p.window.Low = 91, cursorAt(0, 5) }, ErrGone.Error()},
		{"the floor rose past the page before", func(p *page) { p.rv.trimmed, p.window.Low = 90, cursorAt(0, 5) }, " to 90"},
		{"the floor rose to the page", func(p *page) { p.rv.trimmed, p.window.Low = 91, cursorAt(5, 10) }, " to 90"},
		{"the river goes to the bottom", func(p *page) { p.rv.trimmed, p.window.Low, p.rv.finished = 91, cursorAt(0, 5), true }, " to 90"},
		{"too much happened", many(61), ErrGone.Error()},
		{"the page is filled", func(p *page) { p.window.Count = 5 }, "5 after 6 to 99, filled down to 10"},
	} {
		p := &page{newAlone(t, everything(1)), 90, Window{High: timeline.Top, Low: cursorAt(6, 20)}}
		test.change(p)
		got := ""
		patch, err := p.w.Patch(p.from, p.window)
		if err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(inWords(patch), " to ", patch.To)
			if patch.Filled != nil {
				got += fmt.Sprint(", filled down to ", patch.Filled.Low.FreshAt)
			}
			if patch.From != p.from || patch.Epoch != "epoch" {
				t.Errorf("%s: from %d of %s", test.name, patch.From, patch.Epoch)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	for _, n := range []int{mostOps, mostOps + 1} {
		p := &page{newAlone(t, everything(1)), 90, Window{High: timeline.Top, Low: cursorAt(6, 20), Single: true}}
		many(n)(p)
		p.rv.tombs = map[timeline.PostID]tomb{3: {95, 0}}
		patch, err := p.w.Patch(90, p.window)
		if err != nil || len(patch.Ops) != mostOps+1 {
			t.Errorf("%d entries and a removal, told one by one: %v, %v", n, err, patch)
		}
		p.window.Single, p.rv.tombs = false, nil
		if patch, err = p.w.Patch(90, p.window); n == mostOps && (err != nil || len(patch.Ops) != n) {
			t.Errorf("%d entries, told together: %v, %v", n, err, patch)
		}
	}
	// The cards of the page's head go with changes that are told one by one.
	p := newAlone(t, Key{Viewer: 1, What: KindUser, TheirID: 4})
	p.st.users[4] = card[*timeline.UserCard]{card: &timeline.UserCard{ID: 4}}
	for _, single := range []bool{false, true} {
		patch, err := p.w.Patch(90, Window{High: timeline.Top, Single: single})
		if err != nil || (patch.Users[4] != nil) != single {
			t.Errorf("told one by one %v: the cards %v (%v)", single, patch.Users, err)
		}
	}
}

// TestPageOfAPostThatIsTakenAwayEnds: the page of post 7 ends when its viewer may no longer read the post.
func TestPageOfAPostThatIsTakenAwayEnds(t *testing.T) {
	t.Parallel()
	a := newAlone(t, single(1, 7))
	a.rv.finished = true
	if _, err := a.w.Patch(99, Window{High: timeline.Top}); err != nil {
		t.Error(err)
	}
	_, window, err := a.w.Resume(Resume{At: At{Before: cursorAt(8, 40), Skip: 3, Count: 2}, Epoch: "epoch", Counter: 99, Have: a.have("7")})
	if diff := cmp.Diff(Window{High: timeline.Top, Count: defaultCount}, window); diff != "" || err != nil {
		t.Errorf("the page has no parts: %v (-want +got):\n%s", err, diff)
	}
	a.hide(7)
	if _, err := a.w.Patch(99, Window{High: timeline.Top}); !errors.Is(err, ErrGone) {
		t.Errorf("the post was deleted: %v, want %v", err, ErrGone)
	}
}

// TestRiverIsExtendedForAPageThatIsShort: pages ask for 9 entries of a river that holds 5.
func TestRiverIsExtendedForAPageThatIsShort(t *testing.T) {
	t.Parallel()
	gone := &Patch{Ops: []Op{{Post: 9, Gone: true}}}
	for _, test := range []struct {
		name   string
		patch  *Patch
		count  int
		fills  int32
		change func(*alone)
		need   int
		left   int32
	}{
		{"an entry left", gone, 9, 0, nil, 10, visits - 1},
		{"an entry left, as before", gone, 9, 1, nil, 10, visits - 1},
		{"no entry left", &Patch{Ops: []Op{{Post: 9}}}, 9, 0, nil, 0, 0},
		{"no entry left, after one did", &Patch{}, 9, 1, nil, 10, 0},
		{"while a sweep is under way", gone, 9, 0, func(a *alone) { a.rv.stale = 1 }, 0, visits},
		{"as deep as may be", gone, 9, 0, func(a *alone) { a.n.cfg.Settings.Deepest = 5 }, 0, visits},
		{"not quite as deep as may be", gone, 9, 0, func(a *alone) { a.n.cfg.Settings.Deepest = 6 }, 6, visits - 1},
	} {
		a := newAlone(t, everything(1))
		a.w.fills.Store(test.fills)
		if test.change != nil {
			test.change(a)
		}
		a.w.extend(test.patch, test.count)
		if need, left := a.building(), a.w.fills.Load(); need != test.need || left != test.left {
			t.Errorf("%s: %d entries are wanted, and %d more extensions; want %d and %d", test.name, need, left, test.need, test.left)
		}
	}
	a := newAlone(t, everything(1))
	a.rv.tombs = map[timeline.PostID]tomb{3: {95, 0}}
	if _, err := a.w.Patch(90, Window{High: timeline.Top, Low: cursorAt(6, 20), Count: 2}); err != nil || a.building() != 0 {
		t.Errorf("a page that is not short: %v, %d entries are wanted", err, a.building())
	}
	if _, err := a.w.Patch(90, Window{High: timeline.Top, Low: cursorAt(6, 20), Count: 9}); err != nil || a.building() != 10 {
		t.Errorf("a page that is short: %v, %d entries are wanted", err, a.building())
	}
	for _, count := range []int{2, 9} {
		a := newAlone(t, everything(1))
		a.w.fills.Store(1)
		if _, _, err := a.w.Resume(Resume{At: At{Count: count}, Epoch: "epoch", Counter: 99, Have: a.have("9 8")}); err != nil || (a.building() == 10) != (count == 9) {
			t.Errorf("a page of %d that comes back: %v, %d entries are wanted", count, err, a.building())
		}
	}
}

// TestWatchOpensARiverUnlessItIsLeaving opens and closes rivers that are in the order of eviction.
func TestWatchOpensARiverUnlessItIsLeaving(t *testing.T) {
	t.Parallel()
	open := func() *alone {
		a := newAlone(t, everything(1))
		a.rv.finished = true // a visit needs no more
		return a
	}
	for _, test := range []struct {
		name     string
		change   func(*river)
		segment  segment
		watching int32
	}{
		{"visited once", func(*river) {}, segmentOnce, 0},
		{"visited more than once", func(rv *river) { rv.frequent = true }, segmentAgain, 0},
		{"seated long ago", func(rv *river) { rv.seated = -60_000 }, segmentAgain, 0},
		{"opened twice", func(rv *river) { rv.watches[&Watch{}] = true }, segmentNone, 1},
	} {
		a := open()
		delete(a.rv.watches, a.w)
		a.rv.watching.Store(0)
		a.st.order.insert(a.rv, segmentOnce, 4000)
		w, err := a.n.Watch(t.Context(), a.rv.key)
		if err != nil {
			t.Fatal(err)
		}
		if a.rv.segment != segmentNone || a.rv.watching.Load() != 1 || !a.rv.watches[w] || w.rv != a.rv {
			t.Errorf("%s: open in segment %d, %d watches", test.name, a.rv.segment, a.rv.watching.Load())
		}
		if len(w.C()) != 0 {
			t.Errorf("%s: woken before anything changed", test.name)
		}
		a.n.wake(a.rv)
		a.n.wake(a.rv)
		if len(w.C()) != 1 {
			t.Errorf("%s: not woken", test.name)
		}
		<-w.C()
		if a.n.wakeAll(); len(w.C()) != 1 {
			t.Errorf("%s: not woken with all", test.name)
		}
		a.rv.seated = 5000
		test.change(a.rv)
		for k := range a.rv.watches { // of the second page only its entry is there
			if k.node == nil {
				a.rv.watching.Store(2)
			}
		}
		a.rv.visited.Store(1)
		w.Close()
		if a.rv.segment != test.segment || a.rv.watching.Load() != test.watching || a.rv.watches[w] || a.rv.visited.Load() != 5000 {
			t.Errorf("%s: closed in segment %d, %d watches, visited at %d", test.name, a.rv.segment, a.rv.watching.Load(), a.rv.visited.Load())
		}
		seat := a.rv.seat
		a.rv.visited.Store(2)
		if w.Close(); a.rv.seat != seat || a.rv.visited.Load() != 2 {
			t.Errorf("%s: closed twice", test.name)
		}
	}
	ended := newAlone(t, everything(1))
	delete(ended.st.rivers, 1)
	if ended.w.Close(); ended.rv.segment != segmentNone {
		t.Error("a river that ended is evicted")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, leave := range map[string]func(*river){"leaving": func(rv *river) { rv.leaving = true }, "shortening": func(rv *river) { rv.shortening = true }} {
		a := open()
		leave(a.rv)
		if w, err := a.n.Watch(gone, a.rv.key); !errors.Is(err, context.Canceled) || w != nil {
			t.Errorf("a river that is %s: %v, want %v", name, err, context.Canceled)
		}
		a.n.full.Store(true)
		if w, err := a.n.Watch(gone, a.rv.key); !errors.Is(err, ErrBehind) || w != nil {
			t.Errorf("a river that is %s on a node that is full: %v, want %v", name, err, ErrBehind)
		}
		if len(a.rv.watches) != 1 {
			t.Errorf("a river that is %s was opened", name)
		}
	}
	a := open()
	a.st.viewers[1].sets.Suspended = true
	if _, err := a.n.Watch(t.Context(), a.rv.key); !errors.Is(err, timeline.ErrUnauthorized) {
		t.Errorf("a viewer that may open no page: %v, want %v", err, timeline.ErrUnauthorized)
	}
}

// TestRiverThatIsMadeAnewIsWatchedAnew has a turn drop a river that a page is about to open, and make it anew.
func TestRiverThatIsMadeAnewIsWatchedAnew(t *testing.T) {
	t.Parallel()
	a := newAlone(t, everything(1))
	a.rv.finished, a.rv.leaving = true, true
	made := make(chan *river)
	go func() {
		<-a.n.ring // the page waits for a turn
		a.n.mu.Lock()
		delete(a.st.rivers, a.rv.id)
		again := &river{id: 2, key: a.rv.key, finished: true}
		a.st.add(again)
		a.n.mu.Unlock()
		for _, w := range a.n.takeAsks().waiting {
			close(w)
		}
		made <- again
	}()
	w, err := a.n.Watch(t.Context(), a.rv.key)
	if again := <-made; err != nil || w.rv != again || !again.watches[w] {
		t.Errorf("the page has another river open: %v", err)
	}
}
