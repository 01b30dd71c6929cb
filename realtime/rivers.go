package realtime

import (
	"context"
	"encoding/json"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// Rivers is what sockets need of a node; see [OfNode].
type Rivers interface {
	// Watch tests whether the river's viewer may open it, brings it right and
	// keeps it open until the Watch is closed.
	Watch(ctx context.Context, key river.Key) (Watch, error)
	// Name is the river's uuid for who holds that credential.
	Name(key river.Key, credential []byte) string
	// WaitPosition waits a little until the node contains all of the log up to the position.
	WaitPosition(ctx context.Context, position int64) error
	// Age is how long ago the node last stood at a state of the primary.
	Age() time.Duration
}

// OfNode returns the rivers of a node.
func OfNode(n *river.Node) Rivers { return nodeRivers{n} }

type nodeRivers struct{ *river.Node }

// Watch returns no watch beside an error, where the node's would be one of no river.
func (n nodeRivers) Watch(ctx context.Context, key river.Key) (Watch, error) {
	w, err := n.Node.Watch(ctx, key)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Watch is an open river. Its methods read what the node has published and may
// be called by many at once.
type Watch interface {
	// C gets a value, of which one waits, when the river changed or ended.
	C() <-chan struct{}
	Epoch() string
	// Counter is the newest published: what Patch would lead to.
	Counter() int64
	// Resume brings a page that connects up to date.
	Resume(river.Resume) (*river.Patch, river.Window, error)
	// Patch is what has changed in the window since the counter; no Ops, and To
	// equal to From, where nothing has. [river.ErrGone]: watch it anew.
	Patch(from int64, w river.Window) (*river.Patch, error)
	// Unread is how many notices the river's viewer has not read, false for
	// everybody who is not signed in. C gets a value when it changes, too.
	Unread() (count int, known bool)
	// Viewer returns the sets by which the river's viewer reads now; false where
	// the river may not be shown to them now.
	Viewer() (*timeline.Sets, bool)
	Close()
}

// Users and Groups are the cards that entries show.
type (
	Users  = map[timeline.UserID]*timeline.UserCard
	Groups = map[timeline.GroupID]*timeline.GroupCard
)

// Renderer makes of an entry what its viewer is sent. What it makes depends on
// its arguments alone; two entries of one river with the same post and tag look
// the same.
type Renderer interface {
	EntryJSON(viewer *timeline.Sets, e *river.Entry, users Users, groups Groups) json.RawMessage
	// EntryHTML is for a page in the language of that code.
	EntryHTML(language string, viewer *timeline.Sets, e *river.Entry, users Users, groups Groups) string
	// Cards are the maps "users" and "groups" beside entries as JSON.
	Cards(viewer *timeline.Sets, users Users, groups Groups) (usersJSON, groupsJSON json.RawMessage)
}
