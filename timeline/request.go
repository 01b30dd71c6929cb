package timeline

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A Request is a person's request to subscribe to a feed.
type Request struct {
	UUID      string
	From      UserID
	Target    Timeline
	CreatedAt time.Time
}

// Requests returns the requests that a person can answer, the oldest first: requests for the
// person's own feed and private sub-feed, and for the groups that the person administers. A ban
// between the person and the sender hides no request for a group, because the person answers it for
// the group.
func (s *Store) Requests(ctx context.Context, user UserID) (_ []Request, err error) {
	defer primary.Wrap(&err, "requests to user %d", user)
	const query = `
		select r.id::text, r.user_id, t.id, t.what, t.their_id, t.access, r.created_at
		from subscription_requests r join timelines t on t.id = r.timeline_id
		where t.what in ('user', 'user_private') and t.their_id = $1
			or t.what = 'group' and t.their_id in (select group_id from group_admins where user_id = $1)
		order by r.created_at, r.id`
	rows, err := s.db.Pool.Query(ctx, query, user)
	if err != nil {
		return nil, err
	}
	requests, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r Request, err error) {
		err = row.Scan(&r.UUID, &r.From, &r.Target.ID, &r.Target.What, &r.Target.TheirID, &r.Target.Access, &r.CreatedAt)
		r.CreatedAt = r.CreatedAt.UTC()
		return r, err
	})
	if err != nil {
		return nil, err
	}
	return requests, nil
}

// Accept subscribes the sender of a request, and ends an invitation of the sender to the same feed.
// It returns [ErrNotFound] if the actor can't answer the request, and an error of checkJoin if the
// sender may not subscribe any more.
func (s *Store) Accept(ctx context.Context, actor UserID, uuid string) (err error) {
	defer primary.Wrap(&err, "accept request %q", uuid)
	return s.write(ctx, func(tx *txn) error { return s.accept(ctx, tx, actor, uuid) })
}

func (s *Store) accept(ctx context.Context, tx *txn, actor UserID, uuid string) error {
	r, forwardOnly, err := tx.endRequest(ctx, actor, uuid)
	if err != nil {
		return err
	}
	if err := checkJoin(ctx, tx, r.From, r.Target.ID); err != nil {
		return err
	}
	if _, err := tx.dropInvitation(ctx, r.From, r.Target.ID); err != nil {
		return err
	}
	if err := s.join(ctx, tx, r.From, r.Target.ID, forwardOnly, true); err != nil {
		return err
	}
	return tx.notifyOfAcceptance(ctx, s.db.Now(), r.Target.ID, r.From, actor)
}

// Reject deletes a request without a subscription. The sender can send another one. It returns
// [ErrNotFound] if the actor can't answer the request.
func (s *Store) Reject(ctx context.Context, actor UserID, uuid string) (err error) {
	defer primary.Wrap(&err, "reject request %q", uuid)
	return s.write(ctx, func(tx *txn) error {
		r, _, err := tx.endRequest(ctx, actor, uuid)
		if err != nil {
			return err
		}
		return tx.noteRequest(ctx, r.Target.ID, r.From)
	})
}

// endRequest deletes a request that the actor may answer. It returns the request, and whether the
// sender asked for a forward-only subscription. endRequest locks the two people, so that a ban or
// an exclusion at the same time waits, and then finds and ends the subscription.
func (tx *txn) endRequest(ctx context.Context, actor UserID, uuid string) (r Request, forwardOnly bool, err error) {
	const query = `
		select r.user_id, t.id, t.what, t.their_id, t.access
		from subscription_requests r join timelines t on t.id = r.timeline_id
		where r.id = $1`
	if !validUUID(uuid) {
		return r, false, ErrNotFound
	}
	err = tx.QueryRow(ctx, query, uuid).Scan(&r.From, &r.Target.ID, &r.Target.What, &r.Target.TheirID, &r.Target.Access)
	if err != nil {
		return r, false, err
	}
	if err := checkManages(ctx, tx, actor, r.Target); err != nil {
		return r, false, err
	}
	if err := lockPair(ctx, tx, actor, r.From, pairShared); err != nil {
		return r, false, err
	}
	// Check again: while this transaction waited for the lock, the actor may have been removed from
	// the administrators of the group.
	if err := checkManages(ctx, tx, actor, r.Target); err != nil {
		return r, false, err
	}
	there, forwardOnly, err := tx.dropRequest(ctx, r.From, r.Target.ID)
	if err == nil && !there {
		err = ErrNotFound // the request was withdrawn, or another administrator answered it
	}
	return r, forwardOnly, err
}

// checkManages returns [ErrNotFound], as if there were no request, unless the actor owns
// the feed or administers the group.
func checkManages(ctx context.Context, q primary.Querier, actor UserID, feed Timeline) error {
	sets, err := actorSets(ctx, q, actor)
	if err == nil && !sets.MayManage(feed) {
		err = ErrNotFound
	}
	return err
}

// Withdraw deletes the actor's request for a feed.
func (s *Store) Withdraw(ctx context.Context, actor UserID, name FeedName) (err error) {
	defer primary.Wrap(&err, "withdraw from %v", name)
	return s.write(ctx, func(tx *txn) error {
		f, err := lockFeed(ctx, tx, actor, name)
		if err != nil {
			return err
		}
		asked, _, err := tx.dropRequest(ctx, actor, f.timeline)
		if err != nil || !asked {
			return err
		}
		return tx.noteRequest(ctx, f.timeline, actor)
	})
}

// dropRequest deletes a request and its notices. It reports whether the request existed, and
// whether it asked for a forward-only subscription.
func (tx *txn) dropRequest(ctx context.Context, from UserID, to TimelineID) (there, forwardOnly bool, err error) {
	const query = `delete from subscription_requests where user_id = $1 and timeline_id = $2 returning forward_only`
	err = tx.QueryRow(ctx, query, from, to).Scan(&forwardOnly)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, false, nil
	}
	if err == nil {
		err = tx.retractRequest(ctx, to, from)
	}
	return err == nil, forwardOnly, err
}

// noteRequest notes a viewer change of the sender of a request and of each person who can answer
// it, because their lists of requests changed.
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
