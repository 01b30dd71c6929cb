package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// NewGroup holds the data of a group that is to be made.
type NewGroup struct {
	Name        string
	DisplayName string // empty: the name
	Description string
	Status      string // empty: public
	Posting     string // anybody, members or admins; empty: members
	Joining     string // open or request; empty: open
	NSFW        bool
}

// CreateGroup creates a group and returns its id. The actor becomes an administrator and a member.
// The error is an [InvalidError] if a field is not valid, a [TakenError] if another account has or
// had the name, and [ErrUnauthorized] if the actor may not act.
func (s *Store) CreateGroup(ctx context.Context, actor UserID, g NewGroup) (id GroupID, err error) {
	defer primary.Wrap(&err, "group %q", g.Name)
	g, err = g.clean()
	if err != nil {
		return 0, err
	}
	err = s.write(ctx, func(tx *txn) error {
		if err := checkActor(ctx, tx, actor); err != nil {
			return err
		}
		if err := screenCard(ctx, tx, &g.Name, &g.DisplayName, &g.Description); err != nil {
			return err
		}
		if id, err = makeGroup(ctx, tx, g, []UserID{actor}, s.db.Now()); err != nil {
			return err
		}
		tx.Note(Change{Kind: ChangeCard, Group: id})
		tx.noteViewers(actor)
		return nil
	})
	return id, err
}

// clean returns the group with cleaned texts, and with defaults in its empty fields. It returns
// an [InvalidError] for an invalid text.
func (g NewGroup) clean() (NewGroup, error) {
	if g.DisplayName == "" {
		g.DisplayName = g.Name
	}
	setDefault(&g.Status, statusPublic)
	setDefault(&g.Posting, postingMembers)
	setDefault(&g.Joining, joiningOpen)
	display, err := text.CleanDisplayName(g.DisplayName)
	if err := errors.Join(text.CheckName(g.Name), err, checkStatus(g.Status)); err != nil {
		return g, err
	}
	g.DisplayName = display
	if g.Description, err = text.Clean("description", g.Description); err != nil {
		return g, err
	}
	return g, errors.Join(checkPosting(g.Posting), checkJoining(g.Joining))
}

// setDefault sets an empty value to the default.
func setDefault(value *string, defaultValue string) {
	if *value == "" {
		*value = defaultValue
	}
}

// The settings of a group: who may post, and how people join.
const (
	postingAnybody = "anybody"
	postingMembers = "members"
	postingAdmins  = "admins"
	joiningOpen    = "open"
	joiningRequest = "request"
)

// checkPosting returns an [InvalidError] unless a group can have that setting for posting.
func checkPosting(posting string) error {
	switch posting {
	case postingAnybody, postingMembers, postingAdmins:
		return nil
	}
	return &InvalidError{Field: "posting", Reason: "must be anybody, members or admins", Code: "choice"}
}

// checkJoining returns an [InvalidError] unless a group can have that setting for joining.
func checkJoining(joining string) error {
	switch joining {
	case joiningOpen, joiningRequest:
		return nil
	}
	return &InvalidError{Field: "joining", Reason: "must be open or request", Code: "choice"}
}

// makeGroup inserts a group with its name, its timeline, its administrators, and their
// subscriptions.
func makeGroup(ctx context.Context, q primary.Querier, g NewGroup, admins []UserID, at time.Time) (GroupID, error) {
	const query = `
		with made as (
			insert into groups (name, display_name, description, status, posting, joining, nsfw, created_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8)
			returning id
		), named as (
			insert into names (name, what, their_id) select $1, 'group', id from made
		), feed as (
			insert into timelines (what, their_id, access) select 'group', id, $9 from made returning id
		), led as (
			insert into group_admins (group_id, user_id) select made.id, admin from made, unnest($10::bigint[]) as admin
		), subscribed as (
			insert into subscriptions (user_id, timeline_id, created_at) select admin, feed.id, $8 from feed, unnest($10::bigint[]) as admin
		)
		select id from made`
	var id GroupID
	err := q.QueryRow(ctx, query, g.Name, g.DisplayName, g.Description, g.Status, g.Posting, g.Joining, g.NSFW, at,
		accessOf(g.Status), admins).Scan(&id)
	return id, asTakenError(err)
}

// findGroup returns the group of that name. It returns ErrNotFound if the name does not exist or
// belongs to a person.
func findGroup(ctx context.Context, q primary.Querier, name string) (GroupID, error) {
	n, err := lookup(ctx, q, name)
	if err == nil && n.Group == 0 {
		err = fmt.Errorf("%q is a person: %w", name, ErrNotFound)
	}
	return n.Group, err
}

// The two queries for whether a person administers a group. lockIsAdmin also locks the row, so that
// the person stays an administrator until the transaction ends.
const (
	isAdmin     = `select from group_admins where user_id = $1 and group_id = $2`
	lockIsAdmin = `select from group_admins where user_id = $1 and group_id = $2 for key share`
)

// checkGroupAdmin returns ErrUnauthorized unless the actor may act, and ErrForbidden unless the
// actor administers the group, as the query isAdmin or lockIsAdmin finds.
func checkGroupAdmin(ctx context.Context, q primary.Querier, actor UserID, group GroupID, query string) error {
	if err := checkActor(ctx, q, actor); err != nil {
		return err
	}
	err := q.QueryRow(ctx, query, actor, group).Scan()
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("not one of its administrators: %w", ErrForbidden)
	}
	return err
}
