package timeline

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// pushAfter is how long a push waits after its notice was written. A person who looks at the page of the post meanwhile has read the
// notice, and gets no push; neither does anyone if the author deletes the text at once.
const pushAfter = 5 * time.Second

// pushFor is how long a push may wait. Older ones tell of something that the person has seen, or will see in a mail.
const pushFor = 24 * time.Hour

// mostPushFailures is how many pushes in a row may be given up before their receiver is deleted.
const mostPushFailures = 5

// pushedKinds are the kinds of notices of which there are pushes.
var pushedKinds = []NoticeKind{NoticeMention, NoticeDirect, NoticeComment}

// pushKey is the key in the table site of the private key that signs pushes.
const pushKey = "push_key"

// PushKey returns the private key with which the site signs pushes. All nodes share the key, which the first call makes: browsers
// take pushes of this key only, so it stays the same for ever.
func (s *Store) PushKey(ctx context.Context) (_ *ecdsa.PrivateKey, err error) {
	defer primary.Wrap(&err, "key of pushes")
	const put = `insert into site (key, value) values ($1, $2) on conflict do nothing`
	secret, err := s.Secret(ctx, pushKey)
	if errors.Is(err, pgx.ErrNoRows) {
		var made *ecdsa.PrivateKey
		if made, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			return nil, err
		}
		if secret, err = made.Bytes(); err != nil {
			return nil, err
		}
		if _, err = s.db.Pool.Exec(ctx, put, pushKey, secret); err != nil {
			return nil, err
		}
		secret, err = s.Secret(ctx, pushKey) // another process may have been faster
	}
	if err != nil {
		return nil, err
	}
	return ecdsa.ParseRawPrivateKey(elliptic.P256(), secret)
}

// A PushLease gives one worker the right to send a push, for a time.
type PushLease struct {
	ID        int64
	Notice    int64
	Receiver  int64
	User      UserID
	Endpoint  string
	PublicKey []byte // of the browser
	Auth      []byte // the secret of the browser
	Language  string // in which the person reads pages; empty: not known
	Take      int    // how many times workers have taken the push, this time included
	CreatedAt time.Time
}

// TakePush takes the push that has been due for the longest time, and returns nil if none is due. lease is how long the worker has
// the push; then another worker may take it.
func (s *Store) TakePush(ctx context.Context, lease time.Duration) (_ *PushLease, err error) {
	defer primary.Wrap(&err, "take a push")
	const query = `
		update pushes p set taken_until = $2, takes = p.takes + 1 from push_receivers r, users u
		where r.id = p.receiver_id and u.id = r.user_id and p.id = (
			select id from pushes
			where due_at <= $1 and (taken_until is null or taken_until <= $1)
			order by due_at, id limit 1 for update skip locked)
		returning p.id, p.notice_id, r.id, r.user_id, r.endpoint, r.public_key, r.auth, u.page_language, p.takes, p.created_at`
	now := s.db.Now()
	rows, err := s.db.Pool.Query(ctx, query, now, now.Add(lease))
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[PushLease])
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return all[0], nil
}

// oneNotice reads the notice with the id of each person.
const oneNotice = noticesFrom + `(select id from notices where user_id = v.user_id and id = v.before limit $3)` + noticesAs

// NoticeToPush returns the notice of a push, as [Store.NoticesOf] does. It returns [ErrNotFound] if the push must not be sent now:
// the person has read the notice, may not see it, or has switched its kind off; the session of the browser is over; or the push
// is too old.
func (s *Store) NoticeToPush(ctx context.Context, l PushLease) (p *NoticePage, err error) {
	defer primary.Wrap(&err, "notice to push to user %d", l.User)
	const query = `
		select s.seen_at, s.remember
		from push_receivers r
		join sessions s on s.token_hash = r.session_hash
		join users u on u.id = r.user_id and u.suspended_at is null and u.status <> 'deleted'
		join notices n on n.id = $2 and n.user_id = r.user_id and n.read_at is null and n.kind = any($3) and n.kind <> all (u.notices_off)
		where r.id = $1 and r.user_id = $4`
	now := s.db.Now()
	if now.Sub(l.CreatedAt) > pushFor {
		return nil, ErrNotFound
	}
	err = s.db.View(ctx, func(q primary.Querier) error {
		var seen time.Time
		var remember bool
		err := q.QueryRow(ctx, query, l.Receiver, l.Notice, pushedKinds, l.User).Scan(&seen, &remember)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && now.After(expiry(seen, remember)) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		p = &NoticePage{}
		if p.Sets, err = ReadSets(ctx, q, l.User); err != nil {
			return err
		}
		all, _, err := readNotices(ctx, q, oneNotice, map[UserID]int64{l.User: l.Notice}, map[UserID]*Sets{l.User: p.Sets})
		if err != nil {
			return err
		}
		if p.add(all, 1); len(p.Notices) == 0 {
			return ErrNotFound
		}
		return p.fill(ctx, q)
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// FinishPush deletes a push that the push service has taken. It does nothing if another worker has taken the push meanwhile.
func (s *Store) FinishPush(ctx context.Context, l PushLease) (err error) {
	defer primary.Wrap(&err, "finish push %d", l.ID)
	const used = `update push_receivers set used_at = $2, failures = 0 where id = $1`
	// Two transactions, because the end of a session locks the receiver before its pushes.
	if err := s.DropPush(ctx, l); err != nil {
		return err
	}
	_, err = s.db.Pool.Exec(ctx, used, l.Receiver, s.db.Now())
	return err
}

// DropPush deletes a push that must not be sent any more.
func (s *Store) DropPush(ctx context.Context, l PushLease) (err error) {
	defer primary.Wrap(&err, "drop push %d", l.ID)
	const query = `delete from pushes where id = $1 and takes = $2`
	_, err = s.db.Pool.Exec(ctx, query, l.ID, l.Take)
	return err
}

// PostponePush has a push that was not sent tried again after wait. Until then no other push goes to the same browser, so that a push service
// that does not answer keeps no worker busy.
func (s *Store) PostponePush(ctx context.Context, l PushLease, wait time.Duration) (err error) {
	defer primary.Wrap(&err, "postpone push %d", l.ID)
	const query = `update pushes set taken_until = null, due_at = $3 where id = $1 and takes = $2`
	const others = `
		update pushes set due_at = $2 where id in (
			select id from pushes where receiver_id = $1 and due_at < $2 and taken_until is null for update skip locked)`
	at := s.db.Now().Add(wait)
	if _, err := s.db.Pool.Exec(ctx, query, l.ID, l.Take, at); err != nil {
		return err
	}
	_, err = s.db.Pool.Exec(ctx, others, l.Receiver, at)
	return err
}

// GiveUpPush deletes a push that could not be sent, and its receiver if too many in a row could not.
func (s *Store) GiveUpPush(ctx context.Context, l PushLease) (err error) {
	defer primary.Wrap(&err, "give up push %d", l.ID)
	const count = `update push_receivers set failures = failures + 1 where id = $1 returning failures`
	if err := s.DropPush(ctx, l); err != nil {
		return err
	}
	var failures int
	err = s.db.Pool.QueryRow(ctx, count, l.Receiver).Scan(&failures)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err == nil && failures >= mostPushFailures {
		err = s.DropPushReceiver(ctx, l)
	}
	return err
}

// DropPushReceiver deletes the receiver of a push, which no longer exists, with all its pushes. It does nothing if the browser has given
// the site another endpoint meanwhile.
func (s *Store) DropPushReceiver(ctx context.Context, l PushLease) (err error) {
	defer primary.Wrap(&err, "drop push receiver %d", l.Receiver)
	const query = `delete from push_receivers where id = $1 and endpoint = $2`
	_, err = s.db.Pool.Exec(ctx, query, l.Receiver, l.Endpoint)
	return err
}
