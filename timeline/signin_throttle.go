package timeline

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A Client is where a try to sign in or to sign up comes from.
type Client struct {
	// Network is the client's IPv4 address, or the /64 of its IPv6 address. All
	// clients whose network is not known count as one.
	Network netip.Prefix
	// Devices are the accounts that the client's device has signed in to before,
	// each with a name for that device. The caller has verified them.
	Devices map[UserID]string
}

// wideBits is how much of an IPv6 address is counted a second time, with a
// higher bound: a provider may give one customer a /48, which has 65,536 networks.
const wideBits = 48

// A bound is how often something may be tried: burst times at once, and once
// more after each pause.
type bound struct {
	burst int
	pause time.Duration
}

// The bounds. docs/running.md says what they come to for one who guesses.
var (
	boundNetwork      = bound{50, 18 * time.Second}         // failed sign-ins from a network
	boundWide         = bound{200, 4500 * time.Millisecond} // from an IPv6 /48
	boundLoginNetwork = bound{10, 90 * time.Second}         // on a login, from a network
	boundLogin        = bound{100, 36 * time.Second}        // on a login, from everywhere
	boundSpare        = bound{2, 12 * time.Hour}            // from a network, on logins that are at boundLogin
	boundDevice       = bound{10, 90 * time.Second}         // from a device that signed in to the account before
	boundOwner        = bound{10, 90 * time.Second}         // of a person's own password, asked for once more
	boundSignUp       = bound{20, 3 * time.Minute}          // accounts made from a network
	boundSignUpWide   = bound{60, time.Minute}              // from an IPv6 /48
)

// A limit is one bound on one thing that is tried.
type limit struct {
	key string
	bound
}

// wide returns the network that a client's network is part of, where the wider
// network has a bound of its own.
func (c Client) wide() (netip.Prefix, bool) {
	if !c.Network.Addr().Is6() {
		return c.Network, false
	}
	wide, err := c.Network.Addr().Prefix(wideBits)
	return wide, err == nil
}

// signInLimits returns what bounds a sign-in of a stranger. What bounds the login is the
// text that the client typed, never the account that the text names: so the
// bounds tell nothing of which addresses have an account. A device that signed
// in to the account before has a bound of its own, so that strangers can't lock
// that device out.
func (c Client) signInLimits(user UserID, login string) (all []limit, whole limit, spare limit) {
	if device, known := c.Devices[user]; known {
		return []limit{{"device:" + device, boundDevice}}, limit{}, limit{}
	}
	name := hex.EncodeToString(digest(login)[:16])
	wide, isWide := c.wide()
	all = []limit{
		{"network:" + c.Network.String(), boundNetwork},
		{"login:" + name + " " + c.Network.String(), boundLoginNetwork},
	}
	if isWide {
		all = append(all, limit{"network:" + wide.String(), boundWide})
	}
	return all, limit{"login:" + name, boundLogin}, limit{"spare:" + wide.String(), boundSpare}
}

// signUpLimits returns what bounds the making of accounts.
func (c Client) signUpLimits() []limit {
	all := []limit{{"sign up:" + c.Network.String(), boundSignUp}}
	if wide, is := c.wide(); is {
		all = append(all, limit{"sign up:" + wide.String(), boundSignUpWide})
	}
	return all
}

// An attempt is a try that was counted. A try to sign in counts as failed until
// it is forgiven, so that many tries at the same time are no more than many in
// a row. Counts are kept in the primary, since there may be several nodes.
type attempt []limit

// chargeSignIn counts a sign-in, or returns ErrThrottled and counts nothing. Where
// a login has reached its bound, each network still has a few tries on such
// logins: whoever knows the password gets in while others guess.
func (s *Store) chargeSignIn(ctx context.Context, c Client, user UserID, login string) (a attempt, err error) {
	all, whole, spare := c.signInLimits(user, login)
	err = s.write(ctx, func(tx *txn) error {
		a = slices.Clone(all)
		if refused, err := s.count(ctx, tx, a); err != nil || refused {
			return throttledIf(refused, err)
		}
		if whole.key == "" {
			return s.dropOver(ctx, tx)
		}
		for _, last := range []limit{whole, spare} {
			refused, err := s.count(ctx, tx, attempt{last})
			if err != nil {
				return err
			}
			if !refused {
				a = append(a, last)
				return s.dropOver(ctx, tx)
			}
		}
		return ErrThrottled
	})
	return a, err
}

// charge counts a try, or returns ErrThrottled and counts nothing.
func (s *Store) charge(ctx context.Context, a attempt) error {
	return s.write(ctx, func(tx *txn) error {
		if refused, err := s.count(ctx, tx, a); err != nil || refused {
			return throttledIf(refused, err)
		}
		return s.dropOver(ctx, tx)
	})
}

func throttledIf(refused bool, err error) error {
	if err == nil && refused {
		return ErrThrottled
	}
	return err
}

// count counts a try against each of its limits, and reports whether one of them
// refuses it.
func (s *Store) count(ctx context.Context, tx primary.Querier, a attempt) (refused bool, err error) {
	const add = `
		insert into throttles as t (key, until) values ($1, $2::timestamptz + $3::interval)
		on conflict (key) do update set until = greatest(t.until, $2) + $3
		where greatest(t.until, $2) + $3 <= $2 + $4::interval`
	// In one order everywhere, so that no two wait for each other.
	slices.SortFunc(a, func(x, y limit) int { return strings.Compare(x.key, y.key) })
	now := s.db.Now()
	var batch pgx.Batch
	for _, l := range a {
		batch.Queue(add, l.key, now, l.pause, time.Duration(l.burst)*l.pause)
	}
	results := tx.SendBatch(ctx, &batch)
	for range a {
		tag, err := results.Exec()
		if err != nil {
			_ = results.Close() // it fails with the same
			return false, err
		}
		refused = refused || tag.RowsAffected() == 0
	}
	return refused, results.Close()
}

// dropOver deletes some counts that are over, more than one try adds, so that
// a flood of tries leaves few rows. Rows that another transaction holds are
// left: nothing waits.
func (s *Store) dropOver(ctx context.Context, tx primary.Querier) error {
	const query = `
		delete from throttles where key in (
			select key from throttles where until < $1 order by until limit 8 for update skip locked)`
	_, err := tx.Exec(ctx, query, s.db.Now())
	return err
}

// forgive takes a sign-in back that did not fail, and with it all failures of
// the same client on the same login.
func (s *Store) forgive(ctx context.Context, a attempt) error {
	const one = `update throttles set until = until - $2::interval where key = $1`
	const all = `delete from throttles where key = $1`
	return s.write(ctx, func(tx *txn) error {
		var batch pgx.Batch
		for _, l := range a { // as sorted by count
			switch l.bound {
			case boundLoginNetwork, boundDevice, boundOwner:
				batch.Queue(all, l.key)
			default:
				batch.Queue(one, l.key, l.pause)
			}
		}
		if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
			return fmt.Errorf("forgive: %w", err)
		}
		return nil
	})
}
