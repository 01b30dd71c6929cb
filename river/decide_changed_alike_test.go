package river

import (
	"maps"
	"reflect"
	"testing"

	"amstel.dev/amstel/timeline"
)

// heldWith returns a held post with these folds, with their hashes.
func heldWith(post timeline.PostID, fold, all *timeline.Fold) *held {
	h := &held{facts: &timeline.Facts{ID: post, Places: []timeline.TimelineID{10, 11}}, fold: fold, hash: foldHash(fold), changed: 5}
	if all != nil {
		h.all, h.allHash, h.allAt = all, foldHash(all), 6
	}
	return h
}

// TestSharedHashIsOfTheFoldAfterTheTurn: only on the page of the post, the hash is of the fold
// with all comments. If the turn read the fold, the hash is of the fold that the turn read.
func TestSharedHashIsOfTheFoldAfterTheTurn(t *testing.T) {
	t.Parallel()
	const post = 7
	folded, all, newFolded, newAll := foldOf("folded"), foldOf("all"), foldOf("new folded"), foldOf("new all")
	home, page := &river{key: Key{Viewer: 1, What: KindHome, TheirID: 1}}, &river{key: single(1, post)}
	for _, test := range []struct {
		name           string
		all            *timeline.Fold // held
		read, readAll  *timeline.Fold
		onHome, onPage *timeline.Fold
		homeAt, pageAt int64
	}{
		{"nothing was read", nil, nil, nil, folded, folded, 5, 5},
		{"nothing was read, and the page lives", all, nil, nil, folded, all, 5, 6},
		{"a fold was read", nil, newFolded, nil, newFolded, newFolded, 5, 5},
		{"a fold was read, and the page lives", all, newFolded, nil, newFolded, all, 5, 6},
		{"every comment was read", nil, nil, newAll, folded, newAll, 5, 5},
		{"both were read", all, newFolded, newAll, newFolded, newAll, 5, 6},
	} {
		d, h := newDraft(newState()), heldWith(post, folded, test.all)
		if test.read != nil {
			d.folds[post] = test.read
		}
		if test.readAll != nil {
			d.alls[post] = test.readAll
		}
		for range 2 { // the second time the hash is known
			if d.sharedHash(home, h) != foldHash(test.onHome) || d.sharedHash(page, h) != foldHash(test.onPage) {
				t.Errorf("%s: another fold's hash", test.name)
			}
		}
		if home, page := h.sharedChangedAt(home), h.sharedChangedAt(page); home != test.homeAt || page != test.pageAt {
			t.Errorf("%s: changed at %d and %d", test.name, home, page)
		}
		read := 0
		for _, fold := range []*timeline.Fold{test.read, test.readAll} {
			if fold != nil {
				read++
			}
		}
		if len(d.hashes) != read {
			t.Errorf("%s: %d hashes are kept of %d folds", test.name, len(d.hashes), read)
		}
	}
}

// TestSameFoldComparesWhatTheViewerIsShown: a viewer's own fold replaces the shared fold.
func TestSameFoldComparesWhatTheViewerIsShown(t *testing.T) {
	t.Parallel()
	const post = 7
	one, other := foldOf("one"), foldOf("other")
	for _, test := range []struct {
		name     string
		old, now *timeline.Fold // the viewer's own
		read     *timeline.Fold // the earlier shared fold
		want     bool
	}{
		{"both are shared", nil, nil, other, true},
		{"an own fold like the shared one", nil, one, nil, true},
		{"an own fold unlike the shared one", nil, other, nil, false},
		{"shared again, and alike", one, nil, nil, true},
		{"shared again, and another", other, nil, nil, false},
		{"shared again, as it is now", other, nil, other, true},
		{"own folds alike", other, other, nil, true},
		{"own folds that differ", other, one, nil, false},
	} {
		d := newDraft(newState())
		if test.read != nil {
			d.folds[post] = test.read
		}
		own := func(fold *timeline.Fold) *entry {
			e := &entry{extra: &extra{fold: fold}}
			if fold != nil {
				e.extra.hash = foldHash(fold)
			}
			return e
		}
		old := own(test.old)
		old.post = heldWith(post, one, nil)
		if same := d.sameFold(&river{key: everything(1)}, old, own(test.now)); same != test.want {
			t.Errorf("%s: %v", test.name, same)
		}
	}
}

// TestEntriesThatLookAsBeforeCountAsUnchanged changes one thing of the middle one of three
// entries and decides the entry again.
func TestEntriesThatLookAsBeforeCountAsUnchanged(t *testing.T) {
	t.Parallel()
	const post = 7
	at := func(ms int64) timeline.Cursor { return timeline.Cursor{FreshAt: ms, Post: post} }
	for _, test := range []struct {
		name    string
		change  func(*draft, *river, *riverDraft, *entry)
		changed int64 // 100: the turn's
		span    *span
	}{
		{"nothing", func(*draft, *river, *riverDraft, *entry) {}, 3, &span{at(19), at(20)}},
		{"the sets", func(_ *draft, _ *river, rd *riverDraft, _ *entry) { rd.sweepStarted = true }, 100, nil},
		{"what the viewer alone is shown", func(_ *draft, _ *river, _ *riverDraft, e *entry) { e.own = digest{9} }, 100, nil},
		{"the sets before", func(_ *draft, rv *river, _ *riverDraft, _ *entry) {
			rv.stale, rv.version, rv.swept = 4, 1, timeline.Top
		}, 100, nil},
		{"the access of a place", func(d *draft, _ *river, _ *riverDraft, _ *entry) { d.base.accessAt[11], d.base.lastAccessAt = 4, 4 }, 100, nil},
		{"the shared fold", func(d *draft, _ *river, _ *riverDraft, _ *entry) { d.folds[post] = foldOf("new") }, 100, nil},
		{"nothing since the fold changed", func(d *draft, rv *river, _ *riverDraft, _ *entry) { d.base.entryOf(rv, post).known = 4 }, 5, &span{at(19), at(20)}},
		{"nothing, with an own fold", func(d *draft, rv *river, _ *riverDraft, e *entry) {
			old := d.base.entryOf(rv, post)
			e.extra = &extra{fold: foldOf("own"), hash: digest{8}}
			old.extra, old.known = &extra{fold: foldOf("own"), hash: digest{8}}, 4
		}, 3, &span{at(19), at(20)}},
		{"its place, but not its neighbours", func(_ *draft, _ *river, _ *riverDraft, e *entry) { e.cursor = at(25) }, 3, &span{at(19), at(25)}},
		{"its place and its neighbours", func(_ *draft, _ *river, _ *riverDraft, e *entry) { e.cursor = at(35) }, 100, nil},
		{"its place, beside another entry", func(_ *draft, _ *river, rd *riverDraft, e *entry) {
			e.cursor, rd.put[99] = at(25), &entry{changed: 100}
		}, 100, nil},
		{"its place, as another left", func(_ *draft, _ *river, rd *riverDraft, e *entry) {
			e.cursor, rd.gone = at(25), map[timeline.PostID]bool{99: true}
		}, 100, nil},
		{"its place, and the floor", func(_ *draft, _ *river, rd *riverDraft, e *entry) { e.cursor, rd.floor = at(25), &timeline.Cursor{} }, 100, nil},
		{"nothing, beside another entry", func(_ *draft, _ *river, rd *riverDraft, _ *entry) {
			rd.put[99], rd.gone, rd.floor = &entry{changed: 100}, map[timeline.PostID]bool{98: true}, &timeline.Cursor{}
		}, 3, &span{at(19), at(20)}},
		{"its place on its own page", func(_ *draft, rv *river, _ *riverDraft, e *entry) { rv.key, e.cursor = single(1, post), at(35) }, 3, nil},
	} {
		st := newState()
		st.counter = 99
		rv := &river{key: everything(1), finished: true}
		for id, ms := range map[timeline.PostID]int64{6: 30, post: 20, 8: 10} {
			e := &entry{post: heldWith(id, foldOf("text"), nil), cursor: timeline.Cursor{FreshAt: ms, Post: id}, changed: 3, moved: 2, known: 5, decided: 3}
			rv.insert(e)
			e.post.entries = map[*river]*entry{rv: e}
			st.held[id] = e.post
		}
		st.entryOf(rv, post).span = &span{at(19), at(20)}
		d, e := newDraft(st), &entry{cursor: at(20), changed: 100, moved: 100}
		rd := d.riverDraft(rv)
		rd.put = map[timeline.PostID]*entry{post: e}
		test.change(d, rv, rd, e)
		d.keepUnchanged(rv, rd)
		known, moved := int64(100), int64(100)
		if test.changed == 100 {
			known = 0
		}
		if kinds[rv.key.What].single {
			moved = 2
		}
		if e.changed != test.changed || e.known != known || e.moved != moved || !reflect.DeepEqual(e.span, test.span) {
			t.Errorf("of an entry changed %s: it changed at %d and is known to %d, moved at %d, span %v", test.name, e.changed, e.known, e.moved, e.span)
		}
	}
}

// TestKeepsRankBetweenTheNeighbours moves each of three entries.
func TestKeepsRankBetweenTheNeighbours(t *testing.T) {
	t.Parallel()
	rv := &river{floor: timeline.Cursor{FreshAt: 5}}
	for _, ms := range []int64{30, 20, 10} {
		rv.order = append(rv.order, &entry{cursor: timeline.Cursor{FreshAt: ms}})
	}
	for i, keeps := range []map[int64]bool{
		{40: true, 25: true, 20: false, 15: false},
		{30: false, 29: true, 11: true, 10: false, 35: false},
		{20: false, 19: true, 5: true, 4: false, 35: false},
	} {
		for to, want := range keeps {
			if kept := rv.keepsRank(rv.order[i], timeline.Cursor{FreshAt: to}); kept != want {
				t.Errorf("entry %d moved to %d keeps its rank: %v", i, to, kept)
			}
		}
	}
	alone := &river{finished: true, order: rv.order[:1]}
	if !alone.keepsRank(alone.order[0], timeline.Cursor{FreshAt: 1}) {
		t.Error("an entry that is alone does not keep its rank")
	}
}

// TestWindowsOfEntriesThatMoved has entries that stood from 20 to 30 since pages were last sent
// the entries.
func TestWindowsOfEntriesThatMoved(t *testing.T) {
	t.Parallel()
	at := func(ms int64) timeline.Cursor { return timeline.Cursor{FreshAt: ms} }
	var s *span
	s = s.including(at(25)).including(at(20)).including(at(22)).including(at(30)).including(at(26))
	if *s != (span{at(20), at(30)}) {
		t.Errorf("the span is %v", *s)
	}
	for _, test := range []struct {
		low, high    int64
		mayHave, had bool
	}{
		{20, 31, true, true},
		{20, 30, true, false},
		{21, 31, true, false},
		{24, 26, true, false},
		{30, 40, true, false},
		{31, 40, false, false},
		{10, 21, true, false},
		{10, 20, false, false},
	} {
		w := Window{Low: at(test.low), High: at(test.high)}
		if may, had := w.mayHaveHeld(&entry{span: s}), w.alwaysHeld(&entry{span: s}); may != test.mayHave || had != test.had {
			t.Errorf("a window from %d to %d may have held it: %v, always held it: %v", test.low, test.high, may, had)
		}
	}
	if w, e := (Window{High: at(40)}), (&entry{}); w.mayHaveHeld(e) || !w.alwaysHeld(e) {
		t.Error("an entry that did not move was elsewhere")
	}
}

// TestCardsOfAnEntry gives each card of an entry a later change, and also a card that the entry
// does not show.
func TestCardsOfAnEntry(t *testing.T) {
	t.Parallel()
	const reader, author, talker, liker, stranger, group, other = 1, 2, 3, 4, 5, 6, 7
	for _, test := range []struct {
		user   timeline.UserID
		group  timeline.GroupID
		own    *timeline.Fold // the viewer's
		single bool
		want   int64
	}{
		{user: author, want: 9},
		{user: liker, want: 9},
		{user: stranger, want: 2},
		{group: group, want: 9}, // a place
		{group: other, want: 9}, // a reason
		{user: talker, want: 2},
		{user: talker, single: true, want: 9}, // with every comment
		{user: liker, own: &timeline.Fold{Author: author}, want: 2},
	} {
		st := newState()
		st.viewers[reader] = &viewer{sets: &timeline.Sets{User: reader}}
		st.timelines[10] = timeline.Timeline{ID: 10, What: timeline.WhatGroup, TheirID: group, Access: timeline.AccessPublic}
		for id := timeline.UserID(1); id <= stranger; id++ {
			st.users[id] = card[*timeline.UserCard]{changed: 2}
		}
		st.groups[group], st.groups[other] = card[*timeline.GroupCard]{changed: 1}, card[*timeline.GroupCard]{changed: 2}
		if test.user != 0 {
			st.users[test.user] = card[*timeline.UserCard]{changed: 9}
		} else {
			st.groups[test.group] = card[*timeline.GroupCard]{changed: 9}
		}
		fold := &timeline.Fold{Author: author, Likes: timeline.LikesFold{Users: []timeline.UserID{liker}}}
		all := &timeline.Fold{Author: author, Likes: fold.Likes, Comments: timeline.CommentsFold{Comments: []timeline.Comment{{User: talker}}}}
		rv := &river{key: everything(reader)}
		if test.single {
			rv.key = single(reader, 8)
		}
		e := &entry{post: heldWith(8, fold, all), extra: &extra{fold: test.own}, reasons: ReasonsOf(Reason{timeline.WhatGroup, other})}
		if at := st.cardsChangedAt(rv, e); at != test.want {
			t.Errorf("person %d, group %d, own fold %v, page of the post %v: %d, want %d", test.user, test.group, test.own != nil, test.single, at, test.want)
		}
	}
}

// TestAccessChangedAtOfWhatIsShown has an entry, decided at 5, in two timelines after their access changed.
func TestAccessChangedAtOfWhatIsShown(t *testing.T) {
	t.Parallel()
	e := &entry{post: heldWith(7, foldOf(""), nil), decided: 5, own: digest{1}}
	for _, test := range []struct {
		name         string
		now          *entry
		at, before   map[timeline.TimelineID]int64
		turn         []timeline.TimelineID // changed again in the turn under way
		shown        int64
		changedTwice bool
	}{
		{"no change", nil, nil, nil, nil, 0, false},
		{"a change before the decision", nil, map[timeline.TimelineID]int64{10: 5}, nil, []timeline.TimelineID{10}, 0, false},
		{"a change that is not shown", e, map[timeline.TimelineID]int64{10: 7}, map[timeline.TimelineID]int64{10: 5}, nil, 0, false},
		{"a change that is shown", &entry{own: digest{2}}, map[timeline.TimelineID]int64{10: 7, 11: 6}, nil, nil, 7, false},
		{"a change that takes the entry away", nil, map[timeline.TimelineID]int64{11: 6}, nil, nil, 6, false},
		{"two changes", e, map[timeline.TimelineID]int64{11: 7}, map[timeline.TimelineID]int64{11: 6}, nil, 7, true},
		{"two changes, one in this turn", e, map[timeline.TimelineID]int64{11: 7}, nil, []timeline.TimelineID{11}, 0, true},
		{"a change, and one elsewhere in this turn", e, map[timeline.TimelineID]int64{11: 7}, nil, []timeline.TimelineID{10}, 0, false},
	} {
		st := newState()
		maps.Copy(st.accessAt, test.at)
		maps.Copy(st.accessBefore, test.before)
		d := newDraft(st)
		d.accessChanged = test.turn
		if at, twice := st.accessChangedAt(e, test.now), d.accessChangedTwice(e); at != test.shown || twice != test.changedTwice {
			t.Errorf("%s: changed at %d, twice: %v", test.name, at, twice)
		}
	}
}
