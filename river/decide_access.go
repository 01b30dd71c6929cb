package river

import "amstel.dev/amstel/timeline"

// An access holds the checks that keep posts from viewers who may not read them. The checks
// overlap: if one is wrong, another still hides the post.
type access interface {
	// addressable reports whether any viewer may ask for a river under this key. A
	// river of a viewer's own things can be asked for by that viewer alone.
	addressable(key Key) bool
	// opens reports whether a page with this gate opens to a viewer.
	opens(sets *timeline.Sets, gate timeline.Timeline) bool
	// reads reports whether a viewer may read a post whose timelines a basis knows.
	reads(b basis, sets *timeline.Sets, f *timeline.Facts) bool
	// feeds reports whether a timeline brings posts into a viewer's rivers.
	feeds(sets *timeline.Sets, t timeline.Timeline) bool
}

// checks is the access of every node.
type checks struct{}

func (checks) addressable(key Key) bool { return key.valid() }

func (checks) opens(sets *timeline.Sets, gate timeline.Timeline) bool { return sets.Readable(gate) }

// reads reports whether the visibility rule lets the viewer read the post.
func (checks) reads(b basis, sets *timeline.Sets, f *timeline.Facts) bool {
	return sets.MayRead(f.Access(), b.timeline)
}

func (checks) feeds(sets *timeline.Sets, t timeline.Timeline) bool { return sets.Readable(t) }
