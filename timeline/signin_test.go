package timeline

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
)

// withPassword returns a site with Anna. Anna has an e-mail address and a password.
func withPassword(t *testing.T) *site {
	t.Helper()
	s := newSite(t, "bert")
	id, err := s.SignUp(t.Context(), NewUser{Name: "anna", Email: "Anna@example.org", Password: "correct horse"})
	s.must(err)
	s.people["anna"] = id
	return s
}

func TestAuthenticate(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	for _, tt := range []struct {
		login, password string
		err             error
	}{
		{"anna", "correct horse", nil},
		{" ANNA ", "correct horse", nil},
		{"anna@EXAMPLE.org", "correct horse", nil},
		{"anna", "wrong horse", ErrUnauthorized},
		{"anna", "", ErrUnauthorized},
		{"bert", "", ErrUnauthorized}, // Bert has no password
		{"bert", "a wrong password", ErrUnauthorized},
		{"zoe", "a wrong password", ErrUnauthorized},
		{"\xff\x00", "correct horse", ErrUnauthorized},
		{"", "", ErrUnauthorized},
	} {
		who, err := s.Authenticate(t.Context(), tt.login, tt.password, Client{})
		if !errors.Is(err, tt.err) || err == nil && who != s.user("anna") {
			t.Errorf("%q with %q: user %d, %v; want %v", tt.login, tt.password, who, err, tt.err)
		}
		secret, err := s.SignIn(t.Context(), tt.login, tt.password, Client{}, false, "")
		if !errors.Is(err, tt.err) {
			t.Errorf("%q signs in with %q: %v; want %v", tt.login, tt.password, err, tt.err)
		}
		if who, err := s.Session(t.Context(), secret); tt.err == nil && (err != nil || who.User != s.user("anna")) {
			t.Errorf("%q is signed in as %+v, %v", tt.login, who, err)
		}
	}
}

// from returns a stranger's client with an address.
func from(address string) Client {
	ip := netip.MustParseAddr(address)
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	return Client{Network: must(ip.Prefix(bits))}
}

// fails tries wrong passwords until a try is refused without looking at the password, and returns how many
// were looked at.
func (s *site) fails(most int, try func(i int) (login string, c Client)) (n int) {
	s.t.Helper()
	for ; n < most; n++ {
		login, c := try(n)
		_, err := s.Authenticate(s.t.Context(), login, "wrong", c)
		if errors.Is(err, ErrThrottled) {
			return n
		}
		if !errors.Is(err, ErrUnauthorized) {
			s.t.Fatalf("%q from %v: %v", login, c.Network, err)
		}
	}
	return n
}

// TestGuessesAreBoundedAlikeForKnownAndUnknown counts guesses, from one network and from
// many, at a name, at the e-mail address of an account, and at logins without an
// account.
func TestGuessesAreBoundedAlikeForKnownAndUnknown(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	for i, login := range []string{"anna", "anna@example.org", "zoe", "zoe@example.org"} {
		one := from(fmt.Sprintf("10.0.%d.1", i))
		if n := s.fails(100, func(int) (string, Client) { return login, one }); n != boundLoginNetwork.burst {
			t.Errorf("%s: %d guesses from one network, want %d", login, n, boundLoginNetwork.burst)
		}
		rest := boundLogin.burst - boundLoginNetwork.burst
		n := s.fails(rest, func(i int) (string, Client) { return login, from(fmt.Sprintf("10.1.%d.%d", len(login), i)) })
		if n != rest {
			t.Errorf("%s: %d guesses from %d networks", login, n, rest)
		}
		// From now on each network has a few tries.
		one = from(fmt.Sprintf("10.2.%d.1", i))
		if n := s.fails(100, func(int) (string, Client) { return login, one }); n != boundSpare.burst {
			t.Errorf("%s: %d guesses from a network after all, want %d", login, n, boundSpare.burst)
		}
	}
}

func TestGuessesAtMessyTextAreOneLogin(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	c := from("10.0.0.1")
	if n := s.fails(100, func(i int) (string, Client) { return []string{"anna", " ANNA", "Anna "}[i%3], c }); n != boundLoginNetwork.burst {
		t.Errorf("%d guesses, want %d", n, boundLoginNetwork.burst)
	}
}

// TestGuessersDoNotLockOutKnownDevices has strangers use up all tries at a name. The person can still sign
// in from a device that has signed in before, and from a network without failed tries. Neither device
// nor network has an unlimited number of tries.
func TestGuessersDoNotLockOutKnownDevices(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	ctx, anna := t.Context(), s.user("anna")
	s.fails(1000, func(i int) (string, Client) { return "anna", from(fmt.Sprintf("10.0.%d.1", i%100)) })
	if _, err := s.Authenticate(ctx, "anna", "correct horse", from("10.0.0.1")); !errors.Is(err, ErrThrottled) {
		t.Errorf("a guesser's network: %v, want %v", err, ErrThrottled)
	}
	if _, err := s.Authenticate(ctx, "anna", "correct horse", from("10.9.0.1")); err != nil {
		t.Errorf("a network that has not failed: %v", err)
	}
	home := from("10.0.0.1") // the guesser's network
	home.Devices = map[UserID]string{anna: "laptop"}
	if n := s.fails(1000, func(int) (string, Client) { return "anna", home }); n != boundDevice.burst {
		t.Errorf("%d guesses from a device that signed in before, want %d", n, boundDevice.burst)
	}
	home.Devices = map[UserID]string{anna: "phone"}
	for range 3 * boundDevice.burst {
		if _, err := s.Authenticate(ctx, "anna@example.org", "correct horse", home); err != nil {
			t.Fatalf("another device that signed in before: %v", err)
		}
	}
	s.must(s.CheckPassword(ctx, anna, "correct horse"))
	home.Devices = map[UserID]string{s.user("bert"): "laptop"}
	if _, err := s.Authenticate(ctx, "anna", "correct horse", home); !errors.Is(err, ErrThrottled) {
		t.Errorf("a device that signed in to another account: %v, want %v", err, ErrThrottled)
	}
	s.wait(time.Duration(boundNetwork.burst) * boundNetwork.pause)
	if _, err := s.Authenticate(ctx, "anna", "correct horse", from("10.0.0.1")); err != nil {
		t.Errorf("later: %v", err)
	}
}

// TestGuessesAtManyLoginsAreBoundedByNetwork: all addresses of an IPv6 /64 share one bound, and
// a /48 has a bound too.
func TestGuessesAtManyLoginsAreBoundedByNetwork(t *testing.T) {
	long(t)
	t.Parallel()
	s := withPassword(t)
	for address, want := range map[string]int{"10.0.0.1": boundNetwork.burst, "2001:db8:1:2::%x": boundNetwork.burst, "2001:db8:2:%x::1": boundWide.burst} {
		n := s.fails(1000, func(i int) (string, Client) {
			// A successful sign-in between the guesses does not count as a failure.
			if _, err := s.Authenticate(t.Context(), "anna", "correct horse", from("10.0.0.2")); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(address, "%") {
				return fmt.Sprint("guess", i), from(fmt.Sprintf(address, i+1))
			}
			return fmt.Sprint("guess", i), from(address)
		})
		if n != want {
			t.Errorf("%s: %d guesses, want %d", address, n, want)
		}
	}
	if _, err := s.Authenticate(t.Context(), "anna", "correct horse", from("10.0.0.1")); !errors.Is(err, ErrThrottled) {
		t.Errorf("the right password from a guesser's network: %v, want %v", err, ErrThrottled)
	}
}

// TestGuessesAtTheSameTimeAreNoMoreThanInARow guesses from many networks at the same time. Each guess is
// looked at, told to come back later, or refused, and no more are looked at than of guesses in a row.
func TestGuessesAtTheSameTimeAreNoMoreThanInARow(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	var refused atomic.Int64
	var wg sync.WaitGroup
	for range 4 * boundLoginNetwork.burst {
		wg.Go(func() {
			_, err := s.Authenticate(t.Context(), "anna", "wrong", from("10.0.0.1"))
			switch {
			case errors.Is(err, ErrUnauthorized):
				refused.Add(1)
			case !errors.Is(err, ErrThrottled) && !errors.Is(err, ErrSignInBusy):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := refused.Load(); n > int64(boundLoginNetwork.burst) {
		t.Errorf("%d guesses at once, want at most %d", n, boundLoginNetwork.burst)
	}
}

func TestCountsOfTriesAreDropped(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	for i := range 40 {
		s.fails(1, func(int) (string, Client) { return fmt.Sprint("guess", i), from(fmt.Sprintf("10.0.0.%d", i)) })
		s.wait(boundLogin.pause + boundLoginNetwork.pause + time.Second)
	}
	if n := one[int](s, `select count(*) from throttles`); n > 6 {
		t.Errorf("%d rows after 40 tries that are over", n)
	}
}

func TestSignUpIsBoundedByNetworkAndTellsNoAddress(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	ctx := t.Context()
	join := func(i int, email, address string) (UserID, error) {
		c := from(address)
		return s.SignUp(ctx, NewUser{Name: fmt.Sprint("new", i), Email: email, Password: "correct horse", Stranger: &c})
	}
	taken, err := join(0, "ANNA@example.org", "10.0.0.1")
	s.must(err)
	free, err := join(1, "new@example.org", "10.0.0.1")
	s.must(err)
	if email := one[string](s, `select coalesce(email, '-') from users where id = $1`, taken); email != "-" {
		t.Errorf("a taken address was given to another: %q", email)
	}
	if email := one[string](s, `select email from users where id = $1`, free); email != "new@example.org" {
		t.Errorf("the address is %q", email)
	}
	if who, err := s.Authenticate(ctx, "anna@example.org", "correct horse", from("10.0.0.1")); err != nil || who != s.user("anna") {
		t.Errorf("the address is of %d, %v", who, err)
	}
	n := 2
	for ; n < 1000; n++ {
		if _, err = join(n, fmt.Sprint(n, "@example.org"), "10.0.0.1"); err != nil {
			break
		}
	}
	if n != boundSignUp.burst || !errors.Is(err, ErrThrottled) {
		t.Errorf("%d accounts from a network, then %v", n, err)
	}
	if _, err := join(1001, "x@example.org", "10.0.0.2"); err != nil {
		t.Errorf("from another network: %v", err)
	}
}

// TestVaultServesMembersBeforeStrangers fills the queue of strangers, which no client can fill alone.
func TestVaultServesMembersBeforeStrangers(t *testing.T) {
	t.Parallel()
	v := newVault(cheap)
	v.free = 1
	stand := func(l line) *seat {
		t.Helper()
		return must(v.stand(l))
	}
	busy := func(what string, l line) {
		t.Helper()
		if _, err := v.stand(l); !errors.Is(err, ErrSignInBusy) {
			t.Errorf("%s: %v, want %v", what, err, ErrSignInBusy)
		}
	}
	first := stand(line{who: "a"})
	must(0, first.wait(t.Context()))
	second := stand(line{who: "a"})
	for range eachMost - 2 {
		stand(line{who: "a"})
	}
	busy("one place more than a client has", line{who: "a"})
	for i := range lineMost - eachMost {
		stand(line{who: fmt.Sprint(i)})
	}
	busy("more strangers than a line has", line{who: "z"})
	member := stand(lineOfMember(1))

	// A stranger and then a member wait. The member gets the next slot.
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, s := range []*seat{second, member} {
		if err := s.wait(gone); !errors.Is(err, context.Canceled) {
			t.Fatalf("a turn before its time: %v", err)
		}
	}
	first.leave()
	if !member.seated || second.seated {
		t.Errorf("after the first: the member's turn is %v, the stranger's %v", member.seated, second.seated)
	}
	member.leave()
	if !second.seated {
		t.Error("the stranger's turn does not come")
	}
	second.leave()
	second.leave()
	if v.free != 1 {
		t.Errorf("%d are free, want 1", v.free)
	}
}

// TestDecoyCostsWhatAHashDoes compares the parameters of the decoy with those of a real hash, because
// these determine the cost of comparing a password.
func TestDecoyCostsWhatAHashDoes(t *testing.T) {
	t.Parallel()
	v := newVault(nil)
	params, salt, key, err := argon2id.DecodeHash(v.decoy)
	if err != nil || *params != *v.params || len(salt) != int(v.params.SaltLength) || len(key) != int(v.params.KeyLength) {
		t.Errorf("%+v, %v; want %+v", params, err, v.params)
	}
}

// TestSignInFailsIfThePasswordChangesMeanwhile changes the password during a sign-in by the old password or
// by a link. Afterwards there is no session that the change should have ended.
func TestSignInFailsIfThePasswordChangesMeanwhile(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	ctx, anna := t.Context(), s.user("anna")
	link, err := s.NewLink(ctx, anna)
	s.must(err)
	for name, signIn := range map[string]func() error{
		"password": func() error { _, err := s.SignIn(ctx, "anna", "correct horse", Client{}, true, ""); return err },
		"link":     func() error { _, err := s.UseLink(ctx, link, true, ""); return err },
	} {
		err := s.meanwhile(func(tx *txn) error {
			if _, err := tx.Exec(ctx, `update users set password_hash = 'another' where id = $1`, anna); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `delete from sign_in_links where user_id = $1`, anna)
			return err
		}, signIn)
		if n := one[int](s, `select count(*) from sessions`); n != 0 || !errors.Is(err, ErrUnauthorized) {
			t.Errorf("by %s: %d sessions, %v", name, n, err)
		}
		// If the sign-in came first, the change of the password ends its session.
		s.must(s.SetPassword(ctx, anna, "correct horse"))
		link, err = s.NewLink(ctx, anna)
		s.must(err)
		err = s.meanwhile(func(tx *txn) error {
			if err := tx.QueryRow(ctx, `select from users where id = $1 for share`, anna).Scan(); err != nil {
				return err
			}
			return s.addSession(ctx, tx, newSecret(), anna, true, "")
		}, func() error { return s.SetPassword(ctx, anna, "correct horse") })
		if n := one[int](s, `select count(*) from sessions`); n != 0 || err != nil {
			t.Errorf("before the change, by %s: %d sessions, %v", name, n, err)
		}
		link, err = s.NewLink(ctx, anna)
		s.must(err)
	}
}
