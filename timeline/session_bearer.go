package timeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"amstel.dev/amstel/timeline/internal/primary"
)

// hashSize is the size of the hash of a secret, in bytes.
const hashSize = 32

// A Bearer is the person who has a session or a token.
type Bearer struct {
	User    UserID
	Hash    []byte    // the whole hash of the secret
	Expires time.Time // when the token ends; zero: never, or a session, whose end is logged
}

// Bearer returns the person who has the session or token whose hash begins with the given bytes. It
// does not count as a use of the session. It returns [ErrUnauthorized] if there is no such session
// or token, if it has ended, if several hashes begin with the bytes, or if it is a token that may
// not read.
func (s *Store) Bearer(ctx context.Context, begins []byte) (_ Bearer, err error) {
	defer primary.Wrap(&err, "bearer")
	const query = `
		select s.user_id, s.token_hash, s.remember, s.seen_at, s.expires_at
		from (
			select user_id, token_hash, remember, seen_at, null::timestamptz as expires_at
			from sessions where token_hash between $1 and $2
			union all
			select user_id, token_hash, false, null, expires_at
			from api_tokens
			where token_hash between $1 and $2 and (expires_at is null or expires_at > $3) and 'read' = any(scopes)
		) s join users u on u.id = s.user_id
		where u.suspended_at is null and u.status <> 'deleted'`
	if len(begins) == 0 || len(begins) > hashSize {
		return Bearer{}, fmt.Errorf("%d bytes: %w", len(begins), ErrUnauthorized)
	}
	type held struct {
		User     UserID
		Hash     []byte
		Remember bool
		Seen     *time.Time // nil for a token
		Expires  zeronull.Timestamptz
	}
	last := append(bytes.Clone(begins), bytes.Repeat([]byte{0xff}, hashSize-len(begins))...)
	rows, err := s.db.Pool.Query(ctx, query, begins, last, s.db.Now())
	if err != nil {
		return Bearer{}, err
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[held])
	switch {
	case errors.Is(err, pgx.ErrNoRows), errors.Is(err, pgx.ErrTooManyRows):
		return Bearer{}, ErrUnauthorized
	case err != nil:
		return Bearer{}, err
	case found.Seen != nil && s.db.Now().After(expiry(*found.Seen, found.Remember)):
		return Bearer{}, ErrUnauthorized
	}
	return Bearer{found.User, found.Hash, time.Time(found.Expires)}, nil
}
