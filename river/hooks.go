package river

import "amstel.dev/amstel/timeline"

// A point is a moment in a node's work, between two steps of a turn or a build. A
// process that dies there leaves something half done.
type point string

// The points of a turn, in order.
const (
	pointBegun     point = "river: begun"
	pointSequenced point = "river: sequenced" // committed changes have positions; there is no snapshot yet
	pointRead      point = "river: read"      // the change log is read in the turn's snapshot
	pointRouted    point = "river: routed"    // the changes are routed into the draft; no build is installed yet
	pointDecided   point = "river: decided"   // the draft is whole
	pointWriting   point = "river: writing"   // the river DB is about to be written, or to be made
	pointWritten   point = "river: written"
	pointApplying  point = "river: applying" // the state is locked, and about to change
	pointPublished point = "river: published"
)

// The points of a build.
const (
	pointRegistered point = "river: registered" // turns note changes in the build, which has no snapshot yet
	pointBuilding   point = "river: building"   // the build has a snapshot
)

// hooks are called during a node's work. The hooks of a serving node report the names of points
// (see [tells]). The hooks of a test stop the node at a point, make it fail there, or change its
// data.
type hooks interface {
	// reached is called at each point. An error from reached makes the turn or build fail at the
	// point.
	reached(at point) error
	// handles is called before the posts are read, decided, folded, compared or published.
	handles(stage string, posts []timeline.PostID)
}

// tells are hooks that call a function with the name of each point.
type tells func(point string)

func (t tells) reached(at point) error {
	t(string(at))
	return nil
}

func (t tells) handles(string, []timeline.PostID) {}

// reached calls the node's hooks at a point.
func (n *Node) reached(at point) error { return n.cfg.hooks.reached(at) }
