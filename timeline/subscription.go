package timeline

import (
	"context"
	"fmt"
)

// Subscription says how somebody stands to a feed after asking for it.
type Subscription string

// What comes of asking to subscribe.
const (
	Subscribed Subscription = "subscribed"
	Requested  Subscription = "requested" // its owner, or an administrator, is to answer
)

// SubscribeOptions say what a subscription brings.
type SubscribeOptions struct {
	// ForwardOnly: the subscriber's home has what enters the feed from now on,
	// and nothing older.
	ForwardOnly bool
}

// Subscribe subscribes the actor to a person or a group, at once where that is
// public, else when the request is accepted.
func (s *Store) Subscribe(ctx context.Context, actor UserID, name FeedName, opts SubscribeOptions) (Subscription, error) {
	var state Subscription
	err := s.write(ctx, func(tx *txn) error {
		f, err := lockFeed(ctx, tx, actor, name)
		if err != nil {
			return err
		}
		state, err = s.subscribe(ctx, tx, actor, f)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("subscribe to %v: %w", name, err)
	}
	return state, nil
}

func (s *Store) subscribe(ctx context.Context, tx *txn, actor UserID, f feed) (Subscription, error) {
	const subscribed = `select exists (select from subscriptions where user_id = $1 and timeline_id = $2)`
	const request = `
		insert into subscription_requests (user_id, timeline_id, created_at) values ($1, $2, $3) on conflict do nothing`
	const insert = `
		insert into subscriptions (user_id, timeline_id, created_at) values ($1, $2, $3) on conflict do nothing`
	if f.User != 0 {
		if err := checkNoBan(ctx, tx, actor, f.User); err != nil {
			return "", err
		}
	}
	var already bool
	if err := tx.QueryRow(ctx, subscribed, actor, f.timeline).Scan(&already); err != nil || already {
		return Subscribed, err
	}
	if f.approves {
		tag, err := tx.Exec(ctx, request, actor, f.timeline, s.now())
		if err != nil || tag.RowsAffected() == 0 {
			return Requested, err
		}
		return Requested, tx.noteRequest(ctx, f.timeline, actor)
	}
	tag, err := tx.Exec(ctx, insert, actor, f.timeline, s.now())
	if err != nil || tag.RowsAffected() == 0 {
		return Subscribed, err
	}
	// It may have been private when he asked for it.
	asked, err := tx.dropRequest(ctx, actor, f.timeline)
	if err != nil {
		return "", err
	}
	if asked {
		return Subscribed, tx.noteRequest(ctx, f.timeline, actor)
	}
	tx.noteViewers(actor)
	return Subscribed, nil
}

// Unsubscribe ends the actor's subscription, takes back his request, and ends
// what he has to say in a group. The last administrator of a group can't leave
// it: [ErrConflict].
func (s *Store) Unsubscribe(ctx context.Context, actor UserID, name FeedName) error {
	const remove = `delete from subscriptions where user_id = $1 and timeline_id = $2`
	err := s.write(ctx, func(tx *txn) error {
		f, err := lockFeed(ctx, tx, actor, name)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, remove, actor, f.timeline)
		if err != nil {
			return err
		}
		left := tag.RowsAffected() > 0
		if f.Group != 0 {
			led, err := resign(ctx, tx, actor, f.Group)
			if err != nil {
				return err
			}
			left = left || led
		}
		asked, err := tx.dropRequest(ctx, actor, f.timeline)
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
	if err != nil {
		return fmt.Errorf("unsubscribe from %v: %w", name, err)
	}
	return nil
}

// resign ends an administration, unless it is the last. Those of one group
// come one after the other.
func resign(ctx context.Context, tx querier, actor UserID, group GroupID) (led bool, err error) {
	const mine = `select exists (select from group_admins where group_id = $1 and user_id = $2)`
	const lock = `select pg_advisory_xact_lock(hashtextextended('administrators', $1))`
	const others = `select exists (select from group_admins where group_id = $1 and user_id <> $2)`
	const remove = `delete from group_admins where group_id = $1 and user_id = $2`
	if err := tx.QueryRow(ctx, mine, group, actor).Scan(&led); err != nil || !led {
		return false, err
	}
	if _, err := tx.Exec(ctx, lock, group); err != nil {
		return false, err
	}
	var more bool
	if err := tx.QueryRow(ctx, others, group, actor).Scan(&more); err != nil {
		return false, err
	}
	if !more {
		return false, fmt.Errorf("its last administrator stays: %w", ErrConflict)
	}
	_, err = tx.Exec(ctx, remove, group, actor)
	return true, err
}
