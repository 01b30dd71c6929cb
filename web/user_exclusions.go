package web

import (
	"context"
	"log/slog"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
)

// exclusions keeps the people each viewer excludes from their own feed. A viewer's
// sets do not have them, because exclusions change nothing that the viewer reads.
type exclusions struct {
	store interface {
		Excluded(ctx context.Context, actor timeline.UserID, feed timeline.FeedName) ([]timeline.UserID, error)
	}
	now  func() time.Time
	log  *slog.Logger
	held *cache.Cache[timeline.UserID, map[timeline.UserID]bool]
}

func newExclusions(store *timeline.Store, now func() time.Time, log *slog.Logger) *exclusions {
	return &exclusions{store, now, log, cache.New[timeline.UserID, map[timeline.UserID]bool](identitiesHeld)}
}

// excludedBy returns the people a person excludes from their feed, as of at most
// [countsFresh] ago. While the primary is unavailable, it returns cached people of any
// age. Name is the person's name.
func (e *exclusions) excludedBy(ctx context.Context, user timeline.UserID, name string) map[timeline.UserID]bool {
	held, at, was := e.held.Get(user)
	now := e.now()
	if was && now.Sub(at) <= countsFresh {
		return held
	}
	excluded, err := e.held.Load(user, now, func() (map[timeline.UserID]bool, error) {
		ids, err := e.store.Excluded(ctx, user, timeline.FeedName{Name: name})
		excluded := make(map[timeline.UserID]bool, len(ids))
		for _, id := range ids {
			excluded[id] = true
		}
		return excluded, err
	})
	if err != nil {
		e.log.DebugContext(ctx, "could not read exclusions", "user", user, "err", err)
		return held
	}
	return excluded
}

// drop removes the exclusions of a person, so that the next page reads them again.
func (e *exclusions) drop(user timeline.UserID) { e.held.Drop(user) }
