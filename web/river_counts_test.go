package web

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/cache"
)

// TestCountBegunBeforeADropIsNotKept: a request counts the subscribers of alice. Before it has
// the answer, another request adds a subscriber and drops the cached number. The next page shows
// the new number.
func TestCountBegunBeforeADropIsNotKept(t *testing.T) {
	t.Parallel()
	c := newCounts(nil, time.Now, slog.New(slog.DiscardHandler))
	alice := address.Account{User: 7}
	key := counter{whose: alice}
	n, known := c.count(t.Context(), key, nil, func(*timeline.Sets) (int, error) {
		c.drop(alice, 8)
		return 1, nil
	})
	if n != 1 || !known {
		t.Errorf("the first page shows %d, %v", n, known)
	}
	if n, _ := c.count(t.Context(), key, nil, func(*timeline.Sets) (int, error) { return 2, nil }); n != 2 {
		t.Errorf("after the drop a page shows %d, want 2", n)
	}
	if n, _ := c.count(t.Context(), key, nil, func(*timeline.Sets) (int, error) { return 3, nil }); n != 2 {
		t.Errorf("the number that was read after the drop is not kept: %d, want 2", n)
	}
}

// An excluding is a store in which a person excludes others, and may exclude one more while the
// exclusions are read.
type excluding struct {
	ids    []timeline.UserID
	during func()
}

func (e *excluding) Excluded(context.Context, timeline.UserID, timeline.FeedName) ([]timeline.UserID, error) {
	ids := e.ids
	if e.during != nil {
		e.during()
	}
	return ids, nil
}

func TestExclusionsReadBeforeADropAreNotKept(t *testing.T) {
	t.Parallel()
	store := &excluding{}
	e := &exclusions{store: store, now: time.Now, log: slog.New(slog.DiscardHandler), held: cache.New[timeline.UserID, map[timeline.UserID]bool](2)}
	store.during = func() {
		store.ids = []timeline.UserID{9}
		e.drop(7)
	}
	if e.excludedBy(t.Context(), 7, "alice")[9] {
		t.Error("the reading that began before the change has it")
	}
	store.during = nil
	if !e.excludedBy(t.Context(), 7, "alice")[9] {
		t.Error("the exclusions from before the change are still used")
	}
}
