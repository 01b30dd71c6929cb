package timeline

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Request is somebody's wish to subscribe to a feed.
type Request struct {
	UUID      string
	From      UserID
	Target    Timeline
	CreatedAt time.Time
}

// Requests lists what waits for a person's answer, the oldest first: requests
// for his own feed and his private sub-feed, and for the groups that he
// administers, whatever is between him and who asks: he answers for the group.
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

// Accept subscribes who sent a request, and ends an invitation of the same
// person; [ErrNotFound] unless it is the actor's to answer, [ErrForbidden] where
// nobody can subscribe any more.
func (s *Store) Accept(ctx context.Context, actor UserID, uuid string) (err error) {
	defer primary.Wrap(&err, "accept request %q", uuid)
	return s.write(ctx, func(tx *txn) error { return s.accept(ctx, tx, actor, uuid) })
}

func (s *Store) accept(ctx context.Context, tx *txn, actor UserID, uuid string) error {
	r, forwardOnly, err := tx.takeRequest(ctx, actor, uuid)
	if err != nil {
		return err
	}
	if err := checkJoin(ctx, tx, r.From, r.Target.ID); err != nil {
		return err
	}
	if _, err := tx.dropInvitation(ctx, r.From, r.Target.ID); err != nil {
		return err
	}
	return s.join(ctx, tx, r.From, r.Target.ID, forwardOnly, true)
}

// Reject ends a request without a subscription; it can be sent again.
func (s *Store) Reject(ctx context.Context, actor UserID, uuid string) (err error) {
	defer primary.Wrap(&err, "reject request %q", uuid)
	return s.write(ctx, func(tx *txn) error {
		r, _, err := tx.takeRequest(ctx, actor, uuid)
		if err != nil {
			return err
		}
		return tx.noteRequest(ctx, r.Target.ID, r.From)
	})
}

// takeRequest ends a request that is the actor's to answer, and says what the
// subscription was to be. A ban or an exclusion that comes meanwhile waits, and
// then finds what came of it.
func (tx *txn) takeRequest(ctx context.Context, actor UserID, uuid string) (r Request, forwardOnly bool, err error) {
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
	if err := checkKeeps(ctx, tx, actor, r.Target); err != nil {
		return r, false, err
	}
	if err := lockPair(ctx, tx, actor, r.From, pairShared); err != nil {
		return r, false, err
	}
	// He may have been expelled from the group while he waited.
	if err := checkKeeps(ctx, tx, actor, r.Target); err != nil {
		return r, false, err
	}
	there, forwardOnly, err := tx.dropRequest(ctx, r.From, r.Target.ID)
	if err == nil && !there {
		err = ErrNotFound // taken back, or answered by another administrator
	}
	return r, forwardOnly, err
}

// checkKeeps answers ErrNotFound, as if there were nothing to answer, unless the
// actor keeps the feed.
func checkKeeps(ctx context.Context, q primary.Querier, actor UserID, feed Timeline) error {
	sets, err := ReadSets(ctx, q, actor)
	if err == nil && !sets.MayKeep(feed) {
		err = ErrNotFound
	}
	return err
}

// Withdraw takes the actor's request back, if there is one.
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

// dropRequest deletes a request, with what was told of it, and says whether there
// was one and what the subscription was to be.
func (tx *txn) dropRequest(ctx context.Context, from UserID, to TimelineID) (there, forwardOnly bool, err error) {
	const query = `delete from subscription_requests where user_id = $1 and timeline_id = $2 returning forward_only`
	err = tx.QueryRow(ctx, query, from, to).Scan(&forwardOnly)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, false, nil
	}
	if err == nil {
		err = tx.untellRequest(ctx, to, from)
	}
	return err == nil, forwardOnly, err
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
