package realtime

import (
	"context"
	"encoding/json"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// Rivers holds the functions of a node that sockets use. [OfNode] returns the rivers of a real
// node.
type Rivers interface {
	// Watch checks that the river's viewer may open the river, brings the river up to date, and
	// keeps it open until the Watch is closed.
	Watch(ctx context.Context, key river.Key) (Watch, error)
	// Name returns the river's uuid for a viewer with that credential.
	Name(key river.Key, credential []byte) string
	// WaitPosition waits, for a bounded time, until the node has followed the log up to the
	// position.
	WaitPosition(ctx context.Context, position int64) error
	// Age returns how long ago the turn began that published the state that the node shows.
	Age() time.Duration
}

// OfNode returns the rivers of a node.
func OfNode(n *river.Node) Rivers { return nodeRivers{n} }

type nodeRivers struct{ *river.Node }

// Watch returns a nil Watch beside an error. The nil *river.Watch that the node returns
// would be an interface value other than nil.
func (n nodeRivers) Watch(ctx context.Context, key river.Key) (Watch, error) {
	w, err := n.Node.Watch(ctx, key)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// A Watch is an open river. Its methods read the node's published state. Many goroutines may
// call them at once.
type Watch interface {
	// C returns a channel that gets a value when the river has changed or ended. The channel holds
	// one value, and may be closed when the river has ended.
	C() <-chan struct{}
	Epoch() string
	// Counter returns the newest published counter, to which Patch leads.
	Counter() int64
	// Resume returns the patch that brings a connecting page up to date, and the page's window.
	Resume(river.Resume) (*river.Patch, river.Window, error)
	// Patch returns what has changed in the window since the counter. If nothing has,
	// the patch has no Ops, and To equals From. After [river.ErrGone] the river must be
	// watched anew.
	Patch(from int64, w river.Window) (*river.Patch, error)
	// Unread returns the numbers of unread notices of the river's viewer, or false for
	// viewer 0. C gets a value when a number changes, too.
	Unread() (u river.Unread, known bool)
	// Viewer returns the sets by which the river's viewer reads now, or false if the
	// viewer may not be shown the river now.
	Viewer() (*timeline.Sets, bool)
	Close()
}

// Users and Groups are the cards that entries show.
type (
	Users  = map[timeline.UserID]*timeline.UserCard
	Groups = map[timeline.GroupID]*timeline.GroupCard
)

// Renderer renders entries for their viewers. The result depends on the arguments alone,
// and is the same for two entries of one river with the same post, version, place and tag.
type Renderer interface {
	EntryJSON(viewer *timeline.Sets, e *river.Entry, users Users, groups Groups) json.RawMessage
	// EntryHTML renders an entry for a page in a language, given its code.
	EntryHTML(language string, viewer *timeline.Sets, e *river.Entry, users Users, groups Groups) string
	// Cards returns the maps "users" and "groups" beside entries as JSON.
	Cards(viewer *timeline.Sets, users Users, groups Groups) (usersJSON, groupsJSON json.RawMessage)
}
