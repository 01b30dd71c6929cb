package timeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
	"golang.org/x/text/unicode/norm"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A list is a second home, over feeds that its owner chooses. Only the owner sees the list. A feed
// that the owner may no longer read stays in the list, but brings no posts.

// The limits of lists.
const (
	maxLists       = 50  // of one person
	maxListMembers = 500 // feeds in one list
	maxListName    = 50  // characters
)

// An OwnList is a list with its feeds, in the form that only its owner sees.
type OwnList struct {
	ID      ListID
	Name    string
	Members []Timeline // people's feeds, their private sub-feeds, groups
}

// CreateList creates a list of the actor's and returns its id. The error is a [TakenError] if the
// actor has a list of the name, in upper or lower case, and an [InvalidError] if the name is not
// valid or the actor has too many lists.
func (s *Store) CreateList(ctx context.Context, actor UserID, name string) (id ListID, err error) {
	defer primary.Wrap(&err, "list %q of user %d", name, actor)
	const insert = `insert into lists (user_id, name) values ($1, $2) on conflict do nothing returning id`
	const all = `select count(*) from (select from lists where user_id = $1 limit $2) l`
	name, err = cleanListName(name)
	if err != nil {
		return 0, err
	}
	err = s.write(ctx, func(tx *txn) error {
		if err := primary.LockActor(ctx, tx, actor); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, insert, actor, name).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return &TakenError{"name"}
		}
		if err != nil {
			return err
		}
		tx.noteViewers(actor)
		return primary.CheckRoom(ctx, tx, all, actor, maxLists, "you have")
	})
	return id, err
}

// cleanListName returns a list's name in the form that is kept: one line, in Unicode's form NFC.
// The name is the last part of the list's address, so the name can't have slashes, nor end in
// ".json", which asks for the page as JSON.
func cleanListName(name string) (string, error) {
	name, err := text.CleanLine("name", name, maxListName)
	if err != nil {
		return "", err
	}
	name = norm.NFC.String(name)
	switch {
	case name == "":
		return "", &InvalidError{Field: "name", Reason: "is empty", Code: "empty"}
	case !strings.ContainsFunc(name, text.Visible):
		return "", &InvalidError{Field: "name", Reason: "has no visible character", Code: "invisible"}
	case utf8.RuneCountInString(name) > maxListName:
		return "", &InvalidError{Field: "name", Reason: fmt.Sprintf("is longer than %d characters", maxListName), Code: "too_long", N: maxListName}
	case strings.ContainsAny(name, `/\`):
		return "", &InvalidError{Field: "name", Reason: "has a slash, which the address of a list can't have", Code: "list_name"}
	case name == "." || name == ".." || strings.HasSuffix(strings.ToLower(name), ".json"):
		return "", &InvalidError{Field: "name", Reason: "can't be part of the address of a list", Code: "list_name"}
	}
	return name, nil
}

// RenameList changes the name of a list of the actor's. The errors are those of [Store.CreateList],
// and [ErrNotFound] if the actor has no such list.
func (s *Store) RenameList(ctx context.Context, actor UserID, list ListID, name string) (err error) {
	defer primary.Wrap(&err, "rename list %d", list)
	const update = `update lists set name = $3 where id = $2 and user_id = $1 and name <> $3`
	name, err = cleanListName(name)
	if err != nil {
		return err
	}
	return s.withList(ctx, actor, list, func(tx *txn) (bool, error) {
		tag, err := tx.Exec(ctx, update, actor, list, name)
		if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.Code == "23505" { // unique_violation
			return false, &TakenError{"name"}
		}
		return tag.RowsAffected() > 0, err
	})
}

// DeleteList deletes a list of the actor's. It returns [ErrNotFound] if the actor has no such list.
func (s *Store) DeleteList(ctx context.Context, actor UserID, list ListID) (err error) {
	defer primary.Wrap(&err, "delete list %d", list)
	const remove = `delete from lists where id = $2 and user_id = $1`
	return s.withList(ctx, actor, list, func(tx *txn) (bool, error) {
		tag, err := tx.Exec(ctx, remove, actor, list)
		return tag.RowsAffected() > 0, err
	})
}

// AddToList adds a feed to a list of the actor's: a person's feed, together with the person's likes
// and comments, a private sub-feed, or a group. The error is [ErrForbidden] if the actor may not
// read the feed or has banned its owner; [ErrNotFound] if the owner has banned the actor, or if
// there is no such list or feed; and an [InvalidError] if the list has too many feeds.
func (s *Store) AddToList(ctx context.Context, actor UserID, list ListID, name FeedName) (err error) {
	defer primary.Wrap(&err, "add %v to list %d", name, list)
	const insert = `insert into list_members (list_id, timeline_id) values ($1, $2) on conflict do nothing`
	const all = `select count(*) from (select from list_members where list_id = $1 limit $2) m`
	return s.withListFeed(ctx, actor, list, name, func(tx *txn, t Timeline) (bool, error) {
		if t.What != WhatGroup && t.TheirID != int64(actor) {
			if err := checkNoBan(ctx, tx, actor, UserID(t.TheirID)); err != nil {
				return false, err
			}
		}
		sets, err := ReadSets(ctx, tx, actor)
		if err != nil {
			return false, err
		}
		if !sets.Readable(t) {
			return false, fmt.Errorf("user %d may not read it: %w", actor, ErrForbidden)
		}
		tag, err := tx.Exec(ctx, insert, list, t.ID)
		if err != nil || tag.RowsAffected() == 0 {
			return false, err
		}
		return true, primary.CheckRoom(ctx, tx, all, list, maxListMembers, "the list has")
	})
}

// RemoveFromList removes a feed from a list of the actor's, even if the actor may no longer read
// the feed. It returns [ErrNotFound] if there is no such list or feed.
func (s *Store) RemoveFromList(ctx context.Context, actor UserID, list ListID, name FeedName) (err error) {
	defer primary.Wrap(&err, "remove %v from list %d", name, list)
	const remove = `delete from list_members where list_id = $1 and timeline_id = $2`
	return s.withListFeed(ctx, actor, list, name, func(tx *txn, t Timeline) (bool, error) {
		tag, err := tx.Exec(ctx, remove, list, t.ID)
		return tag.RowsAffected() > 0, err
	})
}

// withListFeed locks the actor, the owner of the feed with the name, and the list, and then runs f
// on the feed. So a ban or an exclusion of the actor comes after f, or is visible to f.
func (s *Store) withListFeed(ctx context.Context, actor UserID, list ListID, name FeedName, f func(*txn, Timeline) (bool, error)) error {
	const query = `select id, access from timelines where what = $1 and their_id = $2`
	return s.changeList(ctx, actor, func(tx *txn) (bool, error) {
		n, err := lookup(ctx, tx, name.Name)
		if err != nil {
			return false, err
		}
		t := Timeline{}
		if t.What, t.TheirID, err = name.kindAndOwner(n); err != nil {
			return false, err
		}
		if n.User != 0 && n.User != actor {
			err = lockPair(ctx, tx, actor, n.User, pairShared)
		}
		if err == nil {
			err = lockList(ctx, tx, actor, list)
		}
		if err == nil {
			err = tx.QueryRow(ctx, query, t.What, t.TheirID).Scan(&t.ID, &t.Access)
		}
		if err != nil {
			return false, err
		}
		return f(tx, t)
	})
}

// withList locks a list of the actor's, and runs f. If f reports a change, withList notes a viewer
// change of the actor. It returns ErrNotFound if the actor has no such list.
func (s *Store) withList(ctx context.Context, actor UserID, list ListID, f func(*txn) (bool, error)) error {
	return s.changeList(ctx, actor, func(tx *txn) (bool, error) {
		if err := lockList(ctx, tx, actor, list); err != nil {
			return false, err
		}
		return f(tx)
	})
}

// changeList runs f in a transaction. If f reports a change, changeList notes a viewer change of
// the actor.
func (s *Store) changeList(ctx context.Context, actor UserID, f func(*txn) (bool, error)) error {
	return s.write(ctx, func(tx *txn) error {
		changed, err := f(tx)
		if err == nil && changed {
			tx.noteViewers(actor)
		}
		return err
	})
}

// lockList locks the actor and then the list until the transaction ends, so that changes of one
// list run one after the other. It returns ErrNotFound if the actor has no such list.
func lockList(ctx context.Context, tx primary.Querier, actor UserID, list ListID) error {
	const lock = `select from lists where id = $1 and user_id = $2 for no key update`
	if err := primary.LockActor(ctx, tx, actor); err != nil {
		return err
	}
	return tx.QueryRow(ctx, lock, list, actor).Scan()
}

// FindList finds a person's list by name, without regard to case, and returns its id and its
// stored name. It returns [ErrNotFound] if the person has no such list.
func (s *Store) FindList(ctx context.Context, owner UserID, name string) (id ListID, kept string, err error) {
	defer primary.Wrap(&err, "list %q of user %d", name, owner)
	const query = `select id, name from lists where user_id = $1 and lower(name) = lower($2)`
	err = ErrNotFound
	if text.Valid(name) {
		err = s.db.Pool.QueryRow(ctx, query, owner, norm.NFC.String(name)).Scan(&id, &kept)
	}
	return id, kept, err
}

// Lists returns a person's lists by name, with the feeds in them. It leaves out deleted
// accounts and feeds of people with a ban on the person, so it is for display only.
func (s *Store) Lists(ctx context.Context, owner UserID) (lists []OwnList, err error) {
	defer primary.Wrap(&err, "lists of user %d", owner)
	const query = `
		select l.id, l.name, t.id, t.what, t.their_id, t.access
		from lists l
		left join (list_members m join timelines t on t.id = m.timeline_id and t.access <> 'closed' and not (
				t.what <> 'group' and exists (select from bans where user_id = t.their_id and target_id = $1)))
			on m.list_id = l.id
		where l.user_id = $1
		order by lower(l.name), t.what, t.id`
	rows, err := s.db.Pool.Query(ctx, query, owner)
	if err == nil {
		var list OwnList
		var t Timeline // with id 0 for a list without members
		_, err = pgx.ForEachRow(rows, []any{
			&list.ID, &list.Name,
			(*zeronull.Int8)(&t.ID), (*zeronull.Text)(&t.What), (*zeronull.Int8)(&t.TheirID), (*zeronull.Text)(&t.Access),
		}, func() error {
			if n := len(lists); n == 0 || lists[n-1].ID != list.ID {
				lists = append(lists, list)
			}
			if t.ID != 0 {
				last := &lists[len(lists)-1]
				last.Members = append(last.Members, t)
			}
			return nil
		})
	}
	return lists, err
}

// ListNames returns the names of a person's lists, sorted without regard to case.
func (s *Store) ListNames(ctx context.Context, owner UserID) (names []string, err error) {
	defer primary.Wrap(&err, "lists of user %d", owner)
	const query = `select name from lists where user_id = $1 order by lower(name), name`
	err = s.db.View(ctx, func(q primary.Querier) error {
		rows, err := q.Query(ctx, query, owner)
		if err != nil {
			return err
		}
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return names, err
}
