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

// postGroups caches the groups to which people can post from their homes.
type postGroups struct {
	store *timeline.Store
	now   func() time.Time
	log   *slog.Logger
	held  *cache.Cache[timeline.UserID, reachable]
}

// reachable are the groups to which a person can post. They are outdated once the person
// has other sets, and after a while: the names and rules of groups change without the
// person.
type reachable struct {
	sets   *timeline.Sets
	groups []page.Destination
}

func newPostGroups(store *timeline.Store, now func() time.Time, log *slog.Logger) *postGroups {
	return &postGroups{store, now, log, cache.New[timeline.UserID, reachable](identitiesHeld)}
}

// destinations returns the groups that a viewer subscribes to and may post to. While the
// primary is unavailable, it returns what is cached.
func (p *postGroups) destinations(ctx context.Context, who visitor, sets *timeline.Sets) []page.Destination {
	held, at, ok := p.held.Get(who.User)
	ok = ok && held.sets == sets
	now := p.now()
	if ok && now.Sub(at) < countsFresh {
		return held.groups
	}
	cards, err := p.subscribed(ctx, who)
	if err != nil {
		p.log.DebugContext(ctx, "could not read the groups to post to", "user", who.User, "err", err)
		if ok {
			return held.groups
		}
		return nil
	}
	var groups []page.Destination
	for _, card := range cards {
		// The viewer subscribes to all of these.
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
