package river

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// An applied is a state to which tests apply drafts. Its counter is 99. Viewer 1 has a river of
// the timelines 10 and 12, with the posts 6, 7 and 8 at 30, 20 and 12, a mark, and a tombstone.
type applied struct {
	t  *testing.T
	st *state
	rv *river
	d  *draft
	rd *riverDraft
}

// cursorAt returns the cursor of a post in an applied's river.
func cursorAt(post timeline.PostID, ms int64) timeline.Cursor {
	return timeline.Cursor{FreshAt: ms, Post: post}
}

func newApplied(t *testing.T) *applied {
	t.Helper()
	a := &applied{t: t, st: newState()}
	a.begin()
	a.d.timelines[10] = timeline.Timeline{ID: 10, What: timeline.WhatUser, TheirID: 2, Access: timeline.AccessPublic}
	for id := timeline.TimelineID(11); id <= 13; id++ {
		a.d.timelines[id] = timeline.Timeline{ID: id, What: timeline.WhatHashtag, Access: timeline.AccessPublic}
	}
	a.rv = a.make(1, everything(1), 10, 12)
	a.rd = a.d.riverDraft(a.rv)
	a.rd.floor = new(cursorAt(0, 10))
	for post, ms := range map[timeline.PostID]int64{6: 30, 7: 20, 8: 12} {
		a.read(post, ms)
		put(&a.rd.put, post, &entry{cursor: cursorAt(post, ms), changed: 1, moved: 1})
	}
	a.rd.mark = map[timeline.PostID]bool{8: true}
	a.apply()
	a.rv.tombs, a.rv.marked = map[timeline.PostID]tomb{5: {2, 3}}, time.Time{}
	a.st.reweigh(a.rv)
	a.st.counter = 99
	a.begin()
	return a
}

// begin begins another draft.
func (a *applied) begin() {
	a.d = newDraft(a.st)
	if a.rv != nil {
		a.rd = a.d.riverDraft(a.rv)
	}
}

// make adds a new river to the draft, of a viewer the state may not know.
func (a *applied) make(id int64, key Key, feeds ...timeline.TimelineID) *river {
	rv := &river{id: id, key: key}
	for _, id := range feeds {
		put(&rv.wants, id, true)
	}
	a.d.riverDraft(rv).made = true
	if a.st.viewers[key.Viewer] == nil {
		a.d.sets[key.Viewer] = &timeline.Sets{User: key.Viewer}
	}
	return rv
}

// read has the draft read a post by person 2 in timeline 10.
func (a *applied) read(post timeline.PostID, ms int64) {
	a.d.facts[post] = &timeline.Facts{ID: post, Author: 2, FreshAt: ms, Places: []timeline.TimelineID{10}, In: []timeline.TimelineID{10}}
	a.d.folds[post] = &timeline.Fold{Post: post, Author: 2}
}

// puts has the draft put an entry of a post, decided in the turn.
func (a *applied) puts(post timeline.PostID, ms, changed int64, moved *span) {
	put(&a.rd.put, post, &entry{cursor: cursorAt(post, ms), changed: changed, moved: 100, span: moved})
}

// moveEnd has the draft move the river's end to a time.
func (a *applied) moveEnd(ms int64) { a.rd.floor = new(cursorAt(0, ms)) }

// hasAll has the state hold a fold with all comments of post 7, which changed last at 50.
func (a *applied) hasAll(fold *timeline.Fold) {
	h := a.st.held[7]
	a.st.weigh(h, -1)
	h.all, h.allHash, h.allAt = fold, foldHash(fold), 50
	a.st.weigh(h, 1)
}

// hasOwn gives the viewer a fold of their own of post 7.
func (a *applied) hasOwn(fold *timeline.Fold) {
	e := a.st.entryOf(a.rv, 7)
	a.st.weighEntry(a.rv, e, -1)
	e.ownRest().fold = fold
	a.st.weighEntry(a.rv, e, 1)
	a.st.reweigh(a.rv)
}

// open has a page listen to the river.
func (a *applied) open() { a.rv.watching.Store(1) }

// apply applies the draft at the time 1000, reports whether it wakes the river, and
// compares the running counts with the state.
func (a *applied) apply() (wakes bool) {
	a.t.Helper()
	wakes = a.st.apply(a.d, 1000)[a.rv]
	for _, line := range (&Node{st: a.st}).misweighed() {
		a.t.Error(line)
	}
	return wakes
}

// TestAppliedRiver changes one part of a river in a turn, and checks one part.
func TestAppliedRiver(t *testing.T) {
	t.Parallel()
	posts := func(a *applied) any {
		var all []timeline.PostID
		for _, e := range a.rv.order {
			if e.post != a.st.held[e.post.facts.ID] || e.post.entries[a.rv] != e {
				t.Errorf("the entry of %d is not joined to the post", e.post.facts.ID)
			}
			all = append(all, e.post.facts.ID)
		}
		return all
	}
	type ids = []timeline.PostID
	entries := func(post timeline.PostID) func(a *applied) any { // the counters at its decision, change and move
		return func(a *applied) any {
			e := a.st.entryOf(a.rv, post)
			return [4]int64{int64(e.version), e.decided, e.changed, e.moved}
		}
	}
	tombs := func(a *applied) any {
		all := make(map[timeline.PostID][2]int64)
		for post, tomb := range a.rv.tombs {
			all[post] = [2]int64{tomb.counter, tomb.at}
		}
		return all
	}
	floor := func(a *applied) any { // and the counters when it rose and fell
		return [3]int64{a.rv.floor.FreshAt, a.rv.trimmed, a.rv.lowered}
	}
	sweep := func(a *applied) any {
		twice := int64(0)
		if a.rv.staleTwice {
			twice = 1
		}
		return [5]int64{int64(a.rv.version), a.rv.stale, twice, a.rv.sweptSince, a.rv.swept.FreshAt}
	}
	marks := func(a *applied) any {
		if !a.rv.marked.IsZero() {
			return "marked now"
		}
		return slices.Sorted(maps.Keys(a.rv.marks))
	}
	changed := func(a *applied) any { return a.rv.changed }
	type want = [4]int64
	for _, test := range []struct {
		name   string
		change func(a *applied)
		wakes  bool
		look   func(a *applied) any
		want   any
	}{
		{"nothing", func(*applied) {}, false, changed, int64(1)},
		{"it was made", func(*applied) {}, false, floor, [3]int64{10, 0, 0}},
		{"it was swept as it was made", func(*applied) {}, false, sweep, [5]int64{0, 0, 0, 1, 0}},
		{"its head", func(a *applied) { a.rd.changed = true }, true, changed, int64(100)},

		{"an entry leaves", func(a *applied) { a.rd.gone = map[timeline.PostID]bool{7: true} }, true, posts, ids{6, 8}},
		{"an entry leaves a tombstone", func(a *applied) { a.rd.gone = map[timeline.PostID]bool{7: true} }, true, tombs, map[timeline.PostID][2]int64{5: {2, 3}, 7: {100, 1000}}},
		{"an entry leaves, which is a change", func(a *applied) { a.rd.gone = map[timeline.PostID]bool{7: true} }, true, changed, int64(100)},
		{"a tombstone is purged", func(a *applied) { a.rd.purge = ids{5} }, false, tombs, map[timeline.PostID][2]int64{}},

		{"an entry changes", func(a *applied) { a.puts(7, 20, 100, nil) }, true, entries(7), want{0, 100, 100, 100}},
		{"an entry changes, which is a change", func(a *applied) { a.puts(7, 20, 100, nil) }, true, changed, int64(100)},
		{"an entry changes and one does not", func(a *applied) { a.puts(7, 20, 100, nil); a.puts(6, 30, 3, nil) }, true, changed, int64(100)},
		{"an entry looks as before", func(a *applied) { a.puts(7, 20, 3, nil) }, false, entries(7), want{0, 100, 3, 100}},
		{"an entry looks as before, which is no change", func(a *applied) { a.puts(7, 20, 3, nil) }, false, changed, int64(1)},
		{"an entry moved unseen", func(a *applied) { a.puts(7, 25, 3, &span{}) }, true, changed, int64(1)},
		{"an entry moved unseen and one did not", func(a *applied) { a.puts(7, 25, 3, &span{}); a.puts(6, 30, 3, nil) }, true, posts, ids{6, 7, 8}},
		{"an entry moves up", func(a *applied) { a.puts(8, 40, 100, nil) }, true, posts, ids{8, 6, 7}},
		{"an entry is decided and stays", func(a *applied) { a.rd.same = ids{7, 99} }, false, entries(7), want{0, 100, 1, 1}},
		{"a post that was deleted meanwhile", func(a *applied) { a.puts(99, 50, 100, nil) }, false, posts, ids{6, 7, 8}},
		{"a new entry", func(a *applied) { a.read(9, 40); a.puts(9, 40, 100, nil) }, true, entries(9), want{0, 100, 100, 100}},
		{"a new entry stands in its place", func(a *applied) { a.read(9, 25); a.puts(9, 25, 100, nil) }, true, posts, ids{6, 9, 7, 8}},
		{"a new entry that was there before", func(a *applied) { a.read(5, 40); a.puts(5, 40, 100, nil) }, true, tombs, map[timeline.PostID][2]int64{}},

		{"a new entry below the former floor", func(a *applied) { a.moveEnd(5); a.read(9, 7); a.puts(9, 7, 100, nil) }, true, entries(9), want{0, 100, 0, 0}},
		{"a new entry at the former floor", func(a *applied) { a.moveEnd(5); a.read(9, 10); a.puts(9, 10, 100, nil) }, true, entries(9), want{0, 100, 100, 100}},
		{"an entry that left before, below the former floor", func(a *applied) { a.moveEnd(5); a.read(5, 7); a.puts(5, 7, 100, nil) }, true, entries(5), want{0, 100, 100, 100}},
		{"an entry that moves below the former floor", func(a *applied) { a.moveEnd(5); a.puts(8, 7, 100, nil) }, true, entries(8), want{0, 100, 100, 100}},
		{"a new entry low in a river that went to the bottom", func(a *applied) { a.rv.finished = true; a.read(9, 7); a.puts(9, 7, 100, nil) }, true, entries(9), want{0, 100, 100, 100}},
		{"it goes further down", func(a *applied) { a.moveEnd(5) }, false, floor, [3]int64{5, 0, 100}},
		{"it goes further down, which changes what a page may show", func(a *applied) { a.moveEnd(5) }, false, changed, int64(100)},
		{"it goes to the bottom", func(a *applied) { a.moveEnd(0); a.rd.finished = true }, false, func(a *applied) any { return a.rv.finished }, true},
		{"it ends higher", func(a *applied) { a.moveEnd(20) }, false, floor, [3]int64{20, 100, 0}},
		{"it ends higher, without the entries below", func(a *applied) { a.moveEnd(20) }, false, posts, ids{6, 7}},
		{"it ends higher, without tombstones", func(a *applied) { a.moveEnd(20) }, false, tombs, map[timeline.PostID][2]int64{5: {2, 3}}},
		{"it ends above all entries", func(a *applied) { a.moveEnd(40) }, false, posts, ids(nil)},

		{"the sets change", func(a *applied) { a.rd.sweepStarted = true }, false, sweep, [5]int64{1, 100, 0, 100, 0}},
		{"the sets change again", func(a *applied) { a.rv.stale = 50; a.rd.sweepStarted = true }, false, sweep, [5]int64{1, 100, 1, 100, 0}},
		{"the sets change, and an entry is decided", func(a *applied) { a.rd.sweepStarted = true; a.puts(7, 20, 3, nil) }, false, entries(7), want{1, 100, 3, 100}},
		{"a chunk is swept", func(a *applied) { a.rv.stale, a.rv.staleTwice = 50, true; a.rd.swept = new(cursorAt(0, 25)) }, false, sweep, [5]int64{0, 50, 1, 1, 25}},
		{"the last chunk is swept", func(a *applied) {
			a.rv.stale, a.rv.staleTwice = 50, true
			a.rd.swept, a.rd.sweepDone = new(cursorAt(0, 10)), true
		}, false, sweep, [5]int64{0, 0, 0, 1, 10}},
		{"the last chunk is swept under a page", func(a *applied) { a.open(); a.rd.swept, a.rd.sweepDone = new(cursorAt(0, 10)), true }, true, changed, int64(1)},
		{"a chunk is swept under a page", func(a *applied) { a.open(); a.rd.swept = new(cursorAt(0, 25)) }, false, changed, int64(1)},

		{"a mark goes", func(a *applied) { a.rd.unmark = map[timeline.PostID]bool{8: true} }, false, marks, ids(nil)},
		{"a mark goes under a page", func(a *applied) { a.open(); a.rd.unmark = map[timeline.PostID]bool{8: true} }, true, changed, int64(1)},
		{"another mark", func(a *applied) { a.rd.mark = map[timeline.PostID]bool{6: true} }, false, marks, ids{6, 8}},
		{"the first mark", func(a *applied) { a.rv.marks = nil; a.rd.mark = map[timeline.PostID]bool{6: true} }, false, marks, "marked now"},
		{"no mark", func(a *applied) { a.rv.marks = nil }, false, marks, ids(nil)},

		{"a visit is written", func(a *applied) { a.rd.visited = 77 }, false, func(a *applied) any { return a.rv.persisted }, int64(77)},
		{"a visit in the first millisecond is written", func(a *applied) { a.rd.visited = 1 }, false, func(a *applied) any { return a.rv.persisted }, int64(1)},
		{"no visit is written", func(a *applied) { a.rv.persisted = 66 }, false, func(a *applied) any { return a.rv.persisted }, int64(66)},
		{"another timeline feeds it", func(a *applied) { a.rd.wants = map[timeline.TimelineID]bool{11: true} }, false, func(a *applied) any {
			return [5]bool{a.st.fed[10] == nil, a.st.fed[11][a.rv], a.rv.wants[11], a.st.idle.timelines[11], a.st.idle.timelines[12]}
		}, [5]bool{true, true, true, false, true}},
		{"a timeline more feeds it", func(a *applied) { a.rd.wants = map[timeline.TimelineID]bool{10: true, 11: true} }, false, func(a *applied) any {
			return [2]bool{a.st.fed[10][a.rv], a.st.fed[11][a.rv]}
		}, [2]bool{true, true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := newApplied(t)
			test.change(a)
			a.st.reweigh(a.rv)
			if wakes := a.apply(); wakes != test.wakes {
				t.Errorf("wakes its pages: %v", wakes)
			}
			if diff := cmp.Diff(test.want, test.look(a)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestAppliedPosts changes a post in the state, with its river open or closed.
func TestAppliedPosts(t *testing.T) {
	t.Parallel()
	const closed = true
	other := &timeline.Fold{Post: 7, Author: 2, Text: timeline.TextFold{Text: "other"}}
	type look = [4]int64 // of post 7: how often its texts changed, the counters of its fold, all comments and cards
	type change = func(a *applied)
	for _, test := range []struct {
		name   string
		change change
		closed bool
		wakes  bool
		want   look
	}{
		{"facts", func(a *applied) { a.d.facts[7] = &timeline.Facts{ID: 7, Author: 3, FreshAt: 20} }, false, false, look{3, 1, 0, 0}},
		{"a deletion without a trace", func(a *applied) { a.d.facts[7] = nil }, false, false, look{-2, 1, 0, 0}},
		{"the same fold", func(a *applied) { a.d.folds[7] = &timeline.Fold{Post: 7, Author: 2} }, false, false, look{2, 1, 0, 0}},
		{"another fold", func(a *applied) { a.d.folds[7] = other }, false, true, look{2, 100, 0, 0}},
		{"another fold, in a closed river", func(a *applied) { a.d.folds[7] = other }, closed, false, look{2, 100, 0, 0}},
		{"another fold, of which the viewer has their own", func(a *applied) { a.hasOwn(other); a.d.folds[7] = other }, false, false, look{2, 100, 0, 0}},
		{"all comments", func(a *applied) { a.d.alls[7] = other }, false, true, look{2, 1, 100, 0}},
		{"the same comments", func(a *applied) { a.hasAll(other); a.d.alls[7] = new(*other) }, false, false, look{2, 1, 50, 0}},
		{"other comments", func(a *applied) { a.hasAll(foldOf("before")); a.d.alls[7] = other }, false, true, look{2, 1, 100, 0}},
		{"a card", func(a *applied) { a.d.touched[7] = true }, false, true, look{2, 1, 0, 100}},
		{"a card, of an own fold", func(a *applied) { a.hasOwn(other); a.d.touched[7] = true }, false, true, look{2, 1, 0, 100}},
		{"a post that is not held", func(a *applied) {
			a.d.folds[9], a.d.alls[9], a.d.touched[9] = other, other, true
		}, false, false, look{2, 1, 0, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := newApplied(t)
			if !test.closed {
				a.open()
			}
			test.change(a)
			wake := make(map[*river]bool)
			a.st.counter = a.d.counter
			a.st.applyPosts(a.d, wake)
			h := a.st.held[7]
			author := int64(h.facts.Author)
			if h.facts.Deleted {
				author = -author
			}
			if got := (look{author, h.changed, h.allAt, h.touched}); got != test.want || wake[a.rv] != test.wakes {
				t.Errorf("%v, wakes its pages: %v", got, wake[a.rv])
			}
			if h.facts.ID != 7 || h.facts.FreshAt != 20 {
				t.Errorf("the facts are %+v", h.facts)
			}
			if fold := a.d.folds[7]; fold != nil && (h.fold != fold || h.hash != foldHash(fold)) {
				t.Error("the fold is not the one that was read")
			}
			if all := a.d.alls[7]; all != nil && (h.all != all || h.allHash != foldHash(all)) {
				t.Error("the fold with all comments is not the one that was read")
			}
			if a.d.handling != nil {
				t.Errorf("posts %v would be to blame for a later panic", a.d.handling)
			}
			for _, line := range (&Node{st: a.st}).misweighed() {
				t.Error(line)
			}
		})
	}
}

// TestPostThatCannotBePublishedIsToBlame: the node blames a panic on the post, and puts the post
// into quarantine.
func TestPostThatCannotBePublishedIsToBlame(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]func(a *applied){
		"the fold":         func(a *applied) { a.d.folds[7] = nil },
		"all its comments": func(a *applied) { a.d.alls[7] = nil },
	} {
		a := newApplied(t)
		broken(a)
		func() {
			defer func() {
				if recover() == nil || !slices.Equal(a.d.handling, []timeline.PostID{7}) {
					t.Errorf("%s: posts %v are to blame", name, a.d.handling)
				}
			}()
			a.st.applyPosts(a.d, make(map[*river]bool))
		}()
	}
}

// TestPostsAreHeldForRivers: a post that a turn read is held if an entry of a river needs the
// post and the turn read its fold.
func TestPostsAreHeldForRivers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(a *applied)
		want   bool
	}{
		"an entry needs it":              {func(a *applied) { a.read(9, 40); a.puts(9, 40, 100, nil) }, true},
		"no entry needs it":              {func(a *applied) { a.read(9, 40) }, false},
		"its fold was not there":         {func(a *applied) { a.read(9, 40); a.puts(9, 40, 100, nil); delete(a.d.folds, 9) }, false},
		"it was deleted, and has a fold": {func(a *applied) { a.read(9, 40); a.puts(9, 40, 100, nil); a.d.facts[9] = nil }, false},
	} {
		a := newApplied(t)
		test.change(a)
		a.st.applyPosts(a.d, make(map[*river]bool))
		if held := a.st.held[9] != nil; held != test.want || a.st.idle.posts[9] != test.want {
			t.Errorf("%s: held %v, idle %v", name, held, a.st.idle.posts[9])
		}
	}
}

// TestAppliedGates: a change of access wakes every open river, and the state knows the last two such changes.
func TestAppliedGates(t *testing.T) {
	t.Parallel()
	for _, open := range []bool{true, false} {
		a := newApplied(t)
		if open {
			a.open()
		}
		if a.apply() {
			t.Errorf("open %v: woken by no change", open)
		}
		for i, want := range [][3]int64{{0, 101, 101}, {101, 102, 102}} { // before, last, and last of all
			a.begin()
			a.d.accessChanged = []timeline.TimelineID{10}
			if wakes := a.apply(); wakes != open {
				t.Errorf("open %v: woken %v", open, wakes)
			}
			if got := [3]int64{a.st.accessBefore[10], a.st.accessAt[10], a.st.lastAccessAt}; got != want {
				t.Errorf("change %d: the counters are %v, want %v", i, got, want)
			}
		}
	}
}

// TestAppliedStateHasWhatTheTurnRead: the log, sets, cards and timelines; and nothing that the
// draft forgets.
func TestAppliedStateHasWhatTheTurnRead(t *testing.T) {
	t.Parallel()
	a := newApplied(t)
	sets := &timeline.Sets{User: 1, Admin: true}
	a.d.log.cursor, a.d.sets[1] = 55, sets
	a.d.timelines[10] = timeline.Timeline{ID: 10, What: timeline.WhatUser, TheirID: 2, Access: timeline.AccessPrivate}
	a.d.users[2], a.d.groups[3] = &timeline.UserCard{Name: "ann"}, &timeline.GroupCard{Name: "gardeners"}
	a.d.users[4], a.d.groups[5], a.d.timelines[14] = nil, nil, timeline.Timeline{ID: 14}
	if !a.apply() {
		t.Error("the pages of the viewer are not woken")
	}
	if st := a.st; st.counter != 100 || st.cursor != 55 || st.viewers[1].sets != sets || st.viewers[1].changed != 100 || st.timelines[10].Access != timeline.AccessPrivate {
		t.Errorf("counter %d, cursor %d, viewer %+v, timeline %+v", st.counter, st.cursor, st.viewers[1], st.timelines[10])
	}
	if u, g := a.st.users[2], a.st.groups[3]; u.card.Name != "ann" || u.changed != 100 || u.hash != hashOf(u.card) || g.card.Name != "gardeners" || g.changed != 100 || g.hash != hashOf(g.card) {
		t.Errorf("the cards are %+v and %+v", u, g)
	}
	a.begin()
	a.d.forget = forgotten{users: []timeline.UserID{4}, groups: []timeline.GroupID{5}, timelines: []timeline.TimelineID{14}}
	a.rd.gone = map[timeline.PostID]bool{7: true}
	a.apply()
	_, user := a.st.users[4]
	_, group := a.st.groups[5]
	_, place := a.st.timelines[14]
	if user || group || place || a.st.held[7] == nil || !a.st.idle.posts[7] {
		t.Errorf("person %v, group %v, timeline %v; post %v, idle %v", user, group, place, a.st.held[7] != nil, a.st.idle.posts[7])
	}
	a.begin()
	a.d.forget.posts = []timeline.PostID{7}
	a.apply()
	if a.st.held[7] != nil || a.st.held[6] == nil {
		t.Error("the post that is forgotten is held, or the other is not")
	}
}

// TestNothingIsLeftOfDroppedRivers makes a river of each sort and drops the rivers one after
// another.
func TestNothingIsLeftOfDroppedRivers(t *testing.T) {
	t.Parallel()
	a := newApplied(t)
	search := Key{Viewer: 4, What: KindSearch, Query: "harbour"}
	day := Key{Viewer: 1, What: KindDay, TheirID: 3, Query: "2024"}
	rivers := map[string]*river{
		"everything": a.rv, "page": a.make(2, single(1, 7), 10), "another's page": a.make(3, single(4, 7), 10), "search": a.make(5, search), "day": a.make(4, day, 11),
	}
	rivers["search"].query, rivers["day"].gates = new(timeline.Query), []timeline.TimelineID{11, 13}
	for _, name := range []string{"page", "another's page"} {
		rd := a.d.riverDraft(rivers[name])
		rd.floor, rd.finished, rd.put = new(timeline.Cursor), true, map[timeline.PostID]*entry{7: {cursor: cursorAt(7, 20), changed: 100}}
	}
	a.d.alls[7], a.d.folds[7] = foldOf("all"), foldOf("")
	a.d.facts[7] = a.st.held[7].facts
	a.d.unread = map[timeline.UserID]*timeline.Unread{4: {Count: 1, Posts: []timeline.PostID{7}}}
	a.apply()
	for name, rv := range rivers {
		if a.st.rivers[rv.id] != rv || a.st.byKey[rv.key] != rv || !a.st.viewers[rv.key.Viewer].rivers[rv] || rv.segment != segmentOnce ||
			a.st.search[rv] != (name == "search") || a.st.unbounded[rv] != (name == "search" || name == "day") {
			t.Errorf("the river of %s is not in its places", name)
		}
	}
	indexes := func(what string, want [7]int) {
		t.Helper()
		st := a.st
		if found := [7]int{len(st.all), len(st.single[7]), len(st.search), len(st.unbounded), len(st.gated[11]), len(st.fed[10]), len(st.viewers)}; found != want {
			t.Errorf("%s: %v, want %v", what, found, want)
		}
	}
	drop := func(name string) {
		t.Helper()
		rv := rivers[name]
		a.rv = rv
		a.begin()
		a.rd.dropped = true
		if !a.apply() {
			t.Errorf("the page of %s does not hear that it ended", name)
		}
		if rv.segment != segmentNone || a.st.rivers[rv.id] != nil || a.st.byKey[rv.key] != nil || slices.Contains(a.st.all[:cap(a.st.all)], rv) {
			t.Errorf("something is left of %s", name)
		}
	}
	indexes("all are there", [7]int{5, 2, 1, 2, 1, 3, 2})
	if a.st.lastID != 5 {
		t.Errorf("the highest id is %d", a.st.lastID)
	}
	drop("everything")
	indexes("without everything", [7]int{4, 2, 1, 2, 1, 2, 2})
	drop("page")
	indexes("without a page", [7]int{3, 1, 1, 2, 1, 1, 2})
	if a.st.held[7].all == nil {
		t.Error("the other page of the post lost its comments")
	}
	drop("another's page")
	indexes("without another's page", [7]int{2, 0, 1, 2, 1, 0, 2})
	if h := a.st.held[7]; h.all != nil || h.allHash != (digest{}) {
		t.Error("the comments of a page that ended are kept")
	}
	a.st.uncounted[4] = true
	drop("search")
	indexes("without the search", [7]int{1, 0, 0, 1, 1, 0, 1})
	if len(a.st.notice) != 0 || len(a.st.uncounted) != 0 {
		t.Error("the notices of a viewer who is gone are kept")
	}
	drop("day")
	indexes("without any", [7]int{})
	if len(a.st.fed)+len(a.st.gated)+len(a.st.single) != 0 || len(a.st.idle.posts) != 3 || len(a.st.idle.timelines) != 3 {
		t.Errorf("an index has an empty set, or something counts as needed: %+v", a.st.idle)
	}
}

// TestDroppedRiverLeavesItsSuccessorsKey: a river may be rebuilt before the turn that drops it.
func TestDroppedRiverLeavesItsSuccessorsKey(t *testing.T) {
	t.Parallel()
	a := newApplied(t)
	a.rd.dropped = true
	next := a.make(2, a.rv.key, 10)
	a.apply()
	if a.st.byKey[next.key] != next || len(a.st.rivers) != 1 {
		t.Error("the new river is not found by its key")
	}
}
