package timeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// hashSize is the size of the hash of a secret, in bytes.
const hashSize = 32

// Bearer returns the person and the whole hash of the session or token whose hash begins with
// these bytes. It returns [ErrUnauthorized] if no session or token matches, if several match, or
// if it has expired. It does not count as a use of the session.
func (s *Store) Bearer(ctx context.Context, begins []byte) (user UserID, hash []byte, err error) {
	defer primary.Wrap(&err, "bearer")
	const query = `
		select s.user_id, s.token_hash, s.remember, s.seen_at
		from (
			select user_id, token_hash, remember, seen_at from sessions where token_hash between $1 and $2
			union all
			select user_id, token_hash, false, null from api_tokens where token_hash between $1 and $2
		) s join users u on u.id = s.user_id
		where u.suspended_at is null and u.status <> 'deleted'`
	if len(begins) == 0 || len(begins) > hashSize {
		return 0, nil, fmt.Errorf("%d bytes: %w", len(begins), ErrUnauthorized)
	}
	type held struct {
		User     UserID
		Hash     []byte
		Remember bool
		Seen     *time.Time // nil for a token
	}
	last := append(bytes.Clone(begins), bytes.Repeat([]byte{0xff}, hashSize-len(begins))...)
	rows, err := s.db.Pool.Query(ctx, query, begins, last)
	if err != nil {
		return 0, nil, err
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[held])
	switch {
	case errors.Is(err, pgx.ErrNoRows), errors.Is(err, pgx.ErrTooManyRows):
		return 0, nil, ErrUnauthorized
	case err != nil:
		return 0, nil, err
	case found.Seen != nil && s.db.Now().After(expiry(*found.Seen, found.Remember)):
		return 0, nil, ErrUnauthorized
	}
	return found.User, found.Hash, nil
}
