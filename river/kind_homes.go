package river

import (
	"maps"

	"amstel.dev/amstel/timeline"
)

// A viewer's sets say which timelines feed the viewer's home and lists. So when the
// sets change, the timelines may change.

// fedBySets reports whether the viewer's sets say which timelines feed the river.
func (k kind) fedBySets() bool { return k.home || k.list }

// homeOf returns the timelines of a home or a list by its viewer's sets, none for a missing
// list. It never returns nil, because a nil map in a river's draft means "unchanged".
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

// homesAlike reports whether two versions of a viewer's sets give a home or a list
// the same timelines.
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
