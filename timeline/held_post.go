package timeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A HeldPost is a post that waits for an administrator of the site: by a new person, or hidden by an administrator. Until it is
// published only its author reads it.
type HeldPost struct {
	ID      PostID
	Author  UserID
	Text    string
	To      []string // where the author posts to: "user", "user_private", "group:NAME"
	Files   int
	At      time.Time
	Hidden  bool // an administrator hid the post, which was published before
	Changed bool // the author has changed the hidden post since
}

// HeldPosts returns up to count posts that wait for an administrator of the site, the oldest first, and last the hidden ones that their authors have not changed,
// and the cards of their authors. [ErrForbidden] for any other viewer.
func (s *Store) HeldPosts(ctx context.Context, viewer UserID, count int) (held []HeldPost, users map[UserID]*UserCard, err error) {
	defer primary.Wrap(&err, "held posts")
	const query = `
		select p.id, p.user_id, p.text, h.places, (select count(*) from attachments where post_id = p.id and state = 'ready'), h.held_at, h.journal_id is not null, h.changed
		from held_posts h join posts p on p.id = h.post_id join users u on u.id = p.user_id
		where not (` + postGone + `) order by h.journal_id is not null and not h.changed, h.held_at, h.post_id limit $1`
	err = s.viewAs(ctx, viewer, (*Sets).checkSiteAdmin, func(q primary.Querier, _ *Sets) error {
		rows, err := q.Query(ctx, query, count)
		if err != nil {
			return err
		}
		held, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (h HeldPost, err error) {
			err = row.Scan(&h.ID, &h.Author, &h.Text, &h.To, &h.Files, &h.At, &h.Hidden, &h.Changed)
			h.At = h.At.UTC()
			return h, err
		})
		if err != nil {
			return err
		}
		var authors []UserID
		for _, h := range held {
			authors = append(authors, h.Author)
		}
		users, _, err = readCards(ctx, q, authors, nil)
		return err
	})
	return held, users, err
}

// hold makes a new post wait that its author sent to the destinations.
func (tx *txn) hold(ctx context.Context, id PostID, to destinations, at time.Time) error {
	const insert = `insert into held_posts (post_id, places, held_at) values ($1, $2, $3)`
	var places []string
	for _, what := range to.own {
		places = append(places, string(what))
	}
	for _, group := range to.groups {
		places = append(places, "group:"+group)
	}
	if _, err := tx.Exec(ctx, insert, id, places, at); err != nil {
		return err
	}
	return tx.notifyOfWaiting(ctx, at, NoticeHeld)
}

// checkHeld returns an [InvalidError] if a post waits for an administrator, so that its author can't move it.
func (tx *txn) checkHeld(ctx context.Context, id PostID) error {
	const query = `select exists (select from held_posts where post_id = $1)`
	var held bool
	if err := tx.QueryRow(ctx, query, id).Scan(&held); err != nil || !held {
		return err
	}
	return &InvalidError{Field: "timelines", Reason: "can't be changed while the post waits for an administrator", Code: "held"}
}

// hide makes a published post wait, which an administrator of the site hides, and records the entry. It returns an
// [InvalidError] unless all members may read the post: administrators read hidden posts, and must not learn by that what was in
// a private place.
func (s *Store) hide(ctx context.Context, tx *txn, p *lockedPost, e JournalEntry) (entry int64, err error) {
	const places = `
		select case t.what when 'group' then 'group:' || g.name else t.what end
		from timelines t left join groups g on t.what = 'group' and g.id = t.their_id
		where t.id = any($1) order by t.id`
	const insert = `insert into held_posts (post_id, places, held_at, journal_id) values ($1, $2, $3, $4)`
	const written = `select published_at, (select id from timelines where what = 'user_fyeo' and their_id = posts.user_id) from posts where id = $1`
	open := func(t Timeline) bool { return t.Access == AccessPublic || t.Access == AccessProtected }
	if !slices.ContainsFunc(p.places, open) {
		return 0, &InvalidError{Field: "act", Reason: "can't be hide for a post in private places", Code: "hide_private"}
	}
	var to []string
	var eyesOnly TimelineID
	if err := primary.Read(ctx, tx, &to, places, p.placeIDs()); err != nil {
		return 0, err
	}
	if err := tx.QueryRow(ctx, written, p.ID).Scan(&e.Written, &eyesOnly); err != nil {
		return 0, err
	}
	tx.Revokes()
	if err := s.changePost(ctx, tx, p, postChange{places: []TimelineID{eyesOnly}}); err != nil {
		return 0, err
	}
	e.Act, e.Until = ActHide, time.Time{}
	if entry, err = s.record(ctx, tx, e); err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, insert, p.ID, to, s.db.Now(), entry)
	return entry, err
}

// mendHidden notes that the author changes a hidden post, before the change: that administrators may look at the post again. It
// reports whether administrators are to be notified, which is so for the first change. text is the new text; nil: it stays.
func (tx *txn) mendHidden(ctx context.Context, p *lockedPost, text *string, files bool) (bool, error) {
	const query = `
		update held_posts h set changed = true from posts p
		where h.post_id = $1 and p.id = $1 and h.journal_id is not null and not h.changed and ($3 or p.text <> $2)`
	if text == nil && !files || !slices.ContainsFunc(p.places, func(t Timeline) bool { return t.What == WhatUserFYEO }) {
		return false, nil
	}
	tag, err := tx.Exec(ctx, query, p.ID, text, files)
	return err == nil && tag.RowsAffected() > 0, err
}

// ReleasePost publishes a post that waits, where its author posted it to, as an administrator of the
// site. [ErrForbidden] for any other actor, [ErrConflict] if the post waits no longer, or if its author
// may not post there any more.
func (s *Store) ReleasePost(ctx context.Context, actor UserID, id PostID) (err error) {
	defer primary.Wrap(&err, "release post %d", id)
	return s.decideHeld(ctx, actor, id, func(tx *txn, p *lockedPost, to destinations, hidden bool, e JournalEntry) error {
		const written = `select published_at from posts where id = $1`
		places, err := p.newPlaces(ctx, tx, to)
		if err != nil {
			return conflicting(err)
		}
		if err := s.changePost(ctx, tx, p, postChange{places: places, everything: to.everything()}); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, written, id).Scan(&e.Written); err != nil {
			return err
		}
		e.Act = ActRelease
		if _, err := s.record(ctx, tx, e); err != nil || hidden {
			return err // of a post that was published before, pushes were sent then
		}
		return tx.pushOfReleased(ctx, s.db.Now(), id)
	})
}

// RefusePost deletes a post that waits, as an administrator of the site, and notifies its author of
// the reason. The errors are those of [Store.ReleasePost].
func (s *Store) RefusePost(ctx context.Context, actor UserID, id PostID, reason string) (err error) {
	defer primary.Wrap(&err, "refuse post %d", id)
	if reason, err = text.CleanLine("reason", reason, maxReason); err != nil {
		return err
	}
	return s.decideHeld(ctx, actor, id, func(tx *txn, p *lockedPost, _ destinations, _ bool, e JournalEntry) error {
		e.Reason = reason
		_, err := s.moderatePost(ctx, tx, p, e)
		return err
	})
}

// conflicting returns [ErrConflict] for an error that says that the author of a post may not do
// something any more, and any other error as it is.
func conflicting(err error) error {
	_, invalid := errors.AsType[*InvalidError](err)
	if invalid || missing(err) || errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrForbidden) {
		return fmt.Errorf("%s: %w", err, ErrConflict)
	}
	return err
}

// decideHeld ends the wait of a post, and runs f with the post, locked as for its author.
func (s *Store) decideHeld(ctx context.Context, actor UserID, id PostID, f func(tx *txn, p *lockedPost, to destinations, hidden bool, e JournalEntry) error) error {
	const author = `select p.user_id from held_posts h join posts p on p.id = h.post_id where h.post_id = $1`
	const end = `delete from held_posts where post_id = $1 returning places, journal_id is not null`
	return s.write(ctx, func(tx *txn) error {
		if err := lockSiteAdmin(ctx, tx, actor); err != nil {
			return err
		}
		var by UserID
		if err := tx.QueryRow(ctx, author, id).Scan(&by); err != nil {
			if missing(err) {
				err = ErrConflict
			}
			return err
		}
		p, err := lockPost(ctx, tx, by, id)
		if err != nil {
			return conflicting(err) // the post or its author is gone
		}
		var places []string
		var hidden bool
		if err := tx.QueryRow(ctx, end, id).Scan(&places, &hidden); err != nil {
			if missing(err) {
				err = ErrConflict
			}
			return err
		}
		to, err := parseDestinations(places)
		if err != nil {
			return err
		}
		if err := f(tx, p, to, hidden, JournalEntry{By: actor, User: by}); err != nil {
			return err
		}
		return tx.retractWaiting(ctx, NoticeHeld)
	})
}
