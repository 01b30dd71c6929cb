package river

import (
	"slices"
	"testing"

	"amstel.dev/amstel/timeline"
)

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

// TestOwnHashIsOfAllThatOnlyTheViewerIsShown holds that each thing of it makes
// another hash, so that an open page is told of its change.
func TestOwnHashIsOfAllThatOnlyTheViewerIsShown(t *testing.T) {
	t.Parallel()
	const author, reader, talker = 1, 2, 3
	hash := func(change func(*timeline.Sets, *entry, *timeline.Facts, *timeline.Timeline)) digest {
		sets := &timeline.Sets{User: reader, Own: map[timeline.What]timeline.TimelineID{timeline.WhatUser: 20}, HiddenComments: map[timeline.UserID]bool{}}
		e := &entry{reasons: Reasons{timeline.WhatUser: {author}}, hits: []string{"ab"}}
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
			e.reasons = Reasons{timeline.WhatUserLikes: {author}}
		}},
		{"a reason by another", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) {
			e.reasons = Reasons{timeline.WhatUser: {9}}
		}},
		{"another hit", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) { e.hits = []string{"cd"} }},
		{"two hits that are written as one", func(_ *timeline.Sets, e *entry, _ *timeline.Facts, _ *timeline.Timeline) { e.hits = []string{"a", "b"} }},
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
}
