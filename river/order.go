package river

import "amstel.dev/amstel/timeline"

// choice is what a river's posts are chosen from: what feeds it and its viewer
// may read.
func (d *draft) choice(rv *river) timeline.Choice {
	return timeline.Choice{Timelines: d.readable(rv)}
}
