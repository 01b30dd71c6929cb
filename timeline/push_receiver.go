package timeline

import (
	"context"
	"crypto/ecdh"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

const (
	// mostPushReceivers is how many browsers of a person get pushes.
	mostPushReceivers = 10
	// mostEndpoint is the greatest length of an endpoint. Those of the known push services have up to some 600 characters.
	mostEndpoint = 1500
	// pushSecret is the length of the secret that a browser makes (RFC 8291, 3.2).
	pushSecret = 16
)

// A PushReceiver is a browser that gets pushes.
type PushReceiver struct {
	ID        int64
	Browser   string // as in [SessionInfo]
	System    string
	CreatedAt time.Time
	Hash      []byte // of its session
}

// A PushEndpoint is where a browser gets pushes, and how they are encrypted, as the browser says (RFC 8291).
type PushEndpoint struct {
	Address   string
	PublicKey []byte
	Auth      []byte
}

// check returns an [InvalidError] unless a browser can have the endpoint. It does not look up where the address leads: the worker refuses
// addresses that are not public each time it connects.
func (e PushEndpoint) check() error {
	at, err := url.Parse(e.Address)
	if err != nil || at.Scheme != "https" || at.Hostname() == "" || at.User != nil || at.Port() != "" && at.Port() != "443" || len(e.Address) > mostEndpoint {
		return &InvalidError{Field: "endpoint", Reason: "is not an https address of a push service"}
	}
	if _, err := ecdh.P256().NewPublicKey(e.PublicKey); err != nil || len(e.Auth) != pushSecret {
		return &InvalidError{Field: "keys", Reason: "are not those of a browser"}
	}
	return nil
}

// PushReceivers returns a person's push receivers, the newest first.
func (s *Store) PushReceivers(ctx context.Context, user UserID) (_ []PushReceiver, err error) {
	defer primary.Wrap(&err, "push receivers of user %d", user)
	const query = `
		select r.id, s.agent, '', r.created_at, r.session_hash
		from push_receivers r join sessions s on s.token_hash = r.session_hash where r.user_id = $1 order by r.created_at desc, r.id desc`
	rows, err := s.db.Pool.Query(ctx, query, user)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[PushReceiver])
	for i := range all {
		all[i].Browser, all[i].System = DeviceOf(all[i].Browser)
	}
	return all, err
}

// AddPushReceiver has the browser of a session get pushes, until the session ends. A session has one endpoint, and an endpoint one
// session: the last one. If the person has too many browsers, the oldest one gets no more pushes. AddPushReceiver returns an
// [InvalidError] for an endpoint that no browser has, and [ErrUnauthorized] if the session has ended.
func (s *Store) AddPushReceiver(ctx context.Context, actor UserID, session []byte, at PushEndpoint) (err error) {
	defer primary.Wrap(&err, "push receiver of user %d", actor)
	const before = `delete from push_receivers where endpoint = $1 and session_hash <> $2`
	const put = `
		insert into push_receivers (user_id, session_hash, endpoint, public_key, auth, created_at)
		select user_id, token_hash, $3, $4, $5, $6 from sessions where token_hash = $2 and user_id = $1
		on conflict (session_hash) do update set endpoint = excluded.endpoint, public_key = excluded.public_key, auth = excluded.auth, failures = 0`
	const over = `
		delete from push_receivers where id in (
			select id from push_receivers where user_id = $1 order by created_at desc, id desc offset $2)`
	if err := at.check(); err != nil {
		return err
	}
	return s.write(ctx, func(tx *txn) error {
		if err := primary.LockActor(ctx, tx, actor); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, before, at.Address, session); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, put, actor, session, at.Address, at.PublicKey, at.Auth, s.db.Now())
		if err == nil && tag.RowsAffected() == 0 {
			return ErrUnauthorized
		}
		if err == nil {
			_, err = tx.Exec(ctx, over, actor, mostPushReceivers)
		}
		return err
	})
}

// RemovePushReceiver deletes one of the person's push receivers. It returns [ErrNotFound] if there is no such receiver.
func (s *Store) RemovePushReceiver(ctx context.Context, actor UserID, id int64) (err error) {
	defer primary.Wrap(&err, "push receiver %d of user %d", id, actor)
	const query = `delete from push_receivers where user_id = $1 and id = $2`
	tag, err := s.db.Pool.Exec(ctx, query, actor, id)
	if err == nil && tag.RowsAffected() == 0 {
		return ErrNotFound
	}
	return err
}
