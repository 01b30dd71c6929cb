package timeline

import (
	"context"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// Email returns a person's e-mail address, or "" if the person has none. Callers show the address to
// the person alone.
func (s *Store) Email(ctx context.Context, user UserID) (email string, err error) {
	defer primary.Wrap(&err, "e-mail address of user %d", user)
	const query = `select coalesce(email, '') from users where id = $1 and status <> 'deleted'`
	if err := s.db.Pool.QueryRow(ctx, query, user).Scan(&email); err != nil {
		return "", err
	}
	return email, nil
}

// SetEmail sets a person's e-mail address. The error is an [InvalidError] for a text that is no
// address, a [TakenError] if another account has the address, and [ErrNotFound] for a deleted
// account.
func (s *Store) SetEmail(ctx context.Context, user UserID, email string) (err error) {
	defer primary.Wrap(&err, "e-mail address of user %d", user)
	const set = `update users set email = $2 where id = $1 and status <> 'deleted'`
	if err := text.CheckEmail(email); err != nil {
		return err
	}
	return s.write(ctx, func(tx *txn) error {
		tag, err := tx.Exec(ctx, set, user, email)
		if err != nil {
			return asTakenError(err)
		}
		if tag.RowsAffected() == 0 {
			return ErrNotFound
		}
		return nil
	})
}
