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

// A Client is the origin of a sign-in or a sign-up.
type Client struct {
	// Network is the client's IPv4 address, or the /64 network of its IPv6 address. All clients
	// whose network is not known share one count.
	Network netip.Prefix
	// Devices are the accounts to which the client's device has signed in before, each
	// with a name for the device. The caller has verified them.
	Devices map[UserID]string
}

// wideBits is the length of a wider IPv6 prefix, which has a count of its own with a higher bound.
// It is needed because a provider may give one customer a /48, which has 65,536 networks of /64.
const wideBits = 48

// A bound says how often something may be tried: burst times at once, and once more
// after each pause. Example: {10, 90 s} allows ten tries in a row, then one every 90
// seconds; after fifteen minutes without a try, ten in a row again.
type bound struct {
	burst int
	pause time.Duration
}

// The bounds. docs/running.md says how many guesses they allow.
var (
	boundNetwork      = bound{50, 18 * time.Second}         // failed sign-ins from a network
	boundWide         = bound{200, 4500 * time.Millisecond} // from an IPv6 /48
	boundLoginNetwork = bound{10, 90 * time.Second}         // on a login, from a network
	boundLogin        = bound{100, 36 * time.Second}        // on a login, from everywhere
	boundSpare        = bound{2, 12 * time.Hour}            // from a network, on logins that are at boundLogin
	boundDevice       = bound{10, 90 * time.Second}         // from a device that has signed in to the account before
	boundOwner        = bound{10, 90 * time.Second}         // of a signed-in person's own password
	boundSignUp       = bound{20, 3 * time.Minute}          // new accounts from a network
	boundSignUpWide   = bound{60, time.Minute}              // new accounts from an IPv6 /48
)

// A limit bounds the tries of one kind, such as tries at the password of one account. Its key says
// which.
type limit struct {
	key string
	bound
}

// wide returns the wider IPv6 network of the client, which has a bound of its own. An IPv4
// client has none.
func (c Client) wide() (netip.Prefix, bool) {
	if !c.Network.Addr().Is6() {
		return c.Network, false
	}
	wide, err := c.Network.Addr().Prefix(wideBits)
	return wide, err == nil
}

// signInLimits returns the limits of a sign-in. all count every try. If whole, the limit of the
// login from everywhere, has reached its bound, spare counts instead: it leaves each network a few
// tries. The limits of a login depend on the text that the client typed, and not on the account
// with that name, so the limits do not reveal which logins have an account. A device that has
// signed in to the account before has a limit of its own, so that strangers can't lock the device
// out by failing.
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

// passkeyLimits returns the limits of a sign-in with a passkey, of the person or of no person (0). No passkey can be guessed, so
// the limits bound only the work of the site. A device that has signed in to the account before has a limit of its own.
func (c Client) passkeyLimits(user UserID) attempt {
	if device, known := c.Devices[user]; known {
		return attempt{{"device:" + device, boundDevice}}
	}
	all := attempt{{"passkey:" + c.Network.String(), boundNetwork}}
	if wide, ok := c.wide(); ok {
		all = append(all, limit{"passkey:" + wide.String(), boundWide})
	}
	return all
}

// signUpLimits returns the limits of making an account.
func (c Client) signUpLimits() []limit {
	all := []limit{{"sign up:" + c.Network.String(), boundSignUp}}
	if wide, ok := c.wide(); ok {
		all = append(all, limit{"sign up:" + wide.String(), boundSignUpWide})
	}
	return all
}

// An attempt is a try that was counted: the limits for which it was counted. A sign-in counts as
// failed until forgive is called, so that many tries at the same time are counted like as many in a
// row. The counts are stored in the primary, because there may be several nodes.
type attempt []limit

// chargeSignIn counts a sign-in, or returns [ErrThrottled] and counts nothing. If a login has
// reached its bound, each network still has a few tries at such logins. So the owner of the
// account, who knows the password, can sign in while strangers guess.
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

// charge counts a try, or returns [ErrThrottled] and counts nothing.
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

// count counts a try for each of its limits, and reports whether a limit refuses the try; then the
// caller rolls the transaction back. A count is kept as one time, until: each try moves it one
// pause on, from now at least, and a limit refuses a try that would move it further than burst
// pauses from now. Example with {10, 90 s}: after ten tries at 12:00:00, until is 12:15:00. The
// eleventh would move it to 12:16:30, more than 15 minutes on, and is refused until 12:01:30.
func (s *Store) count(ctx context.Context, tx primary.Querier, a attempt) (refused bool, err error) {
	const add = `
		insert into throttles as t (key, until) values ($1, $2::timestamptz + $3::interval)
		on conflict (key) do update set until = greatest(t.until, $2) + $3
		where greatest(t.until, $2) + $3 <= $2 + $4::interval`
	// All transactions lock the rows in the same order, so two of them never wait for each other.
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
			_ = results.Close() // it returns the same error
			return false, err
		}
		refused = refused || tag.RowsAffected() == 0
	}
	return refused, results.Close()
}

// dropOver deletes up to eight expired counts. That is more than one try adds, so a flood of tries
// does not fill the table. It skips locked rows.
func (s *Store) dropOver(ctx context.Context, tx primary.Querier) error {
	const query = `
		delete from throttles where key in (
			select key from throttles where until < $1 order by until limit 8 for update skip locked)`
	_, err := tx.Exec(ctx, query, s.db.Now())
	return err
}

// forgive undoes the count of a try that succeeded, and all earlier failures of the same client
// with the same login.
func (s *Store) forgive(ctx context.Context, a attempt) error {
	const one = `update throttles set until = until - $2::interval where key = $1`
	const all = `delete from throttles where key = $1`
	return s.write(ctx, func(tx *txn) error {
		var batch pgx.Batch
		for _, l := range a { // count has sorted the limits by key, so the rows are locked in order
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
