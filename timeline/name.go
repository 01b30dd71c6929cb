package timeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// Named is whom a name belongs to: exactly one of the ids is set. Name is the
// present one, also where it was looked up by one that it had before.
type Named struct {
	Name  string
	User  UserID
	Group GroupID
}

// Lookup finds the person or group that has the name, or had it, in whatever
// case it is written; ErrNotFound where there is none, or a deleted one.
func (s *Store) Lookup(ctx context.Context, name string) (_ Named, err error) {
	defer primary.Wrap(&err, "look up %q", name)
	return lookup(ctx, s.db.Pool, name)
}

// FeedsOf finds the timelines that one subscribes to: a person's feed and private
// sub-feed, or a group's feed.
func (s *Store) FeedsOf(ctx context.Context, whose Named) (feed, private TimelineID, err error) {
	defer primary.Wrap(&err, "feeds of %q", whose.Name)
	sn, err := s.Snapshot(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer sn.Close()
	their, kinds := int64(whose.User), []What{WhatUser, WhatUserPrivate}
	if whose.Group != 0 {
		their, kinds = int64(whose.Group), []What{WhatGroup}
	}
	timelines, err := sn.TimelinesOf(ctx, their, kinds...)
	for id, t := range timelines {
		if t.What == WhatUserPrivate {
			private = id
		} else {
			feed = id
		}
	}
	return feed, private, err
}

func lookup(ctx context.Context, q primary.Querier, name string) (Named, error) {
	const query = `
		select coalesce(u.name, g.name, n.name), coalesce(u.id, 0), coalesce(g.id, 0)
		from names n
		left join users u on n.what = 'user' and u.id = n.their_id and u.status <> 'deleted'
		left join groups g on n.what = 'group' and g.id = n.their_id and g.status <> 'deleted'
		where n.name = $1`
	var n Named
	if !text.Valid(name) {
		return n, fmt.Errorf("name %q: %w", name, ErrNotFound)
	}
	if err := q.QueryRow(ctx, query, strings.ToLower(name)).Scan(&n.Name, &n.User, &n.Group); err != nil {
		return n, fmt.Errorf("name %q: %w", name, err)
	}
	if n.User == 0 && n.Group == 0 {
		return n, fmt.Errorf("name %q: %w", name, ErrNotFound)
	}
	return n, nil
}

// How many names a person or a group can take within so many days, beside those
// that were its own before: each is gone for everybody else, for ever.
const (
	maxRenames  = 5
	renamesDays = 30
)

// claimName gives a name to a person or a group for ever, for itself or before
// it becomes the one in use; the names that it had lead to it all the same. One
// that is its own already it may go back to, whatever names look like today.
// The row of whoever is renamed is locked.
func claimName(ctx context.Context, q primary.Querier, what What, their int64, name string, at time.Time) error {
	const owner = `select what = $2 and their_id = $3 from names where name = $1`
	const taken = `select count(*) from names where what = $1 and their_id = $2 and taken_at > $3`
	const claim = `insert into names (name, what, their_id, taken_at) values ($1, $2, $3, $4) on conflict do nothing`
	if !text.Valid(name) {
		return &InvalidError{Field: "name", Reason: "is not valid UTF-8 text", Code: "characters"}
	}
	var own bool
	err := q.QueryRow(ctx, owner, name, what, their).Scan(&own)
	if own || err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	if err := text.CheckName(name); err != nil {
		return err
	}
	var n int
	if err := q.QueryRow(ctx, taken, what, their, at.AddDate(0, 0, -renamesDays)).Scan(&n); err != nil {
		return err
	}
	if n >= maxRenames {
		return &InvalidError{Field: "name", Reason: fmt.Sprintf(
			"was changed %d times in %d days, which is as often as it can be: wait, or go back to one from before", maxRenames, renamesDays), Code: "often"}
	}
	// Whoever claims it at the same time is waited for.
	tag, err := q.Exec(ctx, claim, name, what, their, at)
	if err == nil && tag.RowsAffected() == 0 {
		return &TakenError{"name"}
	}
	return err
}
