package timeline

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A Source finds the posts of rivers without reading timelines: it keeps the posts in inboxes.
// See package timeline/inbox.
//
// A source never decides what a viewer is shown. It returns the posts of a choice, in the order
// and with the bounds that [Snapshot.Choose] promises, or reports that it can't.
type Source interface {
	// Choose returns a part of a choice. ok is false if the source can't answer, and the caller is
	// to read the timelines. All statements run in q, which shows one state of the primary.
	Choose(ctx context.Context, q primary.Querier, c Choice, below Cursor, want int) (chosen Chosen, ok bool, err error)
	// Written adds statements to the batch of a transaction that made these changes. It returns
	// a function with the rest of the work, to be called before the commit, or nil.
	Written(changes []Change, b *pgx.Batch) (rest func(context.Context, primary.Querier) error)
}

// An InboxKey says for which river a [Source] may keep the posts of a choice.
type InboxKey struct {
	Kind   string // of the river
	Viewer UserID // 0: the inbox is of all viewers who have the same choice
	Their  int64  // the id of the list, person, group or hashtag that the river is about; 0: none
	Source string // the name of the source that the site has set for the kind; SourceRead: none
	// Settings are what the site has set for all sources.
	Settings SourceSettings
}

// unready replaces [Source.Written] in a store without a source: it marks the inboxes of a
// change as not ready, so that they are filled again. So a program without inboxes may write at
// any time. unready also updates inboxes that are not ready already: a fill may hold the lock of
// such an inbox, without seeing the change, and would make the inbox ready. The update waits for
// the lock.
func unready(changes []Change, b *pgx.Batch) func(context.Context, primary.Querier) error {
	const query = `
		update inboxes set ready = false
		where id in (
			select f.inbox_id from inbox_feeds f
			where f.timeline_id = any(array(select timeline_id from timeline_entries where post_id = $1) || $2::bigint[]))`
	const cards = `update inboxes set ready = false where embeds like '%author%'`
	for _, c := range changes {
		switch c.Kind {
		case ChangePost:
			b.Queue(query, c.Post, c.Timelines)
		case ChangeCard:
			b.Queue(cards)
		}
	}
	return nil
}

// fromSource returns a part of a choice from the source of the river; ok is false if the
// timelines are to be read.
func (sn *Snapshot) fromSource(ctx context.Context, c Choice, below Cursor, want int) (chosen Chosen, ok bool, err error) {
	if sn.source == nil || c.Inbox.Source == "" || c.Inbox.Source == SourceRead || c.Query != nil {
		return chosen, false, nil
	}
	if c.Order != OrderFresh && c.Order != OrderLifted {
		return chosen, false, nil
	}
	chosen, ok, err = sn.source.Choose(ctx, sn.tx, c, below, want)
	if err == nil && ok {
		err = sn.embeds.add(chosen.Embedded)
	}
	return chosen, ok, err
}

// ChooseRead returns a part of a choice by reading the timelines, whatever the source of
// the river is; see [Snapshot.Choose].
func ChooseRead(ctx context.Context, q primary.Querier, c Choice, below Cursor, want int) (_ Chosen, err error) {
	defer primary.Wrap(&err, "choose %d posts of %d timelines", want, len(c.Timelines))
	switch {
	case want <= 0:
		return Chosen{Low: below}, nil
	case len(c.Timelines) == 0:
		return Chosen{}, nil
	}
	switch c.Order {
	case OrderCreated:
		return chooseByTime(ctx, q, createdStream(c.From, c.Until), c.Timelines, below, want)
	case OrderRanked:
		return chooseRanked(ctx, q, c, below, want)
	case OrderLifted:
		return chooseLifted(ctx, q, c, below, want)
	}
	return chooseByTime(ctx, q, freshStream(), c.Timelines, below, want)
}

// PlacesOf returns the places of posts in a choice in OrderFresh or OrderLifted, in no order. It
// leaves out posts outside the choice.
func PlacesOf(ctx context.Context, q primary.Querier, c Choice, posts []PostID) (found []Cursor, err error) {
	defer primary.Wrap(&err, "places of %d posts", len(posts))
	if len(posts) == 0 || len(c.Timelines) == 0 {
		return nil, nil
	}
	if c.Order == OrderLifted {
		t := liftedTimelines(c)
		return liftedPlaces(ctx, q, posts, t.ids, t.base, t.since, t.began)
	}
	const query = `
		select distinct e.fresh_at, e.post_id from timeline_entries e
		where e.post_id = any($1) and e.timeline_id = any($2)`
	rows, err := q.Query(ctx, query, primary.Planned, posts, slices.Sorted(maps.Keys(c.Timelines)))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Cursor])
}
