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

// A Named is the person or group that has a name: exactly one of the two ids is set. Name is the
// present name, even after a lookup by an earlier name.
type Named struct {
	Name  string
	User  UserID
	Group GroupID
}

// Lookup returns the person or group that has or once had the name, in upper or lower case. It
// returns [ErrNotFound] for an unknown name, and for the name of a deleted account.
func (s *Store) Lookup(ctx context.Context, name string) (_ Named, err error) {
	defer primary.Wrap(&err, "look up %q", name)
	return lookup(ctx, s.db.Pool, name)
}

// FeedsOf returns the timelines to which people subscribe: the feed and the private sub-feed of a
// person, or the feed of a group, with 0 for the private sub-feed that a group does not have.
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

// A person or a group can take maxRenames new names in renamesDays days. Each name stays reserved
// for its owner, so the limit keeps names free for other people.
const (
	maxRenames  = 5
	renamesDays = 30
)

// claimName reserves a name for a person or a group for ever; earlier names keep leading to the
// account. An account may always go back to one of its earlier names, even if the rules for names
// have changed since. claimName returns an [InvalidError] for a bad name or too many new names, and
// a [TakenError] for a name of another account. The caller has locked the row of the account.
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
	// The insert waits for a concurrent transaction that claims the same name.
	tag, err := q.Exec(ctx, claim, name, what, their, at)
	if err == nil && tag.RowsAffected() == 0 {
		return &TakenError{"name"}
	}
	return err
}
