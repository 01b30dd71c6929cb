package timeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A lockedPost is a post that an actor is about to change: its row is locked, and it has all
// facts for the rules of access_rights.go.
type lockedPost struct {
	ID               PostID
	Author           UserID
	FreshAt          int64
	CommentsDisabled bool

	sets     *Sets      // of the actor
	places   []Timeline // the decisive timelines
	readable bool       // the actor may read it
	gone     bool       // no person may read it: its author's account is suspended or deleted
}

// lockReadable locks a post for the actor; [ErrNotFound] if the actor may not read it.
func lockReadable(ctx context.Context, tx primary.Querier, actor UserID, id PostID, more ...func(*pgx.Batch, UserID)) (*lockedPost, error) {
	p, err := lockPost(ctx, tx, actor, id, more...)
	if err == nil && !p.readable {
		return nil, ErrNotFound
	}
	return p, err
}

// lockPost locks a post for the actor, whether or not the actor may read it, and locks the
// actor's row, as [lockSets] does.
func lockPost(ctx context.Context, tx primary.Querier, actor UserID, id PostID, more ...func(*pgx.Batch, UserID)) (*lockedPost, error) {
	const query = `
		select id, user_id, fresh_at, comments_disabled
		from posts where id = $1 and deleted_at is null for no key update`
	if actor == 0 {
		return nil, ErrUnauthorized
	}
	var p lockedPost
	// The rights are read after the locks were taken: they may have changed while this
	// transaction waited.
	r := newSetsReader(actor)
	for _, add := range more {
		add(&r.Batch, actor)
	}
	r.Queue(query, id).QueryRow(func(row pgx.Row) error {
		return row.Scan(&p.ID, &p.Author, &p.FreshAt, &p.CommentsDisabled)
	})
	r.queueLock()
	r.queueRights()
	r.queueFollowed()
	err := r.run(ctx, tx)
	if err != nil {
		return nil, err
	}
	p.sets = r.sets[actor]
	p.sets.AsMember = actsAsMember(ctx)
	if !p.sets.MayAct() {
		return nil, ErrUnauthorized
	}
	var d AccessFacts
	d, p.places, p.readable, err = readPlaces(ctx, tx, p.sets, id)
	p.gone = d.Deleted
	return &p, err
}

// lockModerated locks a post for the actor; [ErrNotFound] unless the actor may read the post or moderates it.
func lockModerated(ctx context.Context, tx primary.Querier, actor UserID, id PostID) (*lockedPost, error) {
	p, err := lockPost(ctx, tx, actor, id)
	if err == nil && !p.readable && !p.moderated() {
		return nil, ErrNotFound
	}
	return p, err
}

// moderated reports whether the actor moderates the post, also across a ban.
func (p *lockedPost) moderated() bool { return !p.gone && p.sets.Moderates(p.Author, p.places) }

// readablePlaces returns the decisive timelines of a post; [ErrNotFound] if the viewer
// may not read it.
func readablePlaces(ctx context.Context, q primary.Querier, sets *Sets, id PostID) ([]Timeline, error) {
	_, places, readable, err := readPlaces(ctx, q, sets, id)
	if err == nil && !readable {
		return nil, ErrNotFound
	}
	return places, err
}

// readPlaces returns the facts for the visibility rule about a post, its decisive timelines, and
// whether the viewer may read it. The facts of a post that does not exist are those of a deleted one.
func readPlaces(ctx context.Context, q primary.Querier, sets *Sets, id PostID) (d AccessFacts, places []Timeline, readable bool, err error) {
	deciding, timelines, err := readAccessFacts(ctx, q, []PostID{id})
	if err != nil {
		return d, nil, false, err
	}
	known := func(id TimelineID) (Timeline, bool) {
		t, ok := timelines[id]
		return t, ok
	}
	d, found := deciding[id]
	d.Deleted = d.Deleted || !found
	for _, id := range d.Places {
		if t, ok := known(id); ok {
			places = append(places, t)
		}
	}
	return d, places, sets.MayRead(d, known), nil
}

// takesPart reports whether the actor may add comments and likes to the post.
func (p *lockedPost) takesPart() bool { return p.sets.TakesPart(p.Author, p.places) }

// timeOfNew returns the time of something new on the post: now, but not before the newest
// thing on the post. The clocks of two servers differ, and without this rule an answer
// could stand above its question.
func (p *lockedPost) timeOfNew(now time.Time) time.Time {
	if fresh := time.UnixMilli(p.FreshAt).UTC(); fresh.After(now) {
		return fresh
	}
	return now
}

// findComment returns the author of a comment on the post; [ErrNotFound] if there is no
// such comment, or if its author is on the other side of a ban from the actor.
func (p *lockedPost) findComment(ctx context.Context, tx primary.Querier, id CommentID) (by UserID, err error) {
	by, err = p.findCommentAcross(ctx, tx, id)
	if _, banned := p.sets.Bans[by]; banned {
		return 0, fmt.Errorf("comment %d: %w", id, ErrNotFound)
	}
	return by, err
}

// findCommentAcross returns the author of a comment on the post, also across a ban;
// [ErrNotFound] if there is no such comment.
func (p *lockedPost) findCommentAcross(ctx context.Context, tx primary.Querier, id CommentID) (by UserID, err error) {
	const query = `select user_id from comments where id = $1 and post_id = $2`
	if err := tx.QueryRow(ctx, query, id, p.ID).Scan(&by); err != nil {
		return 0, fmt.Errorf("comment %d: %w", id, err)
	}
	return by, nil
}

// withPost locks a post, and runs f on it in the same transaction. The errors are those of
// [lockReadable] and of f.
func (s *Store) withPost(ctx context.Context, actor UserID, id PostID, f func(*txn, *lockedPost) error) error {
	return s.write(ctx, func(tx *txn) error {
		p, err := lockReadable(ctx, tx, actor, id)
		if err != nil {
			return err
		}
		return f(tx, p)
	})
}
