package timeline

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// SignInWindow is how long a failed sign-in counts, and so how long to wait
// after [ErrThrottled] at most.
const SignInWindow = 15 * time.Minute

// How many may fail in the window. Many people can share an address.
const (
	failuresAccount = 10
	failuresAddress = 50
)

// An attempt is a try to sign in, counted as failed until it is forgiven: so
// that many at the same time are no more than many in a row. Counts are kept in
// the primary, since there may be several nodes.
type attempt struct {
	account, address string
	at               time.Time
}

// attemptOn is a try with a login; a person has one account, however he is
// called, and a login of nobody's is counted alike, so that nothing shows.
func (s *Store) attemptOn(user UserID, login, address string) attempt {
	a := attempt{address: "address:" + hex.EncodeToString(digest(address)[:16]), at: s.now()}
	if user != 0 {
		a.account = fmt.Sprintf("user:%d", user)
	} else {
		a.account = "login:" + hex.EncodeToString(digest(login)[:16])
	}
	return a
}

// admit counts the attempt, or answers ErrThrottled.
func (s *Store) admit(ctx context.Context, a attempt) error {
	const lock = `select pg_advisory_xact_lock(hashtextextended($1, 0))`
	const query = `
		with recent as (
			select key, count(*) as n from sign_in_failures where key = any($1) and at > $2 group by key
		)
		insert into sign_in_failures (key, at)
		select key, $3 from unnest($1::text[]) as key
		where not exists (select from recent where key = $4 and n >= $5 or key = $6 and n >= $7)`
	keys := []string{a.account, a.address}
	slices.Sort(keys)
	return s.write(ctx, func(tx *txn) error {
		for _, key := range keys {
			if _, err := tx.Exec(ctx, lock, key); err != nil {
				return err
			}
		}
		tag, err := tx.Exec(ctx, query, keys, a.at.Add(-SignInWindow), a.at, a.account, failuresAccount, a.address, failuresAddress)
		if err == nil && tag.RowsAffected() == 0 {
			err = ErrThrottled
		}
		return err
	})
}

// forgive takes the attempt back, and all earlier ones on the account.
func (s *Store) forgive(ctx context.Context, a attempt) error {
	const query = `
		delete from sign_in_failures where key = $1 or ctid in (
			select ctid from sign_in_failures where key = $2 and at = $3 limit 1)`
	return s.write(ctx, func(tx *txn) error {
		_, err := tx.Exec(ctx, query, a.account, a.address, a.at)
		return err
	})
}
