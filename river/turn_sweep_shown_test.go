package river

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestConfirmedEntries has a river swept down to 20.
func TestConfirmedEntries(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		stale   int64
		version int32
		at      int64
		want    bool
	}{
		{0, 4, 10, true}, // the sweep is over
		{1, 4, 10, false},
		{1, 4, 20, true},
		{1, 4, 30, true},
		{1, 5, 10, true},
	} {
		rv := &river{sweepState: sweepState{version: 5, stale: test.stale, swept: timeline.Cursor{FreshAt: 20}}}
		if is := rv.confirmed(&entry{version: test.version, cursor: timeline.Cursor{FreshAt: test.at}}); is != test.want {
			t.Errorf("an entry of version %d at %d is confirmed: %v; stale since %d", test.version, test.at, is, test.stale)
		}
	}
}

// TestAccessChangedSinceTheDecision has an entry in the timelines 10 and 11, decided at 5.
func TestAccessChangedSinceTheDecision(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		of   timeline.TimelineID
		at   int64
		want bool
	}{{10, 5, false}, {10, 6, true}, {11, 6, true}, {12, 6, false}} {
		st := newState()
		st.accessAt[test.of], st.lastAccessAt = test.at, 9 // elsewhere
		if since := st.accessChangedSince(&entry{post: heldWith(7, foldOf(""), nil), decided: 5}); since != test.want {
			t.Errorf("timeline %d at %d: %v", test.of, test.at, since)
		}
	}
}

// A oneShown is a river of viewer 1 with an entry of post 7, by person 2 in their public feed.
type oneShown struct {
	st   *state
	rv   *river
	e    *entry
	sets *timeline.Sets
}

func newOneShown() *oneShown {
	s := &oneShown{st: newState(), sets: &timeline.Sets{User: 1}}
	s.st.viewers[1] = &viewer{sets: s.sets}
	s.st.timelines[10] = timeline.Timeline{ID: 10, What: timeline.WhatUser, TheirID: 2, Access: timeline.AccessPublic}
	s.rv = &river{key: Key{Viewer: 1, What: KindUser, TheirID: 2}, wants: map[timeline.TimelineID]bool{10: true}, finished: true}
	h := heldWith(7, foldOf("text"), nil)
	h.facts = &timeline.Facts{ID: 7, Author: 2, Places: []timeline.TimelineID{10}, In: []timeline.TimelineID{10}, Entered: []int64{1}, Likers: []timeline.UserID{3}}
	s.e = &entry{post: h, changed: 3, known: 5, decided: 5, own: digest{1}, extra: &extra{hash: digest{2}}}
	return s
}

// unconfirmed has the viewer's sets change at 9, and again if twice.
func (s *oneShown) unconfirmed(twice bool) {
	s.rv.stale, s.rv.version, s.rv.swept, s.rv.staleTwice = 9, 1, timeline.Top, twice
}

// TestShownChangedAtCountsWhatTheViewerIsShown changes one thing since an entry changed at 3. The entry is shown as
// before, in another form, or no longer.
func TestShownChangedAtCountsWhatTheViewerIsShown(t *testing.T) {
	t.Parallel()
	author := func(status string, at int64) func(s *oneShown) {
		return func(s *oneShown) {
			s.st.users[2] = card[*timeline.UserCard]{card: &timeline.UserCard{Status: status}, changed: at}
		}
	}
	for _, test := range []struct {
		name              string
		change            func(s *oneShown)
		same, other, gone int64
	}{
		{"nothing", func(*oneShown) {}, 3, 3, 3},
		{"the fold that viewers share", func(s *oneShown) { s.e.post.changed = 6 }, 6, 6, 6},
		{"the fold that viewers share, of which the viewer has their own", func(s *oneShown) { s.e.post.changed, s.e.extra.fold = 6, foldOf("own") }, 3, 3, 3},
		{"a card", func(s *oneShown) { author("public", 9)(s); s.e.post.touched = 9 }, 9, 9, 3},
		{"a card that others are shown", func(s *oneShown) { s.e.post.touched = 9 }, 3, 3, 3},
		{"a card before", func(s *oneShown) { author("public", 9)(s); s.e.post.touched = 2 }, 3, 3, 3},
		{"the account of the author was deleted", author(timeline.StatusDeleted, 8), 3, 3, 8},
		{"access", func(s *oneShown) { s.st.accessAt[10], s.st.lastAccessAt = 9, 9 }, 3, 9, 9},
		{"access, before the last change", func(s *oneShown) { s.e.changed, s.st.accessAt[10], s.st.lastAccessAt = 10, 9, 9 }, 10, 10, 10},
		{"the sets", func(s *oneShown) { s.unconfirmed(false) }, 3, 9, 9},
		{"the sets, twice", func(s *oneShown) { s.unconfirmed(true) }, 9, 9, 9},
		{"the sets, and the entry was decided since", func(s *oneShown) { s.unconfirmed(true); s.e.version = 1 }, 3, 3, 3},
	} {
		s := newOneShown()
		test.change(s)
		same, other := *s.e, *s.e
		other.own = digest{9}
		for i, now := range []*entry{&same, &other, nil} {
			if at, want := s.st.shownChangedAt(s.rv, s.e, now), []int64{test.same, test.other, test.gone}[i]; at != want {
				t.Errorf("%s, %s: changed at %d, want %d", test.name, []string{"shown as before", "shown in another form", "no longer shown"}[i], at, want)
			}
		}
	}
}

// TestCurrentEntryIsDecidedByTheStateOfNow: an entry that a change of rights may affect is
// decided again when it is shown.
func TestCurrentEntryIsDecidedByTheStateOfNow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(s *oneShown)
		want   string
	}{
		{"nothing changed", func(*oneShown) {}, "the same"},
		{"the viewer may not read it", func(s *oneShown) { s.sets.Bans = map[timeline.UserID]bool{2: true} }, "none"},
		{"the sets changed", func(s *oneShown) { s.unconfirmed(false) }, "decided again"},
		{"the sets changed, and it is hidden", func(s *oneShown) { s.unconfirmed(false); s.sets.HiddenUsers = map[timeline.UserID]bool{2: true} }, "decided again, hidden"},
		{"the sets changed, and the viewer may not read it", func(s *oneShown) { s.unconfirmed(false); s.sets.Bans = map[timeline.UserID]bool{2: true} }, "none"},
		{"the sets changed, and its fold is to leave another person out", func(s *oneShown) { s.unconfirmed(false); s.sets.Bans = map[timeline.UserID]bool{3: true} }, "none"},
		{"the sets changed, and its fold leaves out whom it should", func(s *oneShown) {
			s.unconfirmed(false)
			s.sets.Bans = map[timeline.UserID]bool{3: true}
			s.e.extra = &extra{without: []timeline.UserID{3}, fold: foldOf("own")}
		}, "decided again"},
		{"access changed", func(s *oneShown) { s.st.accessAt[10], s.st.lastAccessAt = 9, 9 }, "decided again"},
	} {
		s := newOneShown()
		test.change(s)
		got := "decided again"
		switch now := s.st.currentEntry(s.rv, s.e); {
		case now == nil:
			got = "none"
		case now == s.e:
			got = "the same"
		default:
			if now.hidden {
				got += ", hidden"
			}
			if now.extra != s.e.extra || now.post != s.e.post {
				t.Errorf("%s: it lost its fold", test.name)
			}
			if now.own != ownHash(s.st, s.rv, now, s.e.post.facts) {
				t.Errorf("%s: it has another hash than what the viewer is shown", test.name)
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestSetsThatSeeAlike(t *testing.T) {
	t.Parallel()
	people, timelines := map[timeline.UserID]bool{1: true}, map[timeline.TimelineID]bool{1: true}
	for _, test := range []struct {
		sets timeline.Sets
		want bool
	}{
		{timeline.Sets{}, true},
		{timeline.Sets{Requested: timelines}, true},
		{timeline.Sets{Invited: timelines}, true},
		{timeline.Sets{Incoming: 1}, true},
		{timeline.Sets{HiddenPosts: map[timeline.PostID]bool{1: true}}, true},
		{timeline.Sets{Muted: timelines}, true},
		{timeline.Sets{Lists: map[timeline.ListID]*timeline.List{1: {}}}, true},
		{timeline.Sets{OwnLeftOut: true}, true},
		{timeline.Sets{Bans: people}, false},
		{timeline.Sets{Subscribed: timelines}, false},
		{timeline.Sets{Excluded: timelines}, false},
		{timeline.Sets{HiddenUsers: people}, false},
		{timeline.Sets{HiddenComments: people}, false},
		{timeline.Sets{Since: map[timeline.TimelineID]int64{1: 1}}, false},
		{timeline.Sets{Admin: true}, false},
	} {
		if alike := seesAlike(&timeline.Sets{}, &test.sets); alike != test.want {
			t.Errorf("%+v decides as no sets do: %v", test.sets, alike)
		}
	}
}

// TestSweepBegins changes the sets of a viewer. The viewer's river has four entries; a turn
// sweeps three.
func TestSweepBegins(t *testing.T) {
	t.Parallel()
	home, list := Key{Viewer: 1, What: KindHome, TheirID: 1}, Key{Viewer: 1, What: KindList, TheirID: 5}
	for _, test := range []struct {
		name   string
		key    Key
		change func(rv *river, rd *riverDraft)
		want   string // dropped, the sweep, the floor, and the river's timelines
	}{
		{"a closed river", home, func(*river, *riverDraft) {}, "swept below Top, ends at 20, fed by [11]"},
		{"a closed river of one chunk", home, func(rv *river, _ *riverDraft) { rv.order = rv.order[:3] }, "swept below Top, fed by [11]"},
		{"a closed river that ends higher already", home, func(_ *river, rd *riverDraft) { rd.floor = &timeline.Cursor{FreshAt: 30} }, "swept below Top, ends at 30, fed by [11]"},
		{"an open river", home, func(rv *river, _ *riverDraft) { rv.watching.Store(1) }, "swept below Top, fed by [11]"},
		{"a river that the sets do not feed", everything(1), func(*river, *riverDraft) {}, "swept below Top, ends at 20, fed by []"},
		{"a list that is gone", list, func(*river, *riverDraft) {}, "dropped"},
	} {
		st := newState()
		d := newDraft(st)
		d.sets[1] = &timeline.Sets{User: 1, Feeds: map[timeline.TimelineID]bool{11: true}}
		rv := &river{key: test.key, finished: true}
		for _, ms := range []int64{40, 30, 20, 10} {
			rv.order = append(rv.order, &entry{cursor: timeline.Cursor{FreshAt: ms}})
		}
		n := &Node{st: st}
		n.cfg.Settings.chunk = 3
		rd := d.riverDraft(rv)
		rd.sweepDone, rd.finished = true, true
		test.change(rv, rd)
		(&router{node: n, draft: d}).startSweep(rv)
		got := "dropped"
		if !rd.dropped {
			got = "not swept"
			if rd.sweepStarted && rd.changed && !rd.sweepDone && *rd.swept == timeline.Top {
				got = "swept below Top"
			}
			if rd.floor != nil {
				got += fmt.Sprint(", ends at ", rd.floor.FreshAt)
				if rd.finished != (rd.floor.FreshAt == 30) {
					t.Errorf("%s: goes to the bottom: %v", test.name, rd.finished)
				}
			}
			got += fmt.Sprint(", fed by ", keysOf(rd.wants))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if rd.dropped == rd.sweepStarted {
			t.Errorf("%s: dropped %v, sweep begun %v", test.name, rd.dropped, rd.sweepStarted)
		}
	}
}
