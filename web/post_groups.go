package web

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
	"amstel.dev/amstel/web/page"
)

// postGroups remembers the groups that people can post to from their homes.
type postGroups struct {
	store *timeline.Store
	now   func() time.Time
	log   *slog.Logger
	held  *cache.Cache[timeline.UserID, reachable]
}

// reachable are the groups that a person can post to, for as long as their sets are
// the ones that the groups were found by, and for a while: what groups are called,
// and who may post there, changes without the person.
type reachable struct {
	sets   *timeline.Sets
	groups []page.Destination
}

func newPostGroups(store *timeline.Store, now func() time.Time, log *slog.Logger) *postGroups {
	return &postGroups{store, now, log, cache.New[timeline.UserID, reachable](identitiesHeld)}
}

// of returns the groups that a viewer may post to among those that they subscribe
// to; where the primary can't be asked, those that are known.
func (p *postGroups) of(ctx context.Context, who visitor, sets *timeline.Sets) []page.Destination {
	held, at, ok := p.held.Get(who.User)
	ok = ok && held.sets == sets
	now := p.now()
	if ok && now.Sub(at) < countsFresh {
		return held.groups
	}
	cards, err := p.subscribed(ctx, who)
	if err != nil {
		p.log.DebugContext(ctx, "groups to post to", "user", who.User, "err", err)
		if ok {
			return held.groups
		}
		return nil
	}
	var groups []page.Destination
	for _, card := range cards {
		// The feed is not looked at: all of these are subscribed to.
		if card.Posting != "admins" || sets.Administers[card.ID] {
			groups = append(groups, page.Destination{Value: "group:" + card.Name, Label: card.DisplayName})
		}
	}
	slices.SortFunc(groups, func(a, b page.Destination) int { return cmp.Compare(a.Label+a.Value, b.Label+b.Value) })
	p.held.Put(who.User, reachable{sets, groups}, now)
	return groups
}

func (p *postGroups) subscribed(ctx context.Context, who visitor) (map[timeline.GroupID]*timeline.GroupCard, error) {
	_, ids, err := p.store.Subscriptions(ctx, who.User, who.Name)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return p.store.GroupCards(ctx, ids)
}
