package river

import "amstel.dev/amstel/timeline"

// access are the checks that keep from a viewer what the viewer may not see. What one
// of them hides, another hides too, should the first be wrong.
type access interface {
	// addressable reports whether a river can be asked for: that of a viewer's own
	// things only by that viewer.
	addressable(key Key) bool
	// opens reports whether a page opens to a viewer who may read the timeline.
	opens(sets *timeline.Sets, gate timeline.Timeline) bool
	// reads reports whether a viewer may read a post.
	reads(sets *timeline.Sets, f *timeline.Facts, timelines func(timeline.TimelineID) (timeline.Timeline, bool)) bool
	// feeds reports whether a timeline brings posts into a viewer's rivers.
	feeds(sets *timeline.Sets, t timeline.Timeline) bool
}

// checks is the access of every node.
type checks struct{}

func (checks) addressable(key Key) bool { return key.valid() }

func (checks) opens(sets *timeline.Sets, gate timeline.Timeline) bool { return sets.Readable(gate) }

// reads asks the visibility rule.
func (checks) reads(sets *timeline.Sets, f *timeline.Facts, timelines func(timeline.TimelineID) (timeline.Timeline, bool)) bool {
	return sets.MayRead(f.Deciding(), timelines)
}

func (checks) feeds(sets *timeline.Sets, t timeline.Timeline) bool { return sets.Readable(t) }
