package timeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// Request is somebody's wish to subscribe to a feed.
type Request struct {
	UUID      string
	From      UserID
	Target    Timeline
	CreatedAt time.Time
}

// Requests lists what waits for a person's answer, the oldest first: requests
// for his own feed, and for the groups that he administers.
func (s *Store) Requests(ctx context.Context, user UserID) ([]Request, error) {
	const query = `
		select r.id::text, r.user_id, t.id, t.what, t.their_id, t.access, r.created_at
		from subscription_requests r join timelines t on t.id = r.timeline_id
		where t.what in ('user', 'user_private') and t.their_id = $1
			or t.what = 'group' and t.their_id in (select group_id from group_admins where user_id = $1)
		order by r.created_at, r.id`
	rows, err := s.pool.Query(ctx, query, user)
	if err != nil {
		return nil, translate(fmt.Errorf("requests to user %d: %w", user, err))
	}
	requests, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r Request, err error) {
		err = row.Scan(&r.UUID, &r.From, &r.Target.ID, &r.Target.What, &r.Target.TheirID, &r.Target.Access, &r.CreatedAt)
		r.CreatedAt = r.CreatedAt.UTC()
		return r, err
	})
	if err != nil {
		return nil, translate(fmt.Errorf("requests to user %d: %w", user, err))
	}
	return requests, nil
}

// Accept subscribes who sent a request; [ErrNotFound] unless it is the actor's
// to answer.
func (s *Store) Accept(ctx context.Context, actor UserID, uuid string) error {
	const insert = `
		insert into subscriptions (user_id, timeline_id, created_at) values ($1, $2, $3) on conflict do nothing`
	return s.answer(ctx, actor, uuid, func(tx *txn, r Request) error {
		_, err := tx.Exec(ctx, insert, r.From, r.Target.ID, s.now())
		return err
	})
}

// Reject ends a request without a subscription; it can be sent again.
func (s *Store) Reject(ctx context.Context, actor UserID, uuid string) error {
	return s.answer(ctx, actor, uuid, func(*txn, Request) error { return nil })
}

// answer takes a request away and runs f.
func (s *Store) answer(ctx context.Context, actor UserID, uuid string, f func(*txn, Request) error) error {
	const query = `
		select r.user_id, t.id, t.what, t.their_id, t.access
		from subscription_requests r join timelines t on t.id = r.timeline_id
		where r.id = $1`
	err := s.write(ctx, func(tx *txn) error {
		r := Request{UUID: uuid}
		if !validUUID(uuid) {
			return ErrNotFound
		}
		err := tx.QueryRow(ctx, query, uuid).Scan(&r.From, &r.Target.ID, &r.Target.What, &r.Target.TheirID, &r.Target.Access)
		if err != nil {
			return err
		}
		sets, err := readSets(ctx, tx, actor)
		if err != nil {
			return err
		}
		if !sets.MayKeep(r.Target) {
			return ErrNotFound // as if there were none
		}
		// A ban that comes meanwhile waits, and then finds the subscription.
		if r.Target.What.OfUser() {
			if err := lockPair(ctx, tx, actor, r.From, pairShared); err != nil {
				return err
			}
		}
		there, err := tx.dropRequest(ctx, r.From, r.Target.ID)
		if err != nil {
			return err
		}
		if !there {
			return ErrNotFound // taken back, or answered by another administrator
		}
		if err := f(tx, r); err != nil {
			return err
		}
		return tx.noteRequest(ctx, r.Target.ID, r.From)
	})
	if err != nil {
		return fmt.Errorf("request %q: %w", uuid, err)
	}
	return nil
}

// Withdraw takes the actor's request back, if there is one.
func (s *Store) Withdraw(ctx context.Context, actor UserID, name FeedName) error {
	err := s.write(ctx, func(tx *txn) error {
		f, err := lockFeed(ctx, tx, actor, name)
		if err != nil {
			return err
		}
		asked, err := tx.dropRequest(ctx, actor, f.timeline)
		if err != nil || !asked {
			return err
		}
		return tx.noteRequest(ctx, f.timeline, actor)
	})
	if err != nil {
		return fmt.Errorf("withdraw from %v: %w", name, err)
	}
	return nil
}

// dropRequest deletes a request and says whether there was one.
func (tx *txn) dropRequest(ctx context.Context, from UserID, to TimelineID) (bool, error) {
	const query = `delete from subscription_requests where user_id = $1 and timeline_id = $2`
	tag, err := tx.Exec(ctx, query, from, to)
	return tag.RowsAffected() > 0, err
}

// noteRequest notes a viewer change of who asked for a feed and of everybody
// who can answer: what waits for them changed.
func (tx *txn) noteRequest(ctx context.Context, feed TimelineID, from UserID) error {
	const query = `
		select their_id from timelines where id = $1 and what <> 'group'
		union
		select a.user_id from timelines t join group_admins a on t.what = 'group' and a.group_id = t.their_id where t.id = $1`
	rows, err := tx.Query(ctx, query, feed)
	if err != nil {
		return err
	}
	people, err := pgx.CollectRows(rows, pgx.RowTo[UserID])
	if err != nil {
		return errors.Join(err, errors.New("who answers requests"))
	}
	people = append(people, from)
	slices.Sort(people)
	tx.noteViewers(slices.Compact(people)...)
	return nil
}
