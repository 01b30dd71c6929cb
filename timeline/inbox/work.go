package inbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// A ChoiceOf returns the present choice of a river, with the source that the site has set for the
// river. The error is [timeline.ErrNotFound] if there is no such river.
type ChoiceOf func(ctx context.Context, key timeline.InboxKey) (timeline.Choice, error)

// retryAfter is the time after which a worker tries again to update the inboxes of a post.
const retryAfter = time.Second

// tick is the time between two looks for work that other processes have left.
const tick = 2 * time.Second

// Run works on inboxes until the context ends: it fills the inboxes that visits wished for, updates
// the inboxes of posts that have many, and applies changed settings. It logs failures and tries
// again. Several processes may run it at the same time.
func (in *Source) Run(ctx context.Context, log *slog.Logger, store *timeline.Store, choiceOf ChoiceOf) {
	for {
		for {
			more, err := in.Work(ctx, store, choiceOf)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				log.Error("work on inboxes is left for later", "err", err)
			}
			if err != nil || !more {
				break
			}
		}
		select {
		case <-in.bell:
		case <-time.After(tick):
		case <-ctx.Done():
			return
		}
	}
}

// Work does the most urgent step of work, and reports whether there may be more.
func (in *Source) Work(ctx context.Context, store *timeline.Store, choiceOf ChoiceOf) (more bool, err error) {
	defer primary.Wrap(&err, "work on inboxes")
	const any = `
		select exists (select from inboxes) or exists (select from inbox_fanouts) or exists (select from inbox_stale)`
	db := store.Primary()
	site, err := store.SiteSettings(ctx)
	if err != nil {
		return false, err
	}
	if !site.Source.Used() { // on a site without sources this query is all that is done
		if err := db.Pool.QueryRow(ctx, any).Scan(&more); err != nil || !more {
			return false, err
		}
	}
	if more, err = in.tellChunk(ctx, db); more || err != nil {
		return more, err
	}
	if err := in.makeWished(ctx, db); err != nil {
		return false, err
	}
	if more, err = in.fillOne(ctx, db); more || err != nil {
		return more, err
	}
	if more, err = in.refresh(ctx, db, choiceOf); more || err != nil {
		return more, err
	}
	if !in.due(site.Source) {
		return false, nil
	}
	if more, err = in.populate(ctx, db, site.Source, choiceOf); more || err != nil {
		return more, err
	}
	if more, err = in.tidy(ctx, db, site.Source); more || err != nil {
		return more, err
	}
	in.rest(site.Source)
	return in.review(ctx, db, site.Source)
}

// tellChunk updates the next chunk of inboxes of a post that waits in inbox_fanouts.
func (in *Source) tellChunk(ctx context.Context, db *primary.DB) (did bool, err error) {
	const next = `
		select id, post_id, timelines, done, tries from inbox_fanouts
		where retry_at <= clock_timestamp()
		order by id for update skip locked limit 1`
	const concerned = `
		select distinct f.inbox_id from inbox_feeds f
		where not f.pulled and f.inbox_id > $3
			and f.timeline_id = any(array(select timeline_id from timeline_entries where post_id = $1) || $2::bigint[])
		order by 1 limit $4`
	const on = `update inbox_fanouts set done = $2, tries = 0 where id = $1`
	const finish = `delete from inbox_fanouts where id = $1`
	const failed = `
		update inbox_fanouts set tries = tries + 1, failure = $2, retry_at = clock_timestamp() + $3 where id = $1`
	// After the last try, all inboxes that may have the post are marked as not ready. They are filled
	// again, and the fills find the post.
	const giveUp = `
		with gone as (delete from inbox_fanouts where id = $1 returning post_id, timelines)
		update inboxes i set ready = false
		from gone g
		where exists (
			select from inbox_feeds f where f.inbox_id = i.id and not f.pulled
				and f.timeline_id = any(array(select timeline_id from timeline_entries where post_id = g.post_id) || g.timelines))`
	var id, done int64
	var post timeline.PostID
	var tried int
	err = db.Write(ctx, func(tx *primary.Tx) error {
		var left []timeline.TimelineID
		id = 0
		err := tx.QueryRow(ctx, next).Scan(&id, &post, &left, &done, &tried)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		var ids []int64
		if err := primary.Read(ctx, tx, &ids, concerned, post, left, done, in.opts.Chunk); err != nil {
			return err
		}
		if err := in.tell(ctx, tx, post, ids); err != nil {
			return err
		}
		in.opts.Reached(PointTold)
		if len(ids) < in.opts.Chunk {
			_, err = tx.Exec(ctx, finish, id)
			return err
		}
		_, err = tx.Exec(ctx, on, id, ids[len(ids)-1])
		return err
	})
	if err == nil || id == 0 || ctx.Err() != nil {
		if err == nil && id != 0 {
			in.counts.chunks.Add(1)
		}
		return id != 0 && err == nil, err
	}
	why := err
	if tried+1 < tries {
		_, err = db.Pool.Exec(ctx, failed, id, why.Error(), retryAfter)
	} else {
		_, err = db.Pool.Exec(ctx, giveUp, id)
	}
	return false, errors.Join(fmt.Errorf("tell inboxes of post %d: %w", post, why), err)
}

// makeWished makes the inboxes that visits wished for, and writes down which inboxes were read.
func (in *Source) makeWished(ctx context.Context, db *primary.DB) error {
	const read = `
		update inboxes i set read_at = now()
		from (select id from inboxes where id = any($1) and read_at < now() - interval '1 hour' order by id for update skip locked) k
		where i.id = k.id`
	in.mu.Lock()
	wishes, ids := in.wishes, make([]int64, 0, len(in.read))
	in.wishes = make(map[string]wish)
	for id := range in.read {
		ids = append(ids, id)
	}
	clear(in.read)
	in.mu.Unlock()
	for _, w := range wishes {
		if err := in.make(ctx, db, w); err != nil {
			return err
		}
	}
	if len(ids) == 0 {
		return nil
	}
	_, err := db.Pool.Exec(ctx, read, ids)
	return err
}

// refresh updates the inboxes of a person whose sets changed: it replaces an inbox whose choice is
// another one now, and deletes an inbox whose river the person can't have any more.
func (in *Source) refresh(ctx context.Context, db *primary.DB, choiceOf ChoiceOf) (did bool, err error) {
	const next = `delete from inbox_stale where viewer_id = (select viewer_id from inbox_stale order by 1 for update skip locked limit 1) returning viewer_id`
	const of = `select id, kind, their_id, source, choice from inboxes where viewer_id = $1`
	const remove = `delete from inboxes where id = $1`
	var viewer timeline.UserID
	err = db.Pool.QueryRow(ctx, next).Scan(&viewer)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	type inbox struct {
		id     int64
		key    timeline.InboxKey
		choice []byte
	}
	rows, err := db.Pool.Query(ctx, of, viewer)
	if err != nil {
		return false, err
	}
	inboxes, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (one inbox, err error) {
		one.key.Viewer = viewer
		return one, row.Scan(&one.id, &one.key.Kind, &one.key.Their, &one.key.Source, &one.choice)
	})
	if err != nil {
		return false, err
	}
	for _, one := range inboxes {
		c, err := choiceOf(ctx, one.key)
		w := wishFor(c)
		if errors.Is(err, timeline.ErrNotFound) || errors.Is(err, timeline.ErrUnauthorized) || errors.Is(err, timeline.ErrForbidden) || err == nil && w.tooMany() {
			if _, err := db.Pool.Exec(ctx, remove, one.id); err != nil {
				return false, err
			}
			continue
		}
		if err != nil {
			return false, err
		}
		if string(w.hash) != string(one.choice) && c.Inbox.Source == one.key.Source {
			if err := in.make(ctx, db, w); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// due reports whether it is time to look for inboxes that are missing or superfluous. It is time after
// a change of the settings, after inboxes were made or filled, and every minute.
func (in *Source) due(s timeline.SourceSettings) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.changed || in.settings != s || time.Since(in.rested) > reviewEvery
}

// rest notes that, by these settings, no inbox is missing or superfluous now.
func (in *Source) rest(s timeline.SourceSettings) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.changed, in.settings, in.rested = false, s, time.Now()
	clear(in.walked)
}

// populate makes missing inboxes of homes and lists, twenty at a time, for the sources with one
// inbox for each reader. Each call continues after the last reader, so readers who can have no
// inbox do not hold up the others.
func (in *Source) populate(ctx context.Context, db *primary.DB, s timeline.SourceSettings, choiceOf ChoiceOf) (more bool, err error) {
	const some = 20
	const homes = `
		select u.id, u.id from users u
		where u.id > $2 and u.status <> 'deleted'
			and not exists (select from inboxes i where i.viewer_id = u.id and i.kind = 'home' and i.source = $1)
		order by u.id limit $3`
	const lists = `
		select l.user_id, l.id from lists l
		where l.id > $2 and not exists (
			select from inboxes i where i.viewer_id = l.user_id and i.kind = 'list' and i.their_id = l.id and i.source = $1)
		order by l.id limit $3`
	for kind, query := range map[string]string{"home": homes, "list": lists} {
		source := s.Of(kind)
		if source != timeline.SourceTimed && source != timeline.SourceSized && source != timeline.SourceSegments {
			continue // the kind has no inboxes, or visits make them
		}
		walk := kind + "/" + source
		rows, err := db.Pool.Query(ctx, query, source, in.walked[walk], some)
		if err != nil {
			return false, err
		}
		keys, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (key timeline.InboxKey, err error) {
			key.Kind, key.Source = kind, source
			return key, row.Scan(&key.Viewer, &key.Their)
		})
		if err != nil {
			return false, err
		}
		more = more || len(keys) == some
		for _, key := range keys {
			in.walked[walk] = key.Their
			c, err := choiceOf(ctx, key)
			if errors.Is(err, timeline.ErrNotFound) || errors.Is(err, timeline.ErrUnauthorized) || errors.Is(err, timeline.ErrForbidden) {
				continue
			}
			if err != nil {
				return false, err
			}
			if c.Inbox.Source != source { // the settings changed meanwhile
				continue
			}
			w := wishFor(c)
			if w.tooMany() {
				continue
			}
			if err := in.make(ctx, db, w); err != nil {
				return false, err
			}
			more = true
		}
	}
	return more, nil
}

// tidy deletes inboxes that no river reads any more. It marks inboxes as not ready, so that they are
// filled again, if the settings have changed or the change log has begun another life.
func (in *Source) tidy(ctx context.Context, db *primary.DB, s timeline.SourceSettings) (more bool, err error) {
	const unlogged = `update inboxes set ready = false where ready and log_uuid <> (select uuid from log_head)`
	// Delete the inbox of the previous source when the inbox of the new source is ready.
	const replaced = `
		delete from inboxes i using unnest($1::text[], $2::text[]) k(kind, source)
		where i.kind = k.kind and i.source <> k.source and (k.source = 'read' or exists (
			select from inboxes o where o.kind = i.kind and o.viewer_id = i.viewer_id and o.their_id = i.their_id
				and o.choice = i.choice and o.source = k.source and o.ready))`
	const idle = `
		delete from inboxes
		where (source in ('capped', 'hybrid') or kind not in ('home', 'list')) and read_at < now() - $1::interval`
	const resized = `
		select i.id from inboxes i join unnest($1::text[], $2::text[]) k(kind, source) on i.kind = k.kind and i.source = k.source
		where i.source = 'segments' and i.size <> $3 and i.ready limit 100`
	const remade = `
		update inboxes i set ready = false, size = k.size, depth = $4, embeds = $5
		from unnest($1::text[], $2::text[], $3::bigint[]) k(kind, source, size)
		where i.kind = k.kind and i.source = k.source and (i.size <> k.size or i.depth <> $4 or i.embeds <> $5)`
	kinds := timeline.SourceKinds()
	var sources []string
	var sizes []int64
	for _, kind := range kinds {
		source := s.Of(kind)
		sources, sizes = append(sources, source), append(sizes, sizeOf(s, source))
	}
	var ids []int64
	slots := sizeOf(s, timeline.SourceSegments)
	if err := primary.Read(ctx, db.Pool, &ids, resized, kinds, sources, slots); err != nil {
		return false, err
	}
	for _, id := range ids {
		if err := in.resizeOne(ctx, db, id, slots); err != nil {
			return false, err
		}
	}
	n := int64(len(ids))
	for _, do := range []struct {
		query string
		args  []any
	}{
		{unlogged, nil},
		{replaced, []any{kinds, sources}},
		{idle, []any{s.Idle}},
		{remade, []any{kinds, sources, sizes, int(s.Depth), s.Embed}},
	} {
		tag, err := db.Pool.Exec(ctx, do.query, do.args...)
		if err != nil {
			return false, err
		}
		n += tag.RowsAffected()
	}
	return n > 0, nil
}

// resizeOne gives the rings of an inbox another number of slots.
func (in *Source) resizeOne(ctx context.Context, db *primary.DB, id, size int64) error {
	return db.Write(ctx, func(tx *primary.Tx) error {
		found, err := lock(ctx, tx, []int64{id})
		if err != nil || found[id] == nil {
			return err
		}
		if err := resize(ctx, tx, found[id], size); err != nil {
			return fmt.Errorf("resize inbox %d: %w", id, err)
		}
		return save(ctx, tx, []*state{found[id]})
	})
}

// reviewEvery is the time between two reviews of which timelines have many subscribers now.
const reviewEvery = time.Minute

// review finds the timelines that must change from pushed to pulled, or back, because the numbers of
// their subscribers changed, and has their inboxes filled again. It deletes inboxes of too many
// timelines. What a river shows does not depend on review, which only moves work between writes and
// reads. It reports whether there are inboxes to fill.
func (in *Source) review(ctx context.Context, db *primary.DB, s timeline.SourceSettings) (did bool, err error) {
	const flip = `
		with many as (
			select t.id, $2 > 0 and sum((select count(*) from (select from subscriptions s where s.timeline_id = b.id limit $2) n)) >= $2 pulled
			from (select distinct f.timeline_id id from inbox_feeds f join inboxes i on i.id = f.inbox_id and i.source = $1) d
			join timelines t on t.id = d.id
			join timelines b on b.id = t.id or t.what in ('user_likes', 'user_comments') and b.what = 'user' and b.their_id = t.their_id
			group by t.id
		), flipped as (
			update inbox_feeds f set pulled = m.pulled
			from many m, inboxes i
			where f.timeline_id = m.id and i.id = f.inbox_id and i.source = $1 and f.pulled <> m.pulled
			returning f.inbox_id
		)
		update inboxes set ready = false where id in (select inbox_id from flipped)`
	const tooMany = `
		delete from inboxes where id in (select inbox_id from inbox_feeds group by inbox_id having count(*) >= $1)`
	in.mu.Lock()
	due := time.Since(in.reviewed) > reviewEvery
	if due {
		in.reviewed = time.Now()
	}
	in.mu.Unlock()
	if !due {
		return false, nil
	}
	if limit := int64(math.Ceil(s.FanoutLimit)); limit > 0 {
		if _, err := db.Pool.Exec(ctx, tooMany, limit); err != nil {
			return false, fmt.Errorf("delete the inboxes of too many timelines: %w", err)
		}
	}
	for _, source := range timeline.Sources()[1:] {
		tag, err := db.Pool.Exec(ctx, flip, source, pulledFrom(s, source))
		if err != nil {
			return false, fmt.Errorf("review the timelines of %s: %w", source, err)
		}
		did = did || tag.RowsAffected() > 0
	}
	return did, nil
}
