package timeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/text/unicode/norm"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A list is a home of its own over chosen feeds: its owner's, and for nobody else
// to know of. What it shows is what he may read of them today: a feed that he may
// not read any more stays in the list and brings nothing.

// How many lists a person has at most, and how many feeds each.
const (
	maxLists       = 50
	maxListMembers = 500
	maxListName    = 50 // characters
)

// An OwnList is one of somebody's lists with the feeds in it.
type OwnList struct {
	ID      ListID
	Name    string
	Members []Timeline // people's feeds, their private sub-feeds, groups
}

// CreateList makes a list of the actor's. Names of one person's lists differ by
// more than case: [ErrTaken].
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

// cleanListName is a list's name as it is kept: one line that can stand as the
// last part of an address, where .json asks for another form of the page.
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
		return "", &InvalidError{Field: "name", Reason: "has nothing that can be seen", Code: "invisible"}
	case utf8.RuneCountInString(name) > maxListName:
		return "", &InvalidError{Field: "name", Reason: fmt.Sprintf("is longer than %d characters", maxListName), Code: "too_long", N: maxListName}
	case strings.ContainsAny(name, `/\`):
		return "", &InvalidError{Field: "name", Reason: "has a slash, which no address of a list can have", Code: "list_name"}
	case name == "." || name == ".." || strings.HasSuffix(strings.ToLower(name), ".json"):
		return "", &InvalidError{Field: "name", Reason: "is one that no address of a list can have", Code: "list_name"}
	}
	return name, nil
}

// RenameList gives a list of the actor's another name.
func (s *Store) RenameList(ctx context.Context, actor UserID, list ListID, name string) (err error) {
	defer primary.Wrap(&err, "rename list %d", list)
	const update = `update lists set name = $3 where id = $2 and user_id = $1 and name <> $3`
	name, err = cleanListName(name)
	if err != nil {
		return err
	}
	return s.onList(ctx, actor, list, func(tx *txn) (bool, error) {
		tag, err := tx.Exec(ctx, update, actor, list, name)
		if pgErr, is := errors.AsType[*pgconn.PgError](err); is && pgErr.Code == "23505" {
			return false, &TakenError{"name"}
		}
		return tag.RowsAffected() > 0, err
	})
}

// DeleteList deletes a list of the actor's; those in it learn nothing of it.
func (s *Store) DeleteList(ctx context.Context, actor UserID, list ListID) (err error) {
	defer primary.Wrap(&err, "delete list %d", list)
	const remove = `delete from lists where id = $2 and user_id = $1`
	return s.onList(ctx, actor, list, func(tx *txn) (bool, error) {
		tag, err := tx.Exec(ctx, remove, actor, list)
		return tag.RowsAffected() > 0, err
	})
}

// AddToList puts a feed into a list of the actor's: a person's, whose likes and
// comments come along, a private sub-feed or a group; one that he may read. Whom
// he banned he can't add, and who banned him is not there for him.
func (s *Store) AddToList(ctx context.Context, actor UserID, list ListID, name FeedName) (err error) {
	defer primary.Wrap(&err, "add %v to list %d", name, list)
	const insert = `insert into list_members (list_id, timeline_id) values ($1, $2) on conflict do nothing`
	const all = `select count(*) from (select from list_members where list_id = $1 limit $2) m`
	return s.withFeed(ctx, actor, list, name, func(tx *txn, t Timeline) (bool, error) {
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

// RemoveFromList takes a feed out of a list of the actor's, whatever he may do
// with it today.
func (s *Store) RemoveFromList(ctx context.Context, actor UserID, list ListID, name FeedName) (err error) {
	defer primary.Wrap(&err, "remove %v from list %d", name, list)
	const remove = `delete from list_members where list_id = $1 and timeline_id = $2`
	return s.withFeed(ctx, actor, list, name, func(tx *txn, t Timeline) (bool, error) {
		tag, err := tx.Exec(ctx, remove, list, t.ID)
		return tag.RowsAffected() > 0, err
	})
}

// withFeed is onList with the feed that a name stands for. Whoever bans the actor
// or excludes him waits, or is seen by f.
func (s *Store) withFeed(ctx context.Context, actor UserID, list ListID, name FeedName, f func(*txn, Timeline) (bool, error)) error {
	const query = `select id, access from timelines where what = $1 and their_id = $2`
	return s.changeList(ctx, actor, func(tx *txn) (bool, error) {
		n, err := lookup(ctx, tx, name.Name)
		if err != nil {
			return false, err
		}
		t := Timeline{}
		if t.What, t.TheirID, err = name.what(n); err != nil {
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

// onList runs f on a list of the actor's, and notes that what he sees changed, if
// f says so. Another's list is not there for him.
func (s *Store) onList(ctx context.Context, actor UserID, list ListID, f func(*txn) (bool, error)) error {
	return s.changeList(ctx, actor, func(tx *txn) (bool, error) {
		if err := lockList(ctx, tx, actor, list); err != nil {
			return false, err
		}
		return f(tx)
	})
}

func (s *Store) changeList(ctx context.Context, actor UserID, f func(*txn) (bool, error)) error {
	return s.write(ctx, func(tx *txn) error {
		changed, err := f(tx)
		if err == nil && changed {
			tx.noteViewers(actor)
		}
		return err
	})
}

// lockList keeps the actor, and after him the list, as they are; changes of one
// list come one after the other.
func lockList(ctx context.Context, tx primary.Querier, actor UserID, list ListID) error {
	const lock = `select from lists where id = $1 and user_id = $2 for no key update`
	if err := primary.LockActor(ctx, tx, actor); err != nil {
		return err
	}
	return tx.QueryRow(ctx, lock, list, actor).Scan()
}

// FindList finds a list of somebody's by its name, in whatever case it is
// written, and answers the name as it is kept; [ErrNotFound] where he has none.
func (s *Store) FindList(ctx context.Context, owner UserID, name string) (id ListID, kept string, err error) {
	defer primary.Wrap(&err, "list %q of user %d", name, owner)
	const query = `select id, name from lists where user_id = $1 and lower(name) = lower($2)`
	err = ErrNotFound
	if text.Valid(name) {
		err = s.db.Pool.QueryRow(ctx, query, owner, norm.NFC.String(name)).Scan(&id, &kept)
	}
	return id, kept, err
}

// Lists are somebody's lists by name, with the feeds in them; people who banned
// him are left out, and so are deleted accounts: it is for showing.
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
		var (
			one    OwnList
			id     *TimelineID
			what   *What
			their  *int64
			access *Access
		)
		_, err = pgx.ForEachRow(rows, []any{&one.ID, &one.Name, &id, &what, &their, &access}, func() error {
			if n := len(lists); n == 0 || lists[n-1].ID != one.ID {
				lists = append(lists, one)
			}
			if id != nil {
				last := &lists[len(lists)-1]
				last.Members = append(last.Members, Timeline{*id, *what, *their, *access})
			}
			return nil
		})
	}
	return lists, err
}

// ListNames are the names of somebody's lists, in their order.
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
