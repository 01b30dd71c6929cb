package web

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A leftOffStore is a primary that counts its queries.
type leftOffStore struct {
	rows          map[leftOffKey]timeline.LeftOff
	reads, writes int
	fails         error
}

func (l *leftOffStore) LeftOff(_ context.Context, user timeline.UserID, page string) (timeline.LeftOff, error) {
	if l.fails != nil {
		return timeline.LeftOff{}, l.fails
	}
	l.reads++
	return l.rows[leftOffKey{user, page}], nil
}

func (l *leftOffStore) RecordSeen(_ context.Context, user timeline.UserID, page string, place timeline.Cursor, at time.Time) error {
	if l.fails != nil {
		return l.fails
	}
	l.writes++
	key := leftOffKey{user, page}
	l.rows[key] = l.rows[key].See(place, at)
	return nil
}

// TestLeftOffPlacesTakeOneStatementAMinute counts the statements of visits: one read a minute, and one write a minute,
// for which no visit waits.
func TestLeftOffPlacesTakeOneStatementAMinute(t *testing.T) {
	t.Parallel()
	primary := &leftOffStore{rows: make(map[leftOffKey]timeline.LeftOff)}
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	p := newLeftOffs(nil, func() time.Time { return now })
	p.store = primary
	key := leftOffKey{7, "home"}
	ctx := t.Context()
	visit := func(place int64) timeline.LeftOff {
		t.Helper()
		l, err := p.leftOff(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		p.record(key, timeline.Cursor{FreshAt: place, Post: 1})
		return l
	}
	cost := func(reads, writes int) {
		t.Helper()
		if primary.reads != reads || primary.writes != writes {
			t.Errorf("%d reads and %d writes, want %d and %d", primary.reads, primary.writes, reads, writes)
		}
	}
	keep := func() {
		t.Helper()
		if err := p.save(ctx, false); err != nil {
			t.Error(err)
		}
	}
	visit(10)
	cost(1, 0)
	keep()
	cost(1, 1)
	for i := range 9 { // the rest of the minute
		now = now.Add(6 * time.Second)
		if l := visit(int64(20 + i)); l.Seen.FreshAt == 10 && i > 0 {
			t.Errorf("what is not written yet is not known: %+v", l)
		}
		keep()
	}
	cost(1, 1)
	now = now.Add(6 * time.Second)
	keep()
	cost(1, 2)
	if got := primary.rows[key].Seen.FreshAt; got != 28 {
		t.Errorf("seen up to %d, want the newest that was noted", got)
	}
	keep() // nothing to write
	visit(30)
	cost(2, 2)

	// While the primary is away, the remembered places serve, and none is lost.
	now = now.Add(2 * time.Minute)
	primary.fails = fmt.Errorf("it is away: %w", timeline.ErrUnavailable)
	if l := visit(40); l.Seen.FreshAt != 30 {
		t.Errorf("without the primary %+v", l)
	}
	if err := p.save(ctx, false); !errors.Is(err, timeline.ErrUnavailable) {
		t.Errorf("keeping: %v", err)
	}
	primary.fails = nil
	keep()
	cost(2, 3)
	visit(50)
	keep()
	cost(3, 3) // within the minute
	if err := p.save(ctx, true); err != nil {
		t.Error(err)
	}
	cost(3, 4) // as when the node ends
	if got := primary.rows[key].Seen.FreshAt; got != 50 || len(p.notes) != 0 {
		t.Errorf("seen up to %d, %d notes left", got, len(p.notes))
	}
}

// TestPlacedPages tests for which pages places are remembered, and under which names.
func TestPlacedPages(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]river.Key{
		"home":       {Viewer: 7, What: river.KindHome, TheirID: 7},
		"user:9":     {Viewer: 7, What: river.KindUser, TheirID: 9},
		"everything": {Viewer: 7, What: river.KindEverything},
		"list:3":     {Viewer: 7, What: river.KindList, TheirID: 3},
	} {
		if got, is := leftOffKeyOf(key); !is || got != (leftOffKey{7, name}) {
			t.Errorf("%+v is kept as %v, %v", key, got, is)
		}
	}
	for _, key := range []river.Key{
		{What: river.KindEverything},
		{Viewer: 7, What: river.KindPost, TheirID: 9},
		{Viewer: 7, What: river.KindBestOf, TheirID: 4},
		{Viewer: 7, What: river.KindMostFaved, TheirID: 4},
		{Viewer: 7, What: river.KindDay, TheirID: 9, Query: "2024-05"},
	} {
		if got, is := leftOffKeyOf(key); is {
			t.Errorf("%+v is kept as %v", key, got)
		}
	}
	one, _ := leftOffKeyOf(river.Key{Viewer: 7, What: river.KindSearch, Query: "secret words"})
	other, _ := leftOffKeyOf(river.Key{Viewer: 7, What: river.KindSearch, Query: "something else"})
	if one == other || len(one.page) > 40 || one.page[:7] != "search?" {
		t.Errorf("searches are kept as %v and %v", one, other)
	}
}
