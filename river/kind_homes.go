package river

import (
	"maps"

	"amstel.dev/amstel/timeline"
)

// A home, and each of a viewer's lists, is fed by what his sets name: when they
// change, so may what feeds it.

// fedBySets says whether the viewer's sets say what feeds the river.
func (k kind) fedBySets() bool { return k.home || k.list }

// homeOf are the timelines that a viewer's sets have feed a home or a list of
// his; none where there is no such list. It is never nil, which would say that
// nothing is known of them.
func homeOf(key Key, sets *timeline.Sets) map[timeline.TimelineID]bool {
	var feeds map[timeline.TimelineID]bool
	if kinds[key.What].home {
		feeds = sets.Home()
	} else if list := sets.Lists[timeline.ListID(key.TheirID)]; list != nil {
		feeds = list.Feeds
	}
	if feeds == nil {
		return map[timeline.TimelineID]bool{}
	}
	return feeds
}

// homesAlike says whether two sets of a viewer's make a home or a list of his
// alike.
func homesAlike(key Key, a, b *timeline.Sets) bool {
	k := kinds[key.What]
	switch {
	case !k.fedBySets():
		return true
	case k.home && a.OwnLeftOut != b.OwnLeftOut:
		return false
	case k.list && (a.Lists[timeline.ListID(key.TheirID)] == nil) != (b.Lists[timeline.ListID(key.TheirID)] == nil):
		return false
	}
	return maps.Equal(homeOf(key, a), homeOf(key, b))
}
