package web

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
)

// groupAdmins caches the administrators of a group, and some of its members, as each viewer may see them.
type groupAdmins struct {
	store *timeline.Store
	now   func() time.Time
	log   *slog.Logger
	held  *cache.Cache[adminsOf, administrators]
}

// adminsOf names the administrators of a group as one viewer sees them; all visitors without
// an account are viewer 0.
type adminsOf struct {
	viewer timeline.UserID
	group  timeline.GroupID
}

// administrators are outdated once the viewer has other sets, and after a while.
type administrators struct {
	sets    *timeline.Sets
	cards   []*timeline.UserCard
	members []*timeline.UserCard // some, to show their faces
}

// shownMembers is how many members of a group its page shows.
const shownMembers = 8

func newGroupAdmins(store *timeline.Store, now func() time.Time, log *slog.Logger) *groupAdmins {
	return &groupAdmins{store, now, log, cache.New[adminsOf, administrators](countsHeld)}
}

// shown returns the administrators of a group by name, and some of its members, without people on
// the other side of a ban from the viewer, at most [countsFresh] old. A viewer who may not read
// the group gets none. While the primary is unavailable, shown returns the names cached for the
// viewer.
func (g *groupAdmins) shown(ctx context.Context, viewer *timeline.Sets, group timeline.GroupID, name string) (admins, members []*timeline.UserCard) {
	key := adminsOf{group: group}
	if viewer != nil && viewer.User != 0 {
		key.viewer = viewer.User
	} else {
		viewer = nil
	}
	held, at, was := g.held.Get(key)
	was = was && held.sets == viewer
	now := g.now()
	if was && now.Sub(at) <= countsFresh {
		return held.cards, held.members
	}
	found, err := g.held.Load(key, now, func() (administrators, error) {
		ids, err := g.store.Admins(ctx, key.viewer, name)
		if err != nil {
			return administrators{}, err
		}
		some, err := g.store.SomeSubscribers(ctx, key.viewer, name, shownMembers)
		if err != nil {
			return administrators{}, err
		}
		cards, err := g.store.UserCards(ctx, slices.Concat(ids, some))
		if err != nil {
			return administrators{}, err
		}
		read := administrators{sets: viewer}
		for _, id := range ids {
			if card := cards[id]; card != nil {
				read.cards = append(read.cards, card)
			}
		}
		for _, id := range some {
			if card := cards[id]; card != nil {
				read.members = append(read.members, card)
			}
		}
		return read, nil
	})
	if err != nil {
		g.log.DebugContext(ctx, "could not read the administrators of a group", "group", group, "err", err)
		if was {
			return held.cards, held.members
		}
		return nil, nil
	}
	return found.cards, found.members
}

// dropPerson makes the next page of each group that shows a person read its administrators and
// members again.
func (g *groupAdmins) dropPerson(id timeline.UserID) {
	g.held.DropIf(func(a administrators) bool {
		return slices.ContainsFunc(slices.Concat(a.cards, a.members), func(card *timeline.UserCard) bool { return card.ID == id })
	})
}

// drop makes the next page of a group, for the viewer and for visitors, read the administrators again.
func (g *groupAdmins) drop(group timeline.GroupID, viewer timeline.UserID) {
	g.held.Drop(adminsOf{viewer, group})
	g.held.Drop(adminsOf{0, group})
}
