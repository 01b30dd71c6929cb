package timeline

import (
	"maps"
	"testing"
)

// TestReadable has viewers with and without each right read timelines of each access.
func TestReadable(t *testing.T) {
	t.Parallel()
	const viewer, owner, id = 1, 2, 10
	this := map[TimelineID]bool{id: true}
	stranger := Sets{User: viewer}
	ofAnother := []What{WhatUser, WhatUserPrivate, WhatUserLikes, WhatUserComments}
	for _, test := range []struct {
		name     string
		sets     Sets
		whats    []What
		their    int64
		accesses map[Access]bool
	}{
		{"a visitor", Sets{}, ofAnother, owner, map[Access]bool{AccessPublic: true}},
		{"a visitor, of what belongs to number 0", Sets{}, []What{WhatUser}, 0, map[Access]bool{AccessPublic: true}},
		{"a stranger", stranger, ofAnother, owner, map[Access]bool{AccessPublic: true, AccessProtected: true}},
		{"a stranger, of a group with their number", stranger, []What{WhatGroup}, viewer, map[Access]bool{AccessPublic: true, AccessProtected: true}},
		{"the owner", stranger, ofAnother, viewer, map[Access]bool{AccessPublic: true, AccessProtected: true, AccessPrivate: true, AccessOwner: true}},
		{"a subscriber", Sets{User: viewer, Subscribed: this}, []What{WhatUser, WhatGroup}, owner, map[Access]bool{AccessPublic: true, AccessProtected: true, AccessPrivate: true}},
		{"a subscriber of the feed, of likes", Sets{User: viewer, Feeds: this}, []What{WhatUserLikes}, owner, map[Access]bool{AccessPublic: true, AccessProtected: true, AccessPrivate: true}},
		{"a visitor with subscriptions", Sets{Subscribed: this}, []What{WhatGroup}, owner, map[Access]bool{AccessPublic: true}},
		{"an excluded subscriber", Sets{User: viewer, Subscribed: this, Excluded: this}, []What{WhatGroup}, owner, map[Access]bool{AccessPublic: true}},
		{"a viewer who banned the owner", Sets{User: viewer, Subscribed: this, Bans: map[UserID]bool{owner: true}}, ofAnother, owner, nil},
		{"a viewer banned by the owner", Sets{User: viewer, Subscribed: this, Bans: map[UserID]bool{owner: false}}, ofAnother, owner, nil},
		{"a viewer who banned a person with the group's number", Sets{User: viewer, Bans: map[UserID]bool{owner: true}}, []What{WhatGroup}, owner, map[Access]bool{AccessPublic: true, AccessProtected: true}},
	} {
		for _, what := range test.whats {
			for _, access := range []Access{AccessPublic, AccessProtected, AccessPrivate, AccessOwner, AccessClosed} {
				timeline := Timeline{ID: id, What: what, TheirID: test.their, Access: access}
				if may := test.sets.Readable(timeline); may != test.accesses[access] {
					t.Errorf("%s may read a %s timeline of kind %s: %v", test.name, access, what, may)
				}
			}
		}
	}
}

func TestMayRead(t *testing.T) {
	t.Parallel()
	const viewer, author, open, shut, unknown = 1, 2, 10, 11, 12
	timelines := func(id TimelineID) (Timeline, bool) {
		t := Timeline{ID: id, What: WhatGroup, TheirID: 5, Access: AccessPublic} // an unknown timeline too
		if id == shut {
			t.Access = AccessPrivate
		}
		return t, id != unknown
	}
	for _, test := range []struct {
		name  string
		sets  Sets
		facts AccessFacts
		want  bool
	}{
		{"in a readable place", Sets{User: viewer}, AccessFacts{author, false, []TimelineID{open}}, true},
		{"of a visitor, in a readable place", Sets{}, AccessFacts{author, false, []TimelineID{open}}, true},
		{"in an unreadable place", Sets{User: viewer}, AccessFacts{author, false, []TimelineID{shut}}, false},
		{"in a readable place beside an unreadable one", Sets{User: viewer}, AccessFacts{author, false, []TimelineID{shut, open}}, true},
		{"in a place that is not known", Sets{User: viewer}, AccessFacts{author, false, []TimelineID{unknown}}, false},
		{"in no place", Sets{User: viewer}, AccessFacts{author, false, nil}, false},
		{"of the viewer, in an unreadable place", Sets{User: viewer}, AccessFacts{viewer, false, []TimelineID{shut}}, true},
		{"without an author, to a visitor", Sets{}, AccessFacts{0, false, []TimelineID{shut}}, false},
		{"deleted", Sets{User: viewer}, AccessFacts{author, true, []TimelineID{open}}, false},
		{"of the viewer, deleted", Sets{User: viewer}, AccessFacts{viewer, true, []TimelineID{open}}, false},
		{"of a person banned by the viewer", Sets{User: viewer, Bans: map[UserID]bool{author: true}}, AccessFacts{author, false, []TimelineID{open}}, false},
		{"of a person who banned the viewer", Sets{User: viewer, Bans: map[UserID]bool{author: false}}, AccessFacts{author, false, []TimelineID{open}}, false},
	} {
		if may := test.sets.MayRead(test.facts, timelines); may != test.want {
			t.Errorf("a post %s: may read %v, want %v", test.name, may, test.want)
		}
	}
}

func TestHomeIsOfFeedsThatAreNotMuted(t *testing.T) {
	t.Parallel()
	feeds := map[TimelineID]bool{1: true, 2: true}
	for _, test := range []struct{ muted, want map[TimelineID]bool }{
		{nil, feeds},
		{map[TimelineID]bool{2: true}, map[TimelineID]bool{1: true}},
		{map[TimelineID]bool{1: true, 2: true, 3: true}, map[TimelineID]bool{}},
	} {
		s := Sets{Feeds: feeds, Muted: test.muted}
		if home := s.Home(); !maps.Equal(home, test.want) {
			t.Errorf("without %v: %v, want %v", test.muted, home, test.want)
		}
	}
}
