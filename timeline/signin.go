package timeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// Authenticate returns the person with the login, which is a name or an e-mail address, and the
// password. It returns [ErrUnauthorized] if either is wrong, after the same amount of work in both
// cases, so that the time does not reveal which accounts exist; [ErrSuspended], which is [ErrUnauthorized], if
// the account is suspended and the password is right; a [LeavingError] if the person deleted it;
// [ErrWaiting] and a [RefusedError] for an [Applicant]; [ErrThrottled] after too many
// failures, whether or not the account exists; and [ErrSignInBusy] if too many other clients wait.
func (s *Store) Authenticate(ctx context.Context, login, password string, from Client) (_ UserID, err error) {
	defer primary.Wrap(&err, "sign in")
	user, _, err := s.authenticate(ctx, login, password, from)
	if err != nil {
		return 0, err
	}
	return user, nil
}

// SignIn checks a login and password, starts a session of the person as [Store.NewSession] does,
// and returns its secret. Its errors are those of [Store.Authenticate]. A change of the password
// ends all sessions; if it comes while SignIn runs, SignIn either starts its session before the
// change or returns [ErrUnauthorized]. A mail tells the person of a sign-in from a device that is new to the account.
func (s *Store) SignIn(ctx context.Context, login, password string, from Client, remember bool, agent string) (secret string, err error) {
	defer primary.Wrap(&err, "sign in")
	const same = `select from users where id = $1 and password_hash = $2 and suspended_at is null and status <> 'deleted' for share`
	user, hash, err := s.authenticate(ctx, login, password, from)
	if leaving, is := errors.AsType[*LeavingError](err); is {
		err := s.write(ctx, func(tx *txn) (err error) {
			leaving.Secret, err = s.newLink(ctx, tx, user)
			return err
		})
		return "", cmp.Or(err, error(leaving))
	}
	if err != nil {
		return "", err
	}
	secret = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		err := tx.QueryRow(ctx, same, user, hash).Scan()
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrUnauthorized
		}
		if err != nil {
			return err
		}
		if err := s.addSession(ctx, tx, secret, user, remember, agent); err != nil {
			return err
		}
		if _, known := from.Devices[user]; known {
			return nil
		}
		return s.queueMail(ctx, tx, user, MailDevice, "")
	})
	if err == nil {
		s.mailBell.ring()
	}
	return secret, err
}

// authenticate returns the person, and the hash that the password was compared with.
func (s *Store) authenticate(ctx context.Context, login, password string, from Client) (user UserID, hash string, err error) {
	const query = `
		select id, coalesce(password_hash, ''), suspended_at is not null, 0::bigint waits from users
		where (name = $1 or lower(email) = lower($1)) and status <> 'deleted'
		union all
		select 0, password_hash, false, id from applicants where name = $1 or lower(email) = lower($1)
		order by waits limit 1`
	var suspended bool
	var applicant int64
	login = strings.ToLower(strings.TrimSpace(login))
	if text.Valid(login) {
		err := s.db.Pool.QueryRow(ctx, query, login).Scan(&user, &hash, &suspended, &applicant)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return 0, "", err
		}
	}
	seat, err := s.vault.stand(s.lineOf(from, user))
	if err != nil {
		return 0, "", err
	}
	defer seat.leave()
	a, err := s.chargeSignIn(ctx, from, user, login)
	if err != nil {
		return 0, "", err
	}
	right, err := seat.matches(ctx, password, hash)
	if err != nil {
		return 0, "", err
	}
	if !right {
		return 0, "", ErrUnauthorized
	}
	seat.leave()
	if applicant != 0 {
		return 0, "", s.whyNotYet(ctx, applicant)
	}
	if suspended {
		leaving, err := readLeaving(ctx, s.db.Pool, user)
		switch {
		case err != nil:
			return 0, "", err
		case leaving != nil:
			return user, "", leaving
		}
		return 0, "", ErrSuspended
	}
	return user, hash, s.forgive(ctx, a)
}

// whyNotYet returns the error for an applicant who signs in: [ErrWaiting], or a [RefusedError].
func (s *Store) whyNotYet(ctx context.Context, applicant int64) error {
	const query = `select refused_at is not null, reason from applicants where id = $1`
	var is bool
	var refused RefusedError
	err := s.db.Pool.QueryRow(ctx, query, applicant).Scan(&is, &refused.Reason)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // decided or pruned meanwhile
		return ErrUnauthorized
	case err == nil && is:
		return &refused
	case err == nil:
		return ErrWaiting
	}
	return err
}

// lineOf returns the line in which a client waits for the comparison of a password.
func (s *Store) lineOf(from Client, user UserID) line {
	if _, known := from.Devices[user]; known {
		return lineOfMember(user)
	}
	return line{who: "network " + from.Network.String()}
}

// CheckPassword checks the password of a person who is signed in. It returns an [InvalidError] of
// the field password for a wrong password, and [ErrThrottled] after too many wrong passwords of
// this person here. Failed sign-ins do not count, because strangers can cause them.
func (s *Store) CheckPassword(ctx context.Context, user UserID, password string) (err error) {
	defer primary.Wrap(&err, "password of user %d", user)
	if _, err := s.checkOwner(ctx, user, password); err != nil {
		return err
	}
	return nil
}

// checkOwner checks the password as CheckPassword does, and returns the hash of the password.
func (s *Store) checkOwner(ctx context.Context, user UserID, password string) (hash string, err error) {
	const query = `
		select coalesce(password_hash, '') from users where id = $1 and suspended_at is null and status <> 'deleted'`
	err = s.db.Pool.QueryRow(ctx, query, user).Scan(&hash)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return "", ErrUnauthorized
	case err != nil:
		return "", err
	case hash == "":
		return "", &InvalidError{Field: "password", Reason: "is not set yet: set one first", Code: "no_password"}
	}
	seat, err := s.vault.stand(lineOfMember(user))
	if err != nil {
		return "", err
	}
	defer seat.leave()
	a := attempt{{fmt.Sprintf("owner:%d", user), boundOwner}}
	if err := s.charge(ctx, a); err != nil {
		return "", err
	}
	right, err := seat.matches(ctx, password, hash)
	if err != nil {
		return "", err
	}
	if !right {
		return "", &InvalidError{Field: "password", Reason: "is wrong", Code: "password"}
	}
	return hash, s.forgive(ctx, a)
}
