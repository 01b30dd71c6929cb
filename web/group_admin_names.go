package web

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
)

// groupAdmins caches who administers a group, as each viewer may know.
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
	sets  *timeline.Sets
	cards []*timeline.UserCard
}

func newGroupAdmins(store *timeline.Store, now func() time.Time, log *slog.Logger) *groupAdmins {
	return &groupAdmins{store, now, log, cache.New[adminsOf, administrators](countsHeld)}
}

// shown returns the administrators of a group by name, without people on the other side of a
// ban from the viewer, at most [countsFresh] old. It returns none to a viewer who may not read
// the group. While the primary is unavailable, it returns what is cached for the viewer.
func (g *groupAdmins) shown(ctx context.Context, viewer *timeline.Sets, group timeline.GroupID, name string) []*timeline.UserCard {
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
		return held.cards
	}
	found, err := g.held.Load(key, now, func() (administrators, error) {
		ids, err := g.store.Admins(ctx, key.viewer, name)
		if err != nil {
			return administrators{}, err
		}
		cards, err := g.store.UserCards(ctx, ids)
		if err != nil {
			return administrators{}, err
		}
		read := administrators{sets: viewer}
		for _, id := range ids {
			if card := cards[id]; card != nil {
				read.cards = append(read.cards, card)
			}
		}
		return read, nil
	})
	if err != nil {
		g.log.DebugContext(ctx, "could not read the administrators of a group", "group", group, "err", err)
		if was {
			return held.cards
		}
		return nil
	}
	return found.cards
}

// dropPerson makes the next page of each group that a person administers read the
// administrators again.
func (g *groupAdmins) dropPerson(id timeline.UserID) {
	g.held.DropIf(func(a administrators) bool {
		return slices.ContainsFunc(a.cards, func(card *timeline.UserCard) bool { return card.ID == id })
	})
}

// drop makes the next page of the group that a viewer asks for read the administrators again.
func (g *groupAdmins) drop(group timeline.GroupID, viewer timeline.UserID) {
	g.held.Drop(adminsOf{viewer, group})
	g.held.Drop(adminsOf{0, group})
}
