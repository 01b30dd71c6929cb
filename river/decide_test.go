package river

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestDecideByTheRange: a river has no posts outside its range, even if a timeline brings the
// post and the viewer may read it.
func TestDecideByTheRange(t *testing.T) {
	t.Parallel()
	const reader, author, feed, ranking = 1, 2, 10, 11
	st := newState()
	st.viewers[reader] = &viewer{sets: &timeline.Sets{User: reader}}
	st.timelines[feed] = timeline.Timeline{ID: feed, What: timeline.WhatUser, TheirID: author, Access: timeline.AccessPublic}
	st.timelines[ranking] = timeline.Timeline{ID: ranking, What: timeline.WhatBestOf, Access: timeline.AccessPublic}
	post := timeline.FirstID(time.Date(2024, 5, 2, 12, 0, 0, 0, time.UTC))
	f := &timeline.Facts{ID: post, FreshAt: 5, Author: author, Places: []timeline.TimelineID{feed}, In: []timeline.TimelineID{feed, ranking}, Entered: []int64{5, 5}}
	ranked := *f
	ranked.Ranks = []int64{0, 7}
	day := func(query string) *river {
		return &river{key: Key{Viewer: reader, What: KindDay, TheirID: author, Query: query}, sorted: timeline.OrderCreated, finished: true}
	}
	best := &river{key: Key{Viewer: reader, What: KindBestOf}, sorted: timeline.OrderRanked, finished: true}
	lifted := func(floor int64) *river {
		return &river{key: Key{Viewer: reader, What: KindHome, TheirID: reader}, sorted: timeline.OrderLifted, floor: timeline.Cursor{FreshAt: floor}}
	}
	for _, test := range []struct {
		name  string
		river *river
		facts *timeline.Facts
		in    bool
	}{
		{"the page of the post", &river{key: single(reader, post), finished: true}, f, true},
		{"the page of another post", &river{key: single(reader, post+1), finished: true}, f, false},
		{"the day of the post", day("2024-05-02"), f, true},
		{"the next day", day("2024-05-03"), f, false},
		{"a ranking that has a rank of the post", best, &ranked, true},
		{"a ranking without a rank of the post", best, f, false},
		{"a lifted home that ends below the post", lifted(5), f, true},
		{"a lifted home that ends above the post", lifted(6), f, false},
	} {
		test.river.wants = map[timeline.TimelineID]bool{feed: test.river != best, ranking: test.river == best}
		if in := decide(st, test.river, test.facts) != nil; in != test.in {
			t.Errorf("%s has the post: %v, want %v", test.name, in, test.in)
		}
	}
}

func TestReasonsAreTheLowestIDsInOrder(t *testing.T) {
	t.Parallel()
	st := newState()
	rv := &river{wants: make(map[timeline.TimelineID]bool)}
	f := &timeline.Facts{}
	var want []int64
	for i := range int64(mostReasons + 5) {
		id := timeline.TimelineID(100 - i) // a later group has a lower timeline
		st.timelines[id] = timeline.Timeline{ID: id, What: timeline.WhatGroup, TheirID: i}
		f.In = append(f.In, id)
		if i < mostReasons {
			want = append(want, i)
		}
	}
	slices.Sort(f.In)
	for _, test := range []struct {
		feeds func(int) bool
		want  []int64
	}{
		{func(int) bool { return true }, want},
		{func(i int) bool { return i < 2 }, []int64{mostReasons + 3, mostReasons + 4}},
	} {
		if found := reasons(st, rv, f, test.feeds).Of(timeline.WhatGroup); !slices.Equal(found, test.want) {
			t.Errorf("%v, want %v", found, test.want)
		}
	}
}

// TestBannedInNamesEachOnceInOrder: entries without the same people are shown the same fold.
func TestBannedInNamesEachOnceInOrder(t *testing.T) {
	t.Parallel()
	people := func(ids ...timeline.UserID) []timeline.UserID { return ids }
	f := &timeline.Facts{Likers: people(3, 5, 7), Commenters: people(2, 5), CommentLikers: people(1, 3), FavedBy: people(4, 6)}
	for _, test := range []struct {
		banned map[timeline.UserID]bool
		want   []timeline.UserID
	}{
		{nil, nil},
		{map[timeline.UserID]bool{9: true}, nil},
		{map[timeline.UserID]bool{5: true, 2: false, 1: true, 6: false}, people(1, 2, 5, 6)},
	} {
		if met := bannedIn(&timeline.Sets{Bans: test.banned}, f); !slices.Equal(met, test.want) {
			t.Errorf("of %v: %v", test.banned, met)
		}
	}
}

// TestPlacesForReturnsReadablePlacesOnly checks which places of a post
// a viewer is shown: the places that the viewer may read; an author all of them, a
// recipient of a direct all directs, in both cases without people across a ban.
func TestPlacesForReturnsReadablePlacesOnly(t *testing.T) {
	t.Parallel()
	const author, recipient, other, stranger = 1, 2, 3, 4
	known := map[timeline.TimelineID]timeline.Timeline{
		10: {ID: 10, What: timeline.WhatUser, TheirID: author, Access: timeline.AccessPublic},
		11: {ID: 11, What: timeline.WhatGroup, TheirID: recipient, Access: timeline.AccessPrivate}, // a group with a person's number
		12: {ID: 12, What: timeline.WhatUserDirects, TheirID: recipient, Access: timeline.AccessPrivate},
		13: {ID: 13, What: timeline.WhatUserDirects, TheirID: other, Access: timeline.AccessPrivate},
		14: {ID: 14, What: timeline.WhatUserDirects, TheirID: author, Access: timeline.AccessPrivate},
		15: {ID: 15, What: timeline.WhatUserDirects, TheirID: recipient, Access: timeline.AccessPrivate}, // of a post by the stranger
	}
	timelines := func(id timeline.TimelineID) (timeline.Timeline, bool) { t, ok := known[id]; return t, ok }
	for _, test := range []struct {
		name   string
		sets   timeline.Sets
		places []timeline.TimelineID
		want   []timeline.TimelineID
		public bool
	}{
		{"a stranger, of a public feed and a private group", timeline.Sets{User: stranger}, []timeline.TimelineID{10, 11}, []timeline.TimelineID{10}, true},
		{"a visitor", timeline.Sets{}, []timeline.TimelineID{11, 10}, []timeline.TimelineID{10}, true},
		{"the author, of a group that they can't read", timeline.Sets{User: author}, []timeline.TimelineID{11, 10}, []timeline.TimelineID{11, 10}, true},
		{"the author, of what is private alone", timeline.Sets{User: author}, []timeline.TimelineID{11}, []timeline.TimelineID{11}, false},
		{"who has a group's number", timeline.Sets{User: recipient}, []timeline.TimelineID{11, 10}, []timeline.TimelineID{10}, true},
		{"a place that is not known", timeline.Sets{User: author}, []timeline.TimelineID{99, 10}, []timeline.TimelineID{10}, true},
		{"the author of a direct", timeline.Sets{User: author}, []timeline.TimelineID{12, 13}, []timeline.TimelineID{12, 13}, false},
		{"a recipient", timeline.Sets{User: recipient}, []timeline.TimelineID{12, 13}, []timeline.TimelineID{12, 13}, false},
		{"the last recipient", timeline.Sets{User: other}, []timeline.TimelineID{12, 13}, []timeline.TimelineID{12, 13}, false},
		{"a stranger, of a direct", timeline.Sets{User: stranger}, []timeline.TimelineID{12, 13}, nil, false},
		{"a visitor, of a direct", timeline.Sets{}, []timeline.TimelineID{12, 13}, nil, false},
		{"a recipient who banned another", timeline.Sets{User: recipient, Bans: map[timeline.UserID]bool{other: true}}, []timeline.TimelineID{12, 13}, []timeline.TimelineID{12}, false},
		{"an author banned by a recipient", timeline.Sets{User: author, Bans: map[timeline.UserID]bool{other: false}}, []timeline.TimelineID{12, 13}, []timeline.TimelineID{12}, false},
		{"a recipient, of a direct that is in a group too", timeline.Sets{User: recipient}, []timeline.TimelineID{12, 11}, []timeline.TimelineID{12}, false},
		{"who has the number of a group, of a direct beside it", timeline.Sets{User: recipient}, []timeline.TimelineID{11, 13}, nil, false},
		{"a recipient who is the first of all people", timeline.Sets{User: author}, []timeline.TimelineID{14, 15}, []timeline.TimelineID{14, 15}, false},
	} {
		f := &timeline.Facts{ID: 1, Author: author, Places: test.places}
		if slices.Contains(test.places, 15) {
			f.Author = stranger
		}
		places, public := placesFor(&test.sets, f, timelines)
		var ids []timeline.TimelineID
		for _, place := range places {
			ids = append(ids, place.ID)
		}
		if !slices.Equal(ids, test.want) || public != test.public {
			t.Errorf("%s is told %v, public %v; want %v, %v", test.name, ids, public, test.want, test.public)
		}
	}
}

// TestOwnHashIsOfAllThatOnlyTheViewerIsShown: each part that differs by viewer changes the hash,
// so that an open page gets the part's changes.
func TestOwnHashIsOfAllThatOnlyTheViewerIsShown(t *testing.T) {
	t.Parallel()
	const author, reader, talker = 1, 2, 3
	hash := func(change func(*timeline.Sets, *entry, *timeline.Facts, *timeline.Timeline)) digest {
		sets := &timeline.Sets{User: reader, Own: map[timeline.What]timeline.TimelineID{timeline.WhatUser: 20}, HiddenComments: map[timeline.UserID]bool{}}
		e := &entry{reasons: ReasonsOf(Reason{timeline.WhatUser, author}), extra: &extra{hits: []string{"ab"}}}
		f := &timeline.Facts{ID: 7, Author: author, Commenters: []timeline.UserID{talker}, Places: []timeline.TimelineID{10, 11}}
		group := timeline.Timeline{ID: 11, What: timeline.WhatGroup, TheirID: 5, Access: timeline.AccessProtected}
		change(sets, e, f, &group)
		st := newState()
		st.viewers[reader] = &viewer{sets: sets}
		st.timelines[10] = timeline.Timeline{ID: 10, What: timeline.WhatUser, TheirID: author, Access: timeline.AccessProtected}
		st.timelines[11] = group
		st.timelines[12] = timeline.Timeline{ID: 12, What: timeline.WhatUser, TheirID: 9, Access: timeline.AccessPublic}
		st.timelines[13] = timeline.Timeline{ID: 13, What: timeline.WhatGroup, TheirID: 6, Access: timeline.AccessProtected}
		return ownHash(st, &river{key: everything(reader)}, e, f)
	}
	seen := make(map[digest]string)
	for _, test := range []struct {
		name   string
		change func(*timeline.Sets, *entry, *timeline.Facts, *timeline.Timeline)
	}{
		{"nothing", func(*timeline.Sets, *entry, *timeline.Facts, *timeline.Timeline) {}},
		{"another reason", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			e.reasons = ReasonsOf(Reason{timeline.WhatUserLikes, author})
		}},
		{"a reason by another", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			e.reasons = ReasonsOf(Reason{timeline.WhatUser, 9})
		}},
		{"reasons of two kinds", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			e.reasons = ReasonsOf(Reason{timeline.WhatGroup, 1}, Reason{timeline.WhatMentions, math.MaxInt64})
		}},
		{"reasons of one kind, a number among them like the name of the other", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			e.reasons = ReasonsOf(Reason{timeline.WhatGroup, 1},
				Reason{timeline.WhatGroup, int64(binary.LittleEndian.Uint64([]byte(timeline.WhatMentions)))}, Reason{timeline.WhatGroup, math.MaxInt64})
		}},
		{"another hit", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			e.extra.hits = []string{"cd"}
		}},
		{"two hits that are written as one", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			e.extra.hits = []string{"a", "b"}
		}},
		{"a commenter across a ban on a post that the viewer moderates", func(sets *timeline.Sets, _ *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			sets.Bans = map[timeline.UserID]bool{talker: true}
			sets.Administers = map[timeline.GroupID]bool{5: true}
		}},
		{"two hits", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			e.extra.hits = []string{"a", "bc"}
		}},
		{"two hits that are parted elsewhere", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			e.extra.hits = []string{"ab", "c"}
		}},
		{"hidden, by its author", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) { e.hidden = true }},
		{"hidden itself", func(s *timeline.Sets, _ *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			s.HiddenPosts = map[timeline.PostID]bool{7: true}
		}},
		{"public", func(_ *timeline.Sets, _ *entry, _ *timeline.Facts, g *timeline.Timeline) {
			g.Access = timeline.AccessPublic
		}},
		{"in a group that they administer", func(s *timeline.Sets, _ *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			s.Administers = map[timeline.GroupID]bool{5: true}
		}},
		{"in one place less", func(_ *timeline.Sets, _ *entry, f *timeline.Facts, _ *timeline.Timeline) { f.Places = f.Places[:1] }},
		{"to an administrator of the site", func(s *timeline.Sets, _ *entry, _ *timeline.Facts, _ *timeline.Timeline) { s.Admin = true }},
		{"a comment folded away", func(s *timeline.Sets, _ *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			s.HiddenComments[talker] = true
		}},
		{"in a public group alone", func(_ *timeline.Sets, _ *entry, f *timeline.Facts, g *timeline.Timeline) {
			f.Places, g.Access = f.Places[1:], timeline.AccessPublic
		}},
		{"in a public group alone that excludes them", func(s *timeline.Sets, _ *entry, f *timeline.Facts, g *timeline.Timeline) {
			f.Places, g.Access, s.Excluded = f.Places[1:], timeline.AccessPublic, map[timeline.TimelineID]bool{11: true}
		}},
		{"in a public place that they can't read", func(s *timeline.Sets, _ *entry, f *timeline.Facts, _ *timeline.Timeline) {
			f.Places, s.Bans = append(f.Places, 12), map[timeline.UserID]bool{9: true}
		}},
		{"in another group", func(_ *timeline.Sets, _ *entry, f *timeline.Facts, _ *timeline.Timeline) {
			f.Places = []timeline.TimelineID{10, 13}
		}},
		{"in a group that went private", func(s *timeline.Sets, _ *entry, _ *timeline.Facts, g *timeline.Timeline) {
			g.Access, s.Subscribed = timeline.AccessPrivate, map[timeline.TimelineID]bool{11: true}
		}},
	} {
		h := hash(test.change)
		if other, is := seen[h]; is {
			t.Errorf("%s has the hash of %s", test.name, other)
		}
		seen[h] = test.name
	}
	untouched := hash(func(s *timeline.Sets, _ *entry, _ *timeline.Facts, _ *timeline.Timeline) { s.HiddenComments[99] = true })
	if seen[untouched] != "nothing" {
		t.Error("who has nothing to do with the post makes another hash")
	}
	across := hash(func(s *timeline.Sets, _ *entry, _ *timeline.Facts, _ *timeline.Timeline) {
		s.Bans = map[timeline.UserID]bool{talker: true}
	})
	if seen[across] != "nothing" {
		t.Error("a commenter across a ban on a post that the viewer does not moderate makes another hash")
	}
}
