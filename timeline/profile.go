package timeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// ProfileEdit is what a person changes about himself; nil: nothing.
type ProfileEdit struct {
	Name        *string // the old one leads to the account for ever
	DisplayName *string
	Description *string
	DirectsFrom *string // anybody or subscriptions: whose direct messages are taken
	Status      *string // public, disallow-robots, protected, private or fyeo
	Lang        *string // the code of the language that he writes in, or "" where that is to be told from each post
	OwnPosts    *bool   // whether his own posts stand in his home
}

// SetProfile changes what is shown of a person, and with the status who may
// read his feed, likes and comments. Who subscribes, or has asked to, still does.
// A name that anybody else has, or had, is [ErrTaken]; five new ones in thirty
// days are all.
func (s *Store) SetProfile(ctx context.Context, user UserID, edit ProfileEdit) error {
	edit, err := edit.clean()
	if err != nil {
		return err
	}
	err = s.write(ctx, func(tx *txn) error { return setProfile(ctx, tx, user, edit, s.now()) })
	if err != nil {
		return fmt.Errorf("profile of user %d: %w", user, err)
	}
	return nil
}

func (e ProfileEdit) clean() (ProfileEdit, error) {
	if e.DisplayName != nil {
		line, err := cleanDisplayName(*e.DisplayName)
		if err != nil {
			return e, err
		}
		e.DisplayName = &line
	}
	if e.Description != nil {
		text, err := cleanProse("description", *e.Description)
		if err != nil {
			return e, err
		}
		e.Description = &text
	}
	if e.DirectsFrom != nil {
		if err := checkDirectsFrom(*e.DirectsFrom); err != nil {
			return e, err
		}
	}
	if e.Lang != nil {
		lang, err := cleanLang(*e.Lang)
		if err != nil {
			return e, err
		}
		e.Lang = &lang
	}
	if e.Status != nil {
		return e, checkUserStatus(*e.Status)
	}
	return e, nil
}

// Whose direct messages a person takes.
const (
	directsFromAnybody       = "anybody"
	directsFromSubscriptions = "subscriptions" // those whom the person follows
)

func checkDirectsFrom(from string) error {
	switch from {
	case directsFromAnybody, directsFromSubscriptions:
		return nil
	}
	return &InvalidError{"directs_from", "must be anybody or subscriptions"}
}

func setProfile(ctx context.Context, tx *txn, user UserID, edit ProfileEdit, at time.Time) error {
	const update = `
		update users set
			display_name = coalesce($2, display_name), description = coalesce($3, description), status = coalesce($4, status),
			name = coalesce($5, name), directs_from = coalesce($6, directs_from), lang = coalesce($7, lang)
		where id = $1 and status <> 'deleted' and (
			display_name <> coalesce($2, display_name) or description <> coalesce($3, description) or status <> coalesce($4, status) or
			name <> coalesce($5, name) or directs_from <> coalesce($6, directs_from) or lang <> coalesce($7, lang))`
	// Whatever he writes meanwhile holds his row before it locks timelines. A name
	// is a key of the row.
	const lock = `select from users where id = $1 and status <> 'deleted' for no key update`
	const lockName = `select from users where id = $1 and status <> 'deleted' for update`
	query := lock
	if edit.Name != nil {
		query = lockName
	}
	if err := tx.QueryRow(ctx, query, user).Scan(); err != nil {
		return err
	}
	if edit.Name != nil {
		if err := claimName(ctx, tx, WhatUser, int64(user), *edit.Name, at); err != nil {
			return err
		}
	}
	if edit.Status != nil {
		flipped, err := setAccess(ctx, tx, accessOf(*edit.Status), int64(user), WhatUser, WhatUserLikes, WhatUserComments)
		if err != nil {
			return err
		}
		if len(flipped) > 0 {
			tx.note(Change{Kind: ChangeAccess, User: user, Timelines: flipped})
		}
	}
	if edit.OwnPosts != nil {
		if err := tx.setOwnPosts(ctx, user, *edit.OwnPosts); err != nil {
			return err
		}
	}
	tag, err := tx.Exec(ctx, update, user, edit.DisplayName, edit.Description, edit.Status, edit.Name, edit.DirectsFrom, edit.Lang)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return nil // nothing new: then his timelines had that access already
	}
	tx.note(Change{Kind: ChangeCard, User: user})
	return nil
}

// setAccess gives timelines an access, and answers those that had another. They
// are locked in the order of their ids first; see [edit.follow].
func setAccess(ctx context.Context, q querier, access Access, their int64, kinds ...What) ([]TimelineID, error) {
	const lock = `select id from timelines where their_id = $1 and what = any($2) order by id for no key update`
	const query = `
		update timelines set access = $3 where their_id = $1 and what = any($2) and access <> $3 returning id`
	if _, err := q.Exec(ctx, lock, their, kinds); err != nil {
		return nil, err
	}
	rows, err := q.Query(ctx, query, their, kinds, access)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[TimelineID])
}
