package timeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A reached post is one that somebody may read and is about to change: locked,
// with what the rules of access_rights.go look at.
type reached struct {
	ID               PostID
	Author           UserID
	FreshAt          int64
	CommentsDisabled bool

	sets     *Sets      // of the one who changes it
	places   []Timeline // the decisive timelines
	readable bool       // to the one who changes it
}

// reach locks a post for the actor; ErrNotFound if he may not read it.
func reach(ctx context.Context, tx primary.Querier, actor UserID, id PostID) (*reached, error) {
	p, err := lockPost(ctx, tx, actor, id)
	if err == nil && !p.readable {
		return nil, ErrNotFound
	}
	return p, err
}

// lockPost locks a post for the actor, whether or not he may read it, and the
// actor as [lockSets] does.
func lockPost(ctx context.Context, tx primary.Querier, actor UserID, id PostID) (*reached, error) {
	const query = `
		select id, user_id, fresh_at, comments_disabled
		from posts where id = $1 and deleted_at is null for no key update`
	if actor == 0 {
		return nil, ErrUnauthorized
	}
	var p reached
	// Who sees what is read after the locks were had, however long that took.
	r := newSetsReader(actor)
	r.Queue(query, id).QueryRow(func(row pgx.Row) error {
		return row.Scan(&p.ID, &p.Author, &p.FreshAt, &p.CommentsDisabled)
	})
	r.queueLock()
	r.queueRights()
	err := r.run(ctx, tx)
	if err != nil {
		return nil, err
	}
	if p.sets = r.sets[actor]; !p.sets.MayAct() {
		return nil, ErrUnauthorized
	}
	p.places, p.readable, err = readPlaces(ctx, tx, p.sets, id)
	return &p, err
}

// decide answers the decisive timelines of a post; ErrNotFound if the viewer
// may not read it.
func decide(ctx context.Context, q primary.Querier, sets *Sets, id PostID) ([]Timeline, error) {
	places, readable, err := readPlaces(ctx, q, sets, id)
	if err == nil && !readable {
		return nil, ErrNotFound
	}
	return places, err
}

// readPlaces answers the decisive timelines of a post, and whether the viewer
// may read it.
func readPlaces(ctx context.Context, q primary.Querier, sets *Sets, id PostID) (places []Timeline, readable bool, err error) {
	deciding, timelines, err := readDeciding(ctx, q, []PostID{id})
	if err != nil {
		return nil, false, err
	}
	known := func(id TimelineID) (Timeline, bool) {
		t, ok := timelines[id]
		return t, ok
	}
	d, found := deciding[id]
	for _, id := range d.Places {
		if t, ok := known(id); ok {
			places = append(places, t)
		}
	}
	return places, found && sets.MayRead(d, known), nil
}

// takesPart says whether whoever reached the post may add to it.
func (p *reached) takesPart() bool { return p.sets.TakesPart(p.Author, p.places) }

// next is the moment of something new on the post: now, but not before what is
// there already, so that clocks that differ between servers do not put an
// answer above its question.
func (p *reached) next(now time.Time) time.Time {
	if fresh := time.UnixMilli(p.FreshAt).UTC(); fresh.After(now) {
		return fresh
	}
	return now
}

// comment finds a comment of the post by its author; ErrNotFound if that is
// somebody on the other side of a ban.
func (p *reached) comment(ctx context.Context, tx primary.Querier, id CommentID) (by UserID, err error) {
	const query = `select user_id from comments where id = $1 and post_id = $2`
	if err := tx.QueryRow(ctx, query, id, p.ID).Scan(&by); err != nil {
		return 0, fmt.Errorf("comment %d: %w", id, err)
	}
	if _, banned := p.sets.Bans[by]; banned {
		return 0, fmt.Errorf("comment %d: %w", id, ErrNotFound)
	}
	return by, nil
}

// onPost runs f on a post that the actor reached.
func (s *Store) onPost(ctx context.Context, actor UserID, id PostID, f func(*txn, *reached) error) error {
	return s.write(ctx, func(tx *txn) error {
		p, err := reach(ctx, tx, actor, id)
		if err != nil {
			return err
		}
		return f(tx, p)
	})
}
