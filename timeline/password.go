package timeline

import (
	"context"
	"net/url"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// SetPassword sets a person's password and ends all of their sessions and sign-in links,
// so that they sign in again. A mail tells the person. API tokens stay; each can be revoked by itself. The error
// is an [InvalidError] for a password that [text.CheckPassword] refuses, [ErrSignInBusy] if
// too many passwords wait to be hashed, and [ErrNotFound] for a deleted account.
func (s *Store) SetPassword(ctx context.Context, user UserID, password string) (err error) {
	defer primary.Wrap(&err, "password of user %d", user)
	const set = `update users set password_hash = $2 where id = $1 and status <> 'deleted'`
	const links = `delete from sign_in_links where user_id = $1`
	const sessions = `delete from sessions where user_id = $1 returning user_id, token_hash`
	if err := s.checkPassword(ctx, user, password); err != nil {
		return err
	}
	seat, err := s.vault.stand(lineOfMember(user))
	if err != nil {
		return err
	}
	defer seat.leave()
	hash, err := seat.hash(ctx, password)
	if err != nil {
		return err
	}
	seat.leave()
	err = s.write(ctx, func(tx *txn) error {
		tag, err := tx.Exec(ctx, set, user, hash)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return ErrNotFound
		}
		if _, err := tx.Exec(ctx, links, user); err != nil {
			return err
		}
		if err := s.queueMail(ctx, tx, user, MailPassword, ""); err != nil {
			return err
		}
		return tx.endSessions(ctx, sessions, user)
	})
	if err == nil {
		s.mailBell.ring()
	}
	return err
}

// checkPassword returns an [InvalidError] for a new password that is easily guessed, or [ErrNotFound] for a deleted account.
func (s *Store) checkPassword(ctx context.Context, user UserID, password string) error {
	const query = `select name, display_name, coalesce(email, '') from users where id = $1 and status <> 'deleted'`
	var name, display, email string
	if err := s.db.Pool.QueryRow(ctx, query, user).Scan(&name, &display, &email); err != nil {
		return err
	}
	return text.CheckPassword(password, name, display, email, s.host())
}

// host returns the host of the site's address, or "" if the address is not known.
func (s *Store) host() string {
	at, err := url.Parse(s.url)
	if err != nil {
		return ""
	}
	return at.Hostname()
}

// HasPassword reports whether a person has set a password. After an import, or if an
// operator made the account without a password, the person signs in by a link first.
func (s *Store) HasPassword(ctx context.Context, user UserID) (has bool, err error) {
	defer primary.Wrap(&err, "user %d", user)
	const query = `select password_hash is not null from users where id = $1`
	if err := s.db.Pool.QueryRow(ctx, query, user).Scan(&has); err != nil {
		return false, err
	}
	return has, nil
}
