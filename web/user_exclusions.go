package web

import (
	"context"
	"log/slog"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
)

// exclusions remembers whom people exclude from their feeds, which is no part of
// their sets.
type exclusions struct {
	store *timeline.Store
	now   func() time.Time
	log   *slog.Logger
	held  *cache.Cache[timeline.UserID, map[timeline.UserID]bool]
}

func newExclusions(store *timeline.Store, now func() time.Time, log *slog.Logger) *exclusions {
	return &exclusions{store, now, log, cache.New[timeline.UserID, map[timeline.UserID]bool](identitiesHeld)}
}

// of returns whom a person excludes from their feed. That is remembered for as long
// as counts are, or until they change it on this node.
func (e *exclusions) of(ctx context.Context, user timeline.UserID, name string) map[timeline.UserID]bool {
	held, at, was := e.held.Get(user)
	now := e.now()
	if was && now.Sub(at) <= countsFresh {
		return held
	}
	ids, err := e.store.Excluded(ctx, user, timeline.FeedName{Name: name})
	if err != nil {
		e.log.DebugContext(ctx, "whom somebody excludes", "user", user, "err", err)
		return held
	}
	excluded := make(map[timeline.UserID]bool, len(ids))
	for _, id := range ids {
		excluded[id] = true
	}
	e.held.Put(user, excluded, now)
	return excluded
}

// drop has it read anew whom a person excludes.
func (e *exclusions) drop(user timeline.UserID) { e.held.Drop(user) }
