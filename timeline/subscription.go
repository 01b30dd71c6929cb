package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Subscription is the result of a request to subscribe.
type Subscription string

// The results of Subscribe.
const (
	Subscribed Subscription = "subscribed"
	Requested  Subscription = "requested" // the owner or an administrator of the feed has to accept
)

// SubscribeOptions are the choices of a subscriber.
type SubscribeOptions struct {
	// ForwardOnly has the subscription bring only posts into the home that enter the feed from now
	// on, and none that the feed holds already.
	ForwardOnly bool
}

// Subscribe subscribes the actor to a person's feed or private sub-feed, or has the actor join a
// group. The subscription begins at once if the feed needs no approval or the actor has an
// invitation; otherwise Subscribe sends a request. It returns [ErrNotFound] for a person who has
// banned the actor, and [ErrForbidden] if the actor may not subscribe, for example because the feed
// excludes the actor.
func (s *Store) Subscribe(ctx context.Context, actor UserID, name FeedName, opts SubscribeOptions) (state Subscription, err error) {
	defer primary.Wrap(&err, "subscribe to %v", name)
	err = s.write(ctx, func(tx *txn) (err error) {
		state, err = s.subscribe(ctx, tx, actor, name, opts)
		return err
	})
	return state, err
}

func (s *Store) subscribe(ctx context.Context, tx *txn, actor UserID, name FeedName, opts SubscribeOptions) (Subscription, error) {
	const request = `
		insert into subscription_requests (user_id, timeline_id, forward_only, created_at) values ($1, $2, $3, $4)
		on conflict do nothing`
	f, err := lockFeed(ctx, tx, actor, name)
	if err != nil {
		return "", err
	}
	if already, err := subscribes(ctx, tx, actor, f.timeline); err != nil || already {
		return Subscribed, err
	}
	if err := checkJoin(ctx, tx, actor, f.timeline); err != nil {
		return "", err
	}
	invited, err := tx.dropInvitation(ctx, actor, f.timeline)
	if err != nil {
		return "", err
	}
	if f.needsApproval && !invited {
		tag, err := tx.Exec(ctx, request, actor, f.timeline, opts.ForwardOnly, s.db.Now())
		if err != nil || tag.RowsAffected() == 0 {
			return Requested, err
		}
		if err := tx.notifyOfRequest(ctx, s.db.Now(), f.timeline, actor); err != nil {
			return "", err
		}
		return Requested, tx.noteRequest(ctx, f.timeline, actor)
	}
	// The feed may have been private when the actor sent a request.
	asked, _, err := tx.dropRequest(ctx, actor, f.timeline)
	if err != nil {
		return "", err
	}
	if err := s.join(ctx, tx, actor, f.timeline, opts.ForwardOnly, asked); err != nil {
		return "", err
	}
	return Subscribed, tx.notifyOfSubscriber(ctx, s.db.Now(), f.timeline, actor)
}

// subscribes reports whether a person is subscribed to a feed.
func subscribes(ctx context.Context, q primary.Querier, who UserID, feed TimelineID) (already bool, err error) {
	const query = `select exists (select from subscriptions where user_id = $1 and timeline_id = $2)`
	err = q.QueryRow(ctx, query, who, feed).Scan(&already)
	return already, err
}

// join subscribes a person to a feed, and notes the change. asked is true if the subscription
// answers a request of the person.
func (s *Store) join(ctx context.Context, tx *txn, who UserID, feed TimelineID, forwardOnly, asked bool) error {
	const insert = `
		insert into subscriptions (user_id, timeline_id, since, created_at) values ($1, $2, $3, $4) on conflict do nothing`
	at := s.db.Now()
	var since *int64
	if forwardOnly {
		since = new(at.UnixMilli())
	}
	tag, err := tx.Exec(ctx, insert, who, feed, since, at)
	switch {
	case err != nil:
		return err
	case asked:
		return tx.noteRequest(ctx, feed, who)
	case tag.RowsAffected() > 0:
		tx.noteViewers(who)
	}
	return nil
}

// SetForwardOnly sets whether the actor's subscription, or request for one, is forward only. A
// subscription that becomes forward only brings only posts that enter the feed from now on. A
// subscription that is forward only already keeps its beginning.
func (s *Store) SetForwardOnly(ctx context.Context, actor UserID, name FeedName, on bool) (err error) {
	defer primary.Wrap(&err, "subscription to %v", name)
	const request = `update subscription_requests set forward_only = $3 where user_id = $1 and timeline_id = $2`
	const subscription = `
		update subscriptions set since = case when $3 then $4::bigint end
		where user_id = $1 and timeline_id = $2 and (since is not null) <> $3`
	return s.write(ctx, func(tx *txn) error {
		f, err := lockFeed(ctx, tx, actor, name)
		if err != nil {
			return err
		}
		// If the request is being accepted at this moment, the first statement waits for the
		// acceptance. The second statement begins later and finds the subscription.
		tag, err := tx.Exec(ctx, request, actor, f.timeline, on)
		if err != nil || tag.RowsAffected() > 0 {
			return err
		}
		tag, err = tx.Exec(ctx, subscription, actor, f.timeline, on, s.db.Now().UnixMilli())
		if err != nil {
			return err
		}
		if tag.RowsAffected() > 0 {
			tx.noteViewers(actor)
			return nil
		}
		already, err := subscribes(ctx, tx, actor, f.timeline)
		if err == nil && !already {
			err = ErrNotFound
		}
		return err
	})
}

// Unsubscribe ends the actor's subscription or request, and in a group also the administration. The
// error is a [LastAdminError], which is [ErrConflict], for the last administrator of a group, not
// counting suspended ones.
func (s *Store) Unsubscribe(ctx context.Context, actor UserID, name FeedName) (err error) {
	defer primary.Wrap(&err, "unsubscribe from %v", name)
	return s.write(ctx, func(tx *txn) error {
		f, err := lockFeed(ctx, tx, actor, name)
		if err != nil {
			return err
		}
		left, err := tx.leave(ctx, actor, f.timeline, f.Group)
		if err != nil {
			return err
		}
		asked, _, err := tx.dropRequest(ctx, actor, f.timeline)
		if err != nil {
			return err
		}
		if asked {
			return tx.noteRequest(ctx, f.timeline, actor)
		}
		if left {
			tx.noteViewers(actor)
		}
		return nil
	})
}

// RemoveSubscriber ends a person's subscription to a feed that the actor manages, and in a group
// also the person's administration. The person may subscribe or ask again. The error is a
// [LastAdminError], which is [ErrConflict], for the last administrator of a group.
func (s *Store) RemoveSubscriber(ctx context.Context, actor UserID, name FeedName, who string) (err error) {
	defer primary.Wrap(&err, "remove subscriber %q of %v", who, name)
	return s.withFeedPerson(ctx, actor, name, who, func(tx *txn, p feedPerson) error {
		left, err := tx.leave(ctx, p.person, p.ID, p.group())
		if err == nil && left {
			tx.noteViewers(p.actor, p.person)
		}
		return err
	})
}

// leave ends a subscription and deletes its notices; in a group, it ends the administration too. It
// reports whether there was a subscription or an administration. It returns a [LastAdminError] for
// the last administrator.
func (tx *txn) leave(ctx context.Context, who UserID, feed TimelineID, group GroupID) (left bool, err error) {
	const remove = `delete from subscriptions where user_id = $1 and timeline_id = $2`
	tx.Revokes()
	tag, err := tx.Exec(ctx, remove, who, feed)
	if err != nil {
		return false, err
	}
	if left = tag.RowsAffected() > 0; left {
		if err := tx.retractSubscriber(ctx, feed, who); err != nil {
			return false, err
		}
	}
	if group != 0 {
		led, err := resign(ctx, tx, who, group)
		return left || led, err
	}
	return left, nil
}

// resign ends a person's administration of a group, and reports whether the person was an
// administrator. If no other administrator would be left, not counting suspended and deleted ones,
// it returns a [LastAdminError] instead. Two resignations from one group run one after the other.
func resign(ctx context.Context, tx primary.Querier, who UserID, group GroupID) (led bool, err error) {
	const administers = `select exists (select from group_admins where group_id = $1 and user_id = $2)`
	const lock = `select pg_advisory_xact_lock(hashtextextended('administrators', $1))`
	const others = `
		select exists (
			select from group_admins a join users u on u.id = a.user_id
			where a.group_id = $1 and a.user_id <> $2 and u.suspended_at is null and u.status <> 'deleted')`
	const name = `select name from groups where id = $1`
	const remove = `delete from group_admins where group_id = $1 and user_id = $2`
	if err := tx.QueryRow(ctx, administers, group, who).Scan(&led); err != nil || !led {
		return false, err
	}
	if _, err := tx.Exec(ctx, lock, group); err != nil {
		return false, err
	}
	var more bool
	if err := tx.QueryRow(ctx, others, group, who).Scan(&more); err != nil {
		return false, err
	}
	if !more {
		var last LastAdminError
		if err := tx.QueryRow(ctx, name, group).Scan(&last.Group); err != nil {
			return false, err
		}
		return false, &last
	}
	_, err = tx.Exec(ctx, remove, group, who)
	return true, err
}
