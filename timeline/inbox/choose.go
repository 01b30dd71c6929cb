package inbox

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// A header holds the columns of an inbox's row that a read needs.
type header struct {
	id     int64
	source string
	low    timeline.Cursor // the low place: the inbox has every post of its choice above this place
}

// An item is an entry of an inbox.
type item struct {
	at   timeline.Cursor
	data []byte // the embedded fields, as JSON; nil: none
}

// Choose returns a part of a choice from an inbox. If no inbox of the choice is ready, it returns
// ok = false and remembers a wish for the inbox. It also returns ok = false below the low place of
// the inbox, and if too many posts wait in inbox_fanouts.
//
// Example: an inbox has posts at 90, 80 and 70, and its low place is 60. The post at 80 waits in
// inbox_fanouts, and stands at 95 now by the timelines. A read of two posts below 100 returns the
// posts at 95 and 90. A read below 70 finds no entry in the inbox, so the timelines are read.
func (in *Source) Choose(ctx context.Context, q primary.Querier, c timeline.Choice, below timeline.Cursor, want int) (chosen timeline.Chosen, ok bool, err error) {
	// The inbox of the source in the site's settings comes first. Until it is ready, the inbox of
	// another source serves, which the settings named before.
	const find = `
		select i.id, i.source, i.low_at, i.low_post
		from inboxes i join log_head h on h.uuid = i.log_uuid
		where i.kind = $1 and i.viewer_id = $2 and i.their_id = $3 and i.choice = $4 and i.ready
		order by i.source = $5 desc, i.id limit 1`
	const pending = `select distinct post_id from inbox_fanouts limit $1`
	if want <= 0 || len(c.Timelines) == 0 {
		return chosen, false, nil
	}
	w := wishFor(c)
	var (
		h       header
		waiting []timeline.PostID
		b       pgx.Batch
	)
	b.Queue(find, w.key.Kind, w.key.Viewer, w.key.Their, w.hash, w.key.Source).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&h.id, &h.source, &h.low.FreshAt, &h.low.Post)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	b.Queue(pending, in.opts.FanoutMax+1).Query(primary.Collect(&waiting))
	if err := q.SendBatch(ctx, &b).Close(); err != nil {
		return chosen, false, err
	}
	switch {
	case h.id == 0:
		in.counts.missed.Add(1)
		in.wish(w)
		return chosen, false, nil
	case !h.low.Below(below):
		in.counts.below.Add(1)
		return chosen, false, nil
	case len(waiting) > in.opts.FanoutMax:
		in.counts.waiting.Add(1)
		return chosen, false, nil
	}
	if h.source != w.key.Source {
		in.wish(w)
	}
	items, low, err := readItems(ctx, q, h, below, want)
	if err != nil {
		return chosen, false, err
	}
	if items, low, err = in.pull(ctx, q, h, c, items, low, below, want); err != nil {
		return chosen, false, err
	}
	if items, err = overlay(ctx, q, c, items, waiting, low, below); err != nil {
		return chosen, false, err
	}
	if len(items) > want {
		items, low = items[:want], items[want-1].at
	}
	if len(items) == 0 && low != (timeline.Cursor{}) {
		in.counts.below.Add(1)
		return chosen, false, nil
	}
	in.counts.chosen.Add(1)
	in.noteRead(h.id)
	chosen.Low = low
	for _, it := range items {
		chosen.Posts = append(chosen.Posts, it.at)
		if it.data != nil {
			if chosen.Embedded == nil {
				chosen.Embedded = make(map[timeline.PostID][]byte)
			}
			chosen.Embedded[it.at.Post] = it.data
		}
	}
	return chosen, true, nil
}

// above returns the lowest place that is above c. The zero place, the end of all posts, stays.
func above(c timeline.Cursor) timeline.Cursor {
	if c == (timeline.Cursor{}) {
		return c
	}
	if c.Post == math.MaxInt64 { // dropDocuments sets such a low place
		return timeline.Cursor{FreshAt: c.FreshAt + 1}
	}
	c.Post++
	return c
}

// readItems returns the entries of an inbox below a cursor, sorted, and the place low down to which
// they are complete. It returns want entries, unless the inbox has fewer.
func readItems(ctx context.Context, q primary.Querier, h header, below timeline.Cursor, want int) (items []item, low timeline.Cursor, err error) {
	if keepsDocuments(h.source) {
		return readDocuments(ctx, q, h, below, want)
	}
	const query = `
		select at, post_id, data from inbox_rows
		where inbox_id = $1 and (at, post_id) < ($2, $3)
		order by at desc, post_id desc limit $4`
	rows, err := q.Query(ctx, query, h.id, below.FreshAt, below.Post, want)
	if err != nil {
		return nil, low, err
	}
	var one item
	_, err = pgx.ForEachRow(rows, []any{&one.at.FreshAt, &one.at.Post, &one.data}, func() error {
		if h.low.Below(one.at) {
			items = append(items, one)
		}
		one.data = nil
		return nil
	})
	if err != nil {
		return nil, low, err
	}
	if len(items) == want {
		return items, items[want-1].at, nil
	}
	return items, above(h.low), nil
}

// pull merges the posts of the inbox's pulled timelines into the entries. Writes to a pulled timeline
// are not pushed to inboxes, so its posts are read from the timeline. pull returns the entries, and
// the place down to which they are complete.
func (in *Source) pull(ctx context.Context, q primary.Querier, h header, c timeline.Choice, items []item, low, below timeline.Cursor, want int) ([]item, timeline.Cursor, error) {
	const query = `select timeline_id from inbox_feeds where inbox_id = $1 and pulled`
	var ids []timeline.TimelineID
	if err := primary.Read(ctx, q, &ids, query, h.id); err != nil || len(ids) == 0 {
		return items, low, err
	}
	in.counts.pulls.Add(1)
	part := c
	part.Timelines = make(map[timeline.TimelineID]bool, len(ids))
	for _, id := range ids {
		part.Timelines[id] = true
	}
	for at := below; ; {
		found, err := timeline.ChooseRead(ctx, q, part, at, want)
		if err != nil {
			return nil, low, err
		}
		if len(found.Posts) == 0 && at == below {
			in.counts.emptyPulls.Add(1)
		}
		// The place of a post may depend on other timelines of the choice too.
		posts := make([]timeline.PostID, 0, len(found.Posts))
		for _, one := range found.Posts {
			posts = append(posts, one.Post)
		}
		places, err := timeline.PlacesOf(ctx, q, c, posts)
		if err != nil {
			return nil, low, err
		}
		to := low
		if to.Below(found.Low) {
			to = found.Low
		}
		var merged []item
		have := make(map[timeline.PostID]bool, len(items))
		for _, it := range items {
			if !it.at.Below(to) {
				merged = append(merged, it)
				have[it.at.Post] = true
			}
		}
		for _, place := range places {
			if !have[place.Post] && place.Below(below) && !place.Below(to) {
				merged = append(merged, item{at: place})
			}
		}
		if len(merged) > 0 || !low.Below(found.Low) {
			slices.SortFunc(merged, func(a, b item) int { return a.at.Compare(b.at) })
			return merged, to, nil
		}
		at = found.Low
	}
}

// overlay corrects the places of the posts in inbox_fanouts, of which not all inboxes know yet: it
// removes the entries of these posts, and adds the posts where they stand by the timelines.
func overlay(ctx context.Context, q primary.Querier, c timeline.Choice, items []item, waiting []timeline.PostID, low, below timeline.Cursor) ([]item, error) {
	if len(waiting) == 0 {
		return items, nil
	}
	places, err := timeline.PlacesOf(ctx, q, c, waiting)
	if err != nil {
		return nil, err
	}
	out := make(map[timeline.PostID]bool, len(waiting))
	for _, post := range waiting {
		out[post] = true
	}
	items = slices.DeleteFunc(items, func(it item) bool { return out[it.at.Post] })
	for _, place := range places {
		if place.Below(below) && !place.Below(low) {
			items = append(items, item{at: place})
		}
	}
	slices.SortFunc(items, func(a, b item) int { return a.at.Compare(b.at) })
	return items, nil
}
