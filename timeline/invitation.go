package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// An Invitation offers a person to subscribe to a feed or to join a group. It is the reverse of a
// [Request]: an invitation of a person who has asked to subscribe makes the subscription at once,
// and so does a request of a person who was invited.
type Invitation struct {
	UUID      string
	From, To  UserID
	Target    Timeline
	CreatedAt time.Time
}

// Invited is the relation of a person to a feed from an invitation until the person's answer.
const Invited Subscription = "invited"

// Invite invites a person to a feed that the actor manages, and returns the relation of the person
// to the feed afterwards: [Invited], or [Subscribed] if the person was subscribed already or had
// asked to subscribe.
//
// The error is [ErrForbidden] if the actor does not manage the feed or has banned the person, if
// the feed excludes the person, or if it is for its owner's eyes only; [ErrNotFound] if there is no
// such person, or if the person has banned the actor; and an [InvalidError] if too many invitations
// to the feed wait for an answer.
func (s *Store) Invite(ctx context.Context, actor UserID, name FeedName, person string) (state Subscription, err error) {
	defer primary.Wrap(&err, "invite")
	err = s.withFeedPerson(ctx, actor, name, person, func(tx *txn, p feedPerson) (err error) {
		state, err = s.invite(ctx, tx, p)
		return err
	})
	return state, err
}

func (s *Store) invite(ctx context.Context, tx *txn, p feedPerson) (Subscription, error) {
	const insert = `
		insert into invitations (user_id, timeline_id, from_id, created_at) values ($1, $2, $3, $4) on conflict do nothing`
	const waiting = `select count(*) from (select from invitations where timeline_id = $1 limit $2) i`
	if err := checkNoBan(ctx, tx, p.actor, p.person); err != nil {
		return "", err
	}
	if already, err := subscribes(ctx, tx, p.person, p.ID); err != nil || already {
		return Subscribed, err
	}
	if err := checkJoin(ctx, tx, p.person, p.ID); err != nil {
		return "", err
	}
	requested, forwardOnly, err := tx.dropRequest(ctx, p.person, p.ID)
	if err != nil {
		return "", err
	}
	if requested {
		return Subscribed, s.join(ctx, tx, p.person, p.ID, forwardOnly, true)
	}
	tag, err := tx.Exec(ctx, insert, p.person, p.ID, p.actor, s.db.Now())
	if err != nil || tag.RowsAffected() == 0 {
		return Invited, err
	}
	tx.noteViewers(p.person)
	if err := tx.notifyOfInvitation(ctx, s.db.Now(), p.ID, p.person, p.actor); err != nil {
		return "", err
	}
	return Invited, primary.CheckRoom(ctx, tx, waiting, p.ID, maxInvitations, "invitations to it that wait for an answer are")
}

// Invitations returns the invitations that wait for a person's answer, the oldest first.
func (s *Store) Invitations(ctx context.Context, user UserID) (_ []Invitation, err error) {
	defer primary.Wrap(&err, "invitations of user %d", user)
	const query = `
		select i.id::text, i.from_id, i.user_id, t.id, t.what, t.their_id, t.access, i.created_at
		from invitations i join timelines t on t.id = i.timeline_id
		where i.user_id = $1
		order by i.created_at, i.id`
	invitations, err := readInvitations(ctx, s.db.Pool, query, user)
	if err != nil {
		return nil, err
	}
	return invitations, nil
}

// SentInvitations returns the invitations to a feed that the actor manages, the oldest first,
// including invitations by other administrators.
func (s *Store) SentInvitations(ctx context.Context, actor UserID, name FeedName) (invitations []Invitation, err error) {
	defer primary.Wrap(&err, "invitations to %v", name)
	const query = `
		select i.id::text, i.from_id, i.user_id, t.id, t.what, t.their_id, t.access, i.created_at
		from invitations i join timelines t on t.id = i.timeline_id join users u on u.id = i.user_id
		where i.timeline_id = $1 and u.status <> 'deleted'
		order by i.created_at, i.id`
	err = s.db.View(ctx, func(q primary.Querier) error {
		t, err := managedFeed(ctx, q, actor, name)
		if err == nil {
			invitations, err = readInvitations(ctx, q, query, t.ID)
		}
		return err
	})
	return invitations, err
}

func readInvitations(ctx context.Context, q primary.Querier, query string, args ...any) ([]Invitation, error) {
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

// AcceptInvitation subscribes the actor to the feed of an invitation, and ends a request of the
// actor's for the same feed. The error is [ErrNotFound] unless the actor was invited, and
// [ErrForbidden] if the actor can't subscribe to the feed any more; see [Store.Invite].
func (s *Store) AcceptInvitation(ctx context.Context, actor UserID, uuid string) (err error) {
	defer primary.Wrap(&err, "accept invitation %q", uuid)
	return s.write(ctx, func(tx *txn) error { return s.acceptInvitation(ctx, tx, actor, uuid) })
}

func (s *Store) acceptInvitation(ctx context.Context, tx *txn, actor UserID, uuid string) error {
	i, err := findInvitation(ctx, tx, uuid)
	if err != nil {
		return err
	}
	if i.To != actor {
		return ErrNotFound // other people do not learn that the invitation exists
	}
	// A ban or an exclusion at this moment waits for this lock, and then finds and ends the
	// subscription.
	if err := lockPair(ctx, tx, actor, i.From, pairShared); err != nil {
		return err
	}
	dropped, err := tx.dropInvitation(ctx, actor, i.Target.ID)
	if err != nil {
		return err
	}
	if !dropped {
		return ErrNotFound // the invitation was withdrawn after it was read
	}
	if err := checkJoin(ctx, tx, actor, i.Target.ID); err != nil {
		return err
	}
	requested, forwardOnly, err := tx.dropRequest(ctx, actor, i.Target.ID)
	if err != nil {
		return err
	}
	if err := s.join(ctx, tx, actor, i.Target.ID, forwardOnly, requested); err != nil {
		return err
	}
	return tx.notifyOfSubscriber(ctx, s.db.Now(), i.Target.ID, actor)
}

// EndInvitation ends an invitation without a subscription: the invited person declines it, or a
// person who manages the feed withdraws it. For all other actors the error is [ErrNotFound].
func (s *Store) EndInvitation(ctx context.Context, actor UserID, uuid string) (err error) {
	defer primary.Wrap(&err, "end invitation %q", uuid)
	return s.write(ctx, func(tx *txn) error {
		i, err := findInvitation(ctx, tx, uuid)
		if err != nil {
			return err
		}
		if err := primary.LockActor(ctx, tx, actor); err != nil {
			return err
		}
		if i.To != actor {
			if err := checkManages(ctx, tx, actor, i.Target); err != nil {
				return err
			}
		}
		dropped, err := tx.dropInvitation(ctx, i.To, i.Target.ID)
		if err != nil {
			return err
		}
		if !dropped {
			return ErrNotFound // the invitation was answered after it was read
		}
		tx.noteViewers(i.To)
		return nil
	})
}

// findInvitation reads an invitation without a lock. So the invitation may end before the caller
// has locked the people of the invitation.
func findInvitation(ctx context.Context, q primary.Querier, uuid string) (i Invitation, err error) {
	const query = `
		select i.user_id, i.from_id, t.id, t.what, t.their_id, t.access
		from invitations i join timelines t on t.id = i.timeline_id
		where i.id = $1`
	if !validUUID(uuid) {
		return i, ErrNotFound
	}
	i.UUID = uuid
	err = q.QueryRow(ctx, query, uuid).Scan(&i.To, &i.From, &i.Target.ID, &i.Target.What, &i.Target.TheirID, &i.Target.Access)
	return i, err
}

// dropInvitation deletes an invitation and its notice. It reports whether the invitation
// existed.
func (tx *txn) dropInvitation(ctx context.Context, to UserID, feed TimelineID) (bool, error) {
	const query = `delete from invitations where user_id = $1 and timeline_id = $2`
	tag, err := tx.Exec(ctx, query, to, feed)
	if err != nil || tag.RowsAffected() == 0 {
		return false, err
	}
	return true, tx.retractInvitation(ctx, feed, to)
}
