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

// joinedGroups caches the groups that people subscribe to.
type joinedGroups struct {
	store *timeline.Store
	now   func() time.Time
	log   *slog.Logger
	held  *cache.Cache[timeline.UserID, joined]
}

// joined are the groups that a person subscribes to, those joined last first. They are
// outdated once the person has other sets, and after a while: the names and rules of groups
// change without the person.
type joined struct {
	sets  *timeline.Sets
	cards []*timeline.GroupCard
}

func newJoinedGroups(store *timeline.Store, now func() time.Time, log *slog.Logger) *joinedGroups {
	return &joinedGroups{store, now, log, cache.New[timeline.UserID, joined](identitiesHeld)}
}

// destinations returns the groups that a viewer subscribes to and may post to, by name.
func (j *joinedGroups) destinations(ctx context.Context, who visitor, sets *timeline.Sets) []page.Destination {
	var groups []page.Destination
	for _, card := range j.cards(ctx, who, sets) {
		// The viewer subscribes to all of these.
		if card.Posting != "admins" || sets.Administers[card.ID] {
			groups = append(groups, page.Destination{Value: "group:" + card.Name, Label: card.DisplayName, Open: page.OpenTo(card.Status)})
		}
	}
	slices.SortFunc(groups, func(a, b page.Destination) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Value, b.Value))
	})
	return groups
}

// destinationsHere returns the group destinations that a page offers at once: the groups that
// the viewer joined last, and the chosen ones. The page of all places has the others; more is
// their number.
func (j *joinedGroups) destinationsHere(ctx context.Context, who visitor, sets *timeline.Sets, chosen []string) (here []page.Destination, more int) {
	all := j.destinations(ctx, who, sets)
	if len(all) <= page.ShownGroups+fewMore {
		return all, 0
	}
	for _, card := range j.cards(ctx, who, sets) {
		value := "group:" + card.Name
		at := slices.IndexFunc(all, func(d page.Destination) bool { return d.Value == value })
		if at >= 0 && (len(here) < page.ShownGroups || slices.Contains(chosen, value)) {
			here = append(here, all[at])
		}
	}
	return here, len(all) - len(here)
}

// fewMore is how many groups are too few for a page of their own.
const fewMore = 3

// newest returns the groups that a viewer joined last. sets may be nil: then the answer may miss
// recent changes.
func (j *joinedGroups) newest(ctx context.Context, who visitor, sets *timeline.Sets) []*timeline.GroupCard {
	cards := j.cards(ctx, who, sets)
	return cards[:min(len(cards), page.ShownGroups)]
}

// cards returns the groups of a viewer's subscriptions. While the primary is unavailable, it
// returns cached ones.
func (j *joinedGroups) cards(ctx context.Context, who visitor, sets *timeline.Sets) []*timeline.GroupCard {
	held, at, ok := j.held.Get(who.User)
	ok = ok && (sets == nil || held.sets == sets)
	now := j.now()
	if ok && now.Sub(at) < countsFresh {
		return held.cards
	}
	cards, err := j.read(ctx, who)
	if err != nil {
		j.log.DebugContext(ctx, "could not read the groups of a person", "user", who.User, "err", err)
		if ok {
			return held.cards
		}
		return nil
	}
	j.held.Put(who.User, joined{sets, cards}, now)
	return cards
}

// read reads the groups of a viewer's subscriptions, the last one joined first.
func (j *joinedGroups) read(ctx context.Context, who visitor) ([]*timeline.GroupCard, error) {
	_, ids, err := j.store.Subscriptions(ctx, who.User, who.Name)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	found, err := j.store.GroupCards(ctx, ids)
	if err != nil {
		return nil, err
	}
	cards := make([]*timeline.GroupCard, 0, len(ids))
	for _, id := range ids {
		if card := found[id]; card != nil {
			cards = append(cards, card)
		}
	}
	return cards, nil
}
