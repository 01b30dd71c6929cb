package timeline

import (
	"context"
	"fmt"
	"sync"

	"github.com/alexedwards/argon2id"
)

// SetPassword sets a person's password and ends all sessions and sign-in
// links; whoever asked for it signs in anew. Tokens stay, each can be revoked.
func (s *Store) SetPassword(ctx context.Context, user UserID, password string) error {
	const set = `update users set password_hash = $2 where id = $1 and status <> 'deleted'`
	const links = `delete from sign_in_links where user_id = $1`
	const sessions = `delete from sessions where user_id = $1 returning user_id, token_hash`
	if err := checkPassword(password); err != nil {
		return err
	}
	hash, err := s.vault.hash(ctx, password)
	if err != nil {
		return err
	}
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
		return tx.endSessions(ctx, sessions, user)
	})
	if err != nil {
		return fmt.Errorf("password of user %d: %w", user, err)
	}
	return nil
}

// A vault makes and compares password hashes, at most two at a time, since
// each takes 64 MiB.
type vault struct {
	params *argon2id.Params
	seats  chan struct{}
	// decoy is compared with where there is no hash, so that an unknown name
	// costs what a known one does.
	decoy func() (string, error)
}

func newVault(params *argon2id.Params) *vault {
	if params == nil {
		// Threads are part of the hash, so their number is not the machine's.
		params = &argon2id.Params{Memory: 64 * 1024, Iterations: 1, Parallelism: 2, SaltLength: 16, KeyLength: 32}
	}
	return &vault{
		params: params,
		seats:  make(chan struct{}, 2),
		decoy: sync.OnceValues(func() (string, error) {
			return argon2id.CreateHash("nobody's password", params)
		}),
	}
}

func (v *vault) hash(ctx context.Context, password string) (string, error) {
	leave, err := v.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	hash, err := argon2id.CreateHash(password, v.params)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hash, nil
}

// matches says whether the password is the one of the hash. No hash at all
// matches nothing, in the same time.
func (v *vault) matches(ctx context.Context, password, hash string) (bool, error) {
	leave, err := v.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	known := hash != ""
	if !known {
		if hash, err = v.decoy(); err != nil {
			return false, fmt.Errorf("decoy: %w", err)
		}
	}
	same, err := argon2id.ComparePasswordAndHash(password, hash)
	if err != nil {
		return false, fmt.Errorf("compare password: %w", err)
	}
	return same && known, nil
}

// enter waits for one of the seats.
func (v *vault) enter(ctx context.Context) (leave func(), err error) {
	select {
	case v.seats <- struct{}{}:
		return func() { <-v.seats }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
