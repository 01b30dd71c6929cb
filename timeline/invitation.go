package timeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Invitation is somebody's being asked into a feed: the reverse of a [Request].
// Whichever of the two comes second makes the subscription.
type Invitation struct {
	UUID      string
	From, To  UserID
	Target    Timeline
	CreatedAt time.Time
}

// Invited says that an invitation waits for an answer.
const Invited Subscription = "invited"

// Invite asks somebody into a feed that the actor keeps; one who had asked for
// it is subscribed at once. It is refused, [ErrForbidden], across a ban, to whom
// the feed excludes, and to a feed for its owner's eyes only.
func (s *Store) Invite(ctx context.Context, actor UserID, name FeedName, who string) (Subscription, error) {
	var state Subscription
	err := s.inFeed(ctx, actor, name, who, func(tx *txn, p place) (err error) {
		state, err = s.invite(ctx, tx, p)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("invite: %w", err)
	}
	return state, nil
}

func (s *Store) invite(ctx context.Context, tx *txn, p place) (Subscription, error) {
	const insert = `
		insert into invitations (user_id, timeline_id, from_id, created_at) values ($1, $2, $3, $4) on conflict do nothing`
	if err := checkNoBan(ctx, tx, p.keeper, p.who); err != nil {
		return "", err
	}
	if already, err := subscribes(ctx, tx, p.who, p.ID); err != nil || already {
		return Subscribed, err
	}
	if err := checkJoin(ctx, tx, p.who, p.ID); err != nil {
		return "", err
	}
	asked, forwardOnly, err := tx.dropRequest(ctx, p.who, p.ID)
	if err != nil {
		return "", err
	}
	if asked {
		return Subscribed, s.join(ctx, tx, p.who, p.ID, forwardOnly, true)
	}
	tag, err := tx.Exec(ctx, insert, p.who, p.ID, p.keeper, s.now())
	if err == nil && tag.RowsAffected() > 0 {
		tx.noteViewers(p.who)
	}
	return Invited, err
}

// Invitations lists those that wait for a person's answer, the oldest first.
func (s *Store) Invitations(ctx context.Context, user UserID) ([]Invitation, error) {
	const query = `
		select i.id::text, i.from_id, i.user_id, t.id, t.what, t.their_id, t.access, i.created_at
		from invitations i join timelines t on t.id = i.timeline_id
		where i.user_id = $1
		order by i.created_at, i.id`
	invitations, err := readInvitations(ctx, s.pool, query, user)
	if err != nil {
		return nil, translate(fmt.Errorf("invitations of user %d: %w", user, err))
	}
	return invitations, nil
}

// SentInvitations lists those to a feed that the actor keeps, the oldest first,
// whoever sent them.
func (s *Store) SentInvitations(ctx context.Context, actor UserID, name FeedName) ([]Invitation, error) {
	const query = `
		select i.id::text, i.from_id, i.user_id, t.id, t.what, t.their_id, t.access, i.created_at
		from invitations i join timelines t on t.id = i.timeline_id join users u on u.id = i.user_id
		where i.timeline_id = $1 and u.status <> 'deleted'
		order by i.created_at, i.id`
	var invitations []Invitation
	err := s.view(ctx, func(q querier) error {
		t, err := keptFeed(ctx, q, actor, name)
		if err == nil {
			invitations, err = readInvitations(ctx, q, query, t.ID)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("invitations to %v: %w", name, err)
	}
	return invitations, nil
}

func readInvitations(ctx context.Context, q querier, query string, args ...any) ([]Invitation, error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (i Invitation, err error) {
		err = row.Scan(&i.UUID, &i.From, &i.To, &i.Target.ID, &i.Target.What, &i.Target.TheirID, &i.Target.Access, &i.CreatedAt)
		i.CreatedAt = i.CreatedAt.UTC()
		return i, err
	})
}

// AcceptInvitation subscribes the actor, and ends a request of his for the same
// feed; [ErrNotFound] unless he was invited, [ErrForbidden] where nobody can
// subscribe any more.
func (s *Store) AcceptInvitation(ctx context.Context, actor UserID, uuid string) error {
	return s.onInvitation(ctx, uuid, func(tx *txn, i Invitation) error {
		if i.To != actor {
			return ErrNotFound // as if there were none
		}
		// A ban or an exclusion that comes meanwhile waits, and then finds the
		// subscription.
		if err := lockPair(ctx, tx, actor, i.From, pairShared); err != nil {
			return err
		}
		return s.acceptInvitation(ctx, tx, i)
	})
}

func (s *Store) acceptInvitation(ctx context.Context, tx *txn, i Invitation) error {
	if err := tx.takeInvitation(ctx, i); err != nil {
		return err
	}
	if err := checkJoin(ctx, tx, i.To, i.Target.ID); err != nil {
		return err
	}
	asked, forwardOnly, err := tx.dropRequest(ctx, i.To, i.Target.ID)
	if err != nil {
		return err
	}
	return s.join(ctx, tx, i.To, i.Target.ID, forwardOnly, asked)
}

// EndInvitation declines an invitation, or takes it back: who was invited may,
// and whoever keeps the feed; [ErrNotFound] for anybody else.
func (s *Store) EndInvitation(ctx context.Context, actor UserID, uuid string) error {
	return s.onInvitation(ctx, uuid, func(tx *txn, i Invitation) error {
		if i.To == actor {
			if err := lockActor(ctx, tx, actor); err != nil {
				return err
			}
		} else if err := checkKeeps(ctx, tx, actor, i.Target); err != nil {
			return err
		}
		if err := tx.takeInvitation(ctx, i); err != nil {
			return err
		}
		tx.noteViewers(i.To)
		return nil
	})
}

// onInvitation runs f on an invitation, which may end meanwhile: see
// [txn.takeInvitation].
func (s *Store) onInvitation(ctx context.Context, uuid string, f func(*txn, Invitation) error) error {
	const query = `
		select i.user_id, i.from_id, t.id, t.what, t.their_id, t.access
		from invitations i join timelines t on t.id = i.timeline_id
		where i.id = $1`
	err := s.write(ctx, func(tx *txn) error {
		i := Invitation{UUID: uuid}
		if !validUUID(uuid) {
			return ErrNotFound
		}
		err := tx.QueryRow(ctx, query, uuid).Scan(&i.To, &i.From, &i.Target.ID, &i.Target.What, &i.Target.TheirID, &i.Target.Access)
		if err != nil {
			return err
		}
		return f(tx, i)
	})
	if err != nil {
		return fmt.Errorf("invitation %q: %w", uuid, err)
	}
	return nil
}

// takeInvitation ends an invitation that was read; ErrNotFound if another did.
func (tx *txn) takeInvitation(ctx context.Context, i Invitation) error {
	const query = `delete from invitations where id = $1`
	tag, err := tx.Exec(ctx, query, i.UUID)
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrNotFound
	}
	return err
}

// dropInvitation deletes an invitation and says whether there was one.
func (tx *txn) dropInvitation(ctx context.Context, to UserID, feed TimelineID) (bool, error) {
	const query = `delete from invitations where user_id = $1 and timeline_id = $2`
	tag, err := tx.Exec(ctx, query, to, feed)
	return tag.RowsAffected() > 0, err
}
