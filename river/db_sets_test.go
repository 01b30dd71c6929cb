package river

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

func TestSetsSurviveSQLite(t *testing.T) {
	t.Parallel()
	whole := &timeline.Sets{
		User: 1, Admin: true, Suspended: true, Own: map[timeline.What]timeline.TimelineID{timeline.WhatUser: 2},
		Subscribed: map[timeline.TimelineID]bool{2: true, 3: true}, SubscribedAt: map[timeline.TimelineID]int64{2: 1_700_000_000_000, 3: 5, 5: 5}, Feeds: map[timeline.TimelineID]bool{2: true, 3: true, 4: true, 5: true},
		Requested: map[timeline.TimelineID]bool{5: true}, Incoming: 6, Bans: map[timeline.UserID]bool{7: true, 8: false},
		Excluded: map[timeline.TimelineID]bool{9: true}, Administers: map[timeline.GroupID]bool{10: true},
		HiddenPosts: map[timeline.PostID]bool{11: true}, HiddenUsers: map[timeline.UserID]bool{12: true},
	}
	for _, sets := range []*timeline.Sets{{}, {User: 7}, whole} {
		text, err := setsText(sets)
		if err != nil {
			t.Fatal(err)
		}
		got, err := setsOf(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sets, got); diff != "" {
			t.Errorf("sets (-want +got):\n%s", diff)
		}
	}
}
