package timeline_test

import (
	"fmt"

	"amstel.dev/amstel/timeline"
)

// ExampleSets_MayRead shows the visibility rule: the author reads the post; across a ban
// no post is read; any other reader reads the post if one of its places is open to them.
// The post is in Anna's private feed and in a protected group.
func ExampleSets_MayRead() {
	const (
		anna  timeline.UserID     = 1
		bert  timeline.UserID     = 2
		carl  timeline.UserID     = 3
		dora  timeline.UserID     = 4
		feed  timeline.TimelineID = 10
		group timeline.TimelineID = 20
	)
	timelines := map[timeline.TimelineID]timeline.Timeline{
		feed:  {ID: feed, What: timeline.WhatUser, TheirID: int64(anna), Access: timeline.AccessPrivate},
		group: {ID: group, What: timeline.WhatGroup, TheirID: 7, Access: timeline.AccessProtected},
	}
	lookUp := func(id timeline.TimelineID) (timeline.Timeline, bool) {
		t, ok := timelines[id]
		return t, ok
	}
	inFeed := timeline.AccessFacts{Author: anna, Places: []timeline.TimelineID{feed}}
	inBoth := timeline.AccessFacts{Author: anna, Places: []timeline.TimelineID{feed, group}}

	for _, viewer := range []struct {
		name string
		sets timeline.Sets
	}{
		{"Anna, the author", timeline.Sets{User: anna}},
		{"Bert, a subscriber of Anna", timeline.Sets{User: bert, Subscribed: map[timeline.TimelineID]bool{feed: true}}},
		{"Carl, signed in", timeline.Sets{User: carl}},
		{"Dora, a subscriber banned by Anna", timeline.Sets{
			User:       dora,
			Subscribed: map[timeline.TimelineID]bool{feed: true},
			Bans:       map[timeline.UserID]bool{anna: false},
		}},
		{"a reader without an account", timeline.Sets{}},
	} {
		fmt.Printf("%s: in the feed %t, in the feed and the group %t\n",
			viewer.name, viewer.sets.MayRead(inFeed, lookUp), viewer.sets.MayRead(inBoth, lookUp))
	}

	// Output:
	// Anna, the author: in the feed true, in the feed and the group true
	// Bert, a subscriber of Anna: in the feed true, in the feed and the group true
	// Carl, signed in: in the feed false, in the feed and the group true
	// Dora, a subscriber banned by Anna: in the feed false, in the feed and the group false
	// a reader without an account: in the feed false, in the feed and the group false
}
