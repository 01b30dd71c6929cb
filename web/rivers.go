package web

import (
	"context"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// Rivers are what pages are read from; [river.Node] is the one there is.
type Rivers interface {
	// Visit reads a page of a river, and makes or keeps the river.
	Visit(context.Context, river.Key, river.At) (*river.View, error)
	// Stamp is the Epoch and Changed that Visit would answer, where that can be
	// told without it; it counts as a visit.
	Stamp(river.Key, river.At) (epoch string, changed int64, ok bool)
	// Since counts what a living river has above a place.
	Since(river.Key, timeline.Cursor) (news river.News, ok bool)
	// Acted is for the answer to a write: the river's state with that one entry.
	Acted(context.Context, river.Key, timeline.PostID) (*river.View, error)
	// Sync returns when what was committed before is shown, or after 300 ms.
	Sync(context.Context) error
	// Tighten returns when what was taken away is shown nowhere any more.
	Tighten(context.Context) error
	// Quarantine has a post left out of all rivers from the next turn on.
	Quarantine(post timeline.PostID, why any)
	// Age is the time since the node last stood at a state of the primary.
	Age() time.Duration
	// Position is that state's place in the change log.
	Position() int64
	// Reach waits a little until the node contains all of the log up to the position.
	Reach(ctx context.Context, position int64) error
	// Name is the river's uuid for who holds that credential, and Named its reverse.
	Name(key river.Key, credential []byte) string
	Named(uuid string) (river.Key, bool)
}
