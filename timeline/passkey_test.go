package timeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/protocol"

	"amstel.dev/amstel/internal/passkeytest"
)

const passkeyOrigin = "https://amstel.example"

// newPasskeyTestSite makes a site that takes passkeys and sends mail, with people of confirmed addresses.
func newPasskeyTestSite(t *testing.T, names ...string) *site {
	t.Helper()
	s := newMailSite(t, names...)
	s.exec(`update users set email_confirmed_at = now()`)
	s.passkeys = newPasskeySite(passkeyOrigin)
	return s
}

// options returns the options of a new sign-in.
func (s *site) options() []byte {
	s.t.Helper()
	options, err := s.BeginPasskeySignIn(s.t.Context())
	s.must(err)
	return options
}

// signInBy signs in with an answer, as a stranger.
func (s *site) signInBy(answer []byte) (secret string, err error) {
	return s.SignInByPasskey(s.t.Context(), answer, clientFrom(1), true, "Firefox on Android")
}

// passkey adds a passkey to a person, and returns its authenticator.
func (s *site) passkey(name string) *passkeytest.Authenticator {
	s.t.Helper()
	a := passkeytest.New(s.t, passkeyOrigin)
	options, err := s.BeginPasskey(s.t.Context(), s.user(name), "a phone")
	s.must(err)
	s.must(s.AddPasskey(s.t.Context(), s.user(name), "a phone", a.Create(options)))
	return a
}

// mailKinds returns the kinds of the queued mails, sorted.
func (s *site) mailKinds() []string {
	s.t.Helper()
	return one[[]string](s, `select coalesce(array_agg(kind order by kind), '{}') from mails`)
}

// TestPasskeySignsIn adds a passkey, and signs in with it: the session is the person's, the passkey is known as used, and mails
// tell the person of the passkey and of the new device.
func TestPasskeySignsIn(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	s.exec(`update users set email_confirmed_at = null where name = 'bert'`)
	s.passkey("bert") // without a mail to an address that may be another person's
	a := s.passkey("anna")
	a.Count = 7
	s.wait(time.Hour)
	secret, err := s.signInBy(a.Get(s.options()))
	s.must(err)
	who, err := s.Session(ctx, secret)
	if err != nil || who.User != anna || !who.Expires.Equal(s.clock.Add(rememberedFor)) || !who.SignedInRecently(s.clock) || who.Forgot(s.clock) {
		t.Errorf("the session is %+v, %v", who, err)
	}
	if who.SignedInRecently(s.clock.Add(2 * time.Hour)) {
		t.Error("two hours later the sign-in is recent")
	}
	all, err := s.Passkeys(ctx, anna)
	if err != nil || len(all) != 1 || all[0].Name != "a phone" || !all[0].CreatedAt.Equal(s.clock.Add(-time.Hour)) || all[0].UsedAt == nil || !all[0].UsedAt.Equal(s.clock) {
		t.Errorf("the passkeys are %+v, %v", all, err)
	}
	if n := one[int](s, `select sign_count from passkeys where user_id = $1`, anna); n != 7 {
		t.Errorf("the count of uses is %d", n)
	}
	if kinds := s.mailKinds(); !slices.Equal(kinds, []string{"device", "passkey_added"}) {
		t.Errorf("the mails are %v", kinds)
	}
	known := clientFrom(1)
	known.Devices = map[UserID]string{anna: "phone"}
	s.exec(`delete from mails`)
	a.Count = 8
	_, err = s.SignInByPasskey(ctx, a.Get(s.options()), known, false, "")
	s.must(err)
	if kinds := s.mailKinds(); len(kinds) != 0 {
		t.Errorf("a sign-in from a known device is told: %v", kinds)
	}
}

// TestPasskeyHandleSaysNothing: authenticators know a person by 64 random bytes, the same for each passkey of the person.
func TestPasskeyHandleSaysNothing(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna", "bert")
	first, second, berts := s.passkey("anna"), s.passkey("anna"), s.passkey("bert")
	if len(first.Handle) != 64 || !bytes.Equal(first.Handle, second.Handle) || bytes.Equal(first.Handle, berts.Handle) || bytes.Contains(first.Handle, []byte("anna")) {
		t.Errorf("the handles are %x, %x and %x", first.Handle, second.Handle, berts.Handle)
	}
}

// TestAnswersThatProveNothingAreRefused: an answer to a sign-in that lacks one thing starts no session and changes nothing.
func TestAnswersThatProveNothingAreRefused(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna", "bert")
	ctx := t.Context()
	alter := func(options []byte, key string, value any) []byte {
		var all map[string]any
		s.must(json.Unmarshal(options, &all))
		all[key] = value
		text, err := json.Marshal(all)
		s.must(err)
		return text
	}
	for name, try := range map[string]func(a, berts *passkeytest.Authenticator) []byte{
		"no JSON": func(_, _ *passkeytest.Authenticator) []byte { return []byte("{") },
		"the page of another site": func(a, _ *passkeytest.Authenticator) []byte {
			a.Origin = "https://amstel.example.evil.example"
			return a.Get(s.options())
		},
		"the same host without TLS": func(a, _ *passkeytest.Authenticator) []byte {
			a.Origin = "http://amstel.example"
			return a.Get(s.options())
		},
		"a passkey for another site": func(a, _ *passkeytest.Authenticator) []byte {
			a.Site = "evil.example"
			return a.Get(s.options())
		},
		"a challenge that the site did not make": func(a, _ *passkeytest.Authenticator) []byte {
			return a.Get(alter(s.options(), "challenge", strings.Repeat("A", 75)))
		},
		"a short challenge": func(a, _ *passkeytest.Authenticator) []byte {
			return a.Get(alter(s.options(), "challenge", strings.Repeat("A", 22)))
		},
		"the challenge for a new passkey": func(a, _ *passkeytest.Authenticator) []byte {
			options, err := s.BeginPasskey(ctx, s.user("anna"), "x")
			s.must(err)
			return a.Get(options)
		},
		"a challenge that ended": func(a, _ *passkeytest.Authenticator) []byte {
			options := s.options()
			s.wait(challengeFor)
			return a.Get(options)
		},
		"a challenge that was used": func(a, _ *passkeytest.Authenticator) []byte {
			options := s.options()
			_, err := s.signInBy(a.Get(options))
			s.must(err)
			return a.Get(options)
		},
		"an answer that was used": func(a, _ *passkeytest.Authenticator) []byte {
			answer := a.Get(s.options())
			_, err := s.signInBy(answer)
			s.must(err)
			return answer
		},
		"no PIN": func(a, _ *passkeytest.Authenticator) []byte {
			a.Unverified = true
			return a.Get(s.options())
		},
		"the handle of another person": func(a, berts *passkeytest.Authenticator) []byte {
			a.Handle = berts.Handle
			return a.Get(s.options())
		},
		"no handle": func(a, _ *passkeytest.Authenticator) []byte {
			a.Handle = nil
			return a.Get(s.options())
		},
		"the signature of another passkey": func(a, berts *passkeytest.Authenticator) []byte {
			options := s.options()
			var mine, other map[string]any
			s.must(json.Unmarshal(a.Get(options), &mine))
			s.must(json.Unmarshal(berts.Get(options), &other))
			mine["response"].(map[string]any)["signature"] = other["response"].(map[string]any)["signature"]
			text, err := json.Marshal(mine)
			s.must(err)
			return text
		},
		"a passkey that was never added": func(_, _ *passkeytest.Authenticator) []byte {
			a := passkeytest.New(t, passkeyOrigin)
			options, err := s.BeginPasskey(ctx, s.user("anna"), "x")
			s.must(err)
			a.Create(options)
			return a.Get(s.options())
		},
		"a passkey that was removed": func(a, _ *passkeytest.Authenticator) []byte {
			s.exec(`delete from passkeys where user_id = $1`, s.user("anna"))
			return a.Get(s.options())
		},
		"the passkey of an erased account": func(a, _ *passkeytest.Authenticator) []byte {
			s.exec(`update users set status = 'deleted' where name = 'anna'`)
			return a.Get(s.options())
		},
	} {
		s.exec(`update users set status = 'public'`)
		s.exec(`delete from passkeys`)
		s.exec(`delete from throttles`)
		a, berts := s.passkey("anna"), s.passkey("bert")
		answer := try(a, berts)
		before := s.fingerprint(ctx)
		if secret, err := s.signInBy(answer); !errors.Is(err, ErrPasskey) || secret != "" {
			t.Errorf("%s: %q, %v, want %v", name, secret, err, ErrPasskey)
		}
		if s.fingerprint(ctx) != before {
			t.Errorf("%s: something changed", name)
		}
	}
}

// TestPasskeyThatMayBeCopiedIsRefused: the count of uses must grow with each use, if the authenticator counts at all.
func TestPasskeyThatMayBeCopiedIsRefused(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna")
	a := s.passkey("anna")
	for _, tt := range []struct {
		count uint32
		want  error
	}{{0, nil}, {0, nil}, {3, nil}, {3, ErrPasskeyCloned}, {2, ErrPasskeyCloned}, {0, ErrPasskeyCloned}, {4, nil}} {
		a.Count = tt.count
		if _, err := s.signInBy(a.Get(s.options())); !errors.Is(err, tt.want) {
			t.Errorf("a count of %d: %v, want %v", tt.count, err, tt.want)
		}
	}
	if !errors.Is(ErrPasskeyCloned, ErrPasskey) {
		t.Error("a copy is not refused like any other answer that proves nothing")
	}
}

// TestAddedPasskeysAreChecked: an answer that does not fit the options of a new passkey adds none.
func TestAddedPasskeysAreChecked(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	begin := func(name string) []byte {
		t.Helper()
		options, err := s.BeginPasskey(ctx, s.user(name), "x")
		s.must(err)
		return options
	}
	for name, try := range map[string]func(a *passkeytest.Authenticator) []byte{
		"no JSON": func(*passkeytest.Authenticator) []byte { return nil },
		"the page of another site": func(a *passkeytest.Authenticator) []byte {
			a.Origin = "https://evil.example"
			return a.Create(begin("anna"))
		},
		"a key for another site":   func(a *passkeytest.Authenticator) []byte { a.Site = "evil.example"; return a.Create(begin("anna")) },
		"no PIN":                   func(a *passkeytest.Authenticator) []byte { a.Unverified = true; return a.Create(begin("anna")) },
		"another person's options": func(a *passkeytest.Authenticator) []byte { return a.Create(begin("bert")) },
		"the options of a sign-in": func(a *passkeytest.Authenticator) []byte { return a.Create(s.options()) },
		"options that ended": func(a *passkeytest.Authenticator) []byte {
			o := begin("anna")
			s.wait(challengeFor)
			return a.Create(o)
		},
		"options that were used": func(a *passkeytest.Authenticator) []byte {
			options := begin("anna")
			s.must(s.AddPasskey(ctx, anna, "x", a.Create(options)))
			return a.Create(options)
		},
		"a passkey that bert has": func(a *passkeytest.Authenticator) []byte {
			a.Create(begin("bert"))
			answer := a.Create(begin("anna"))
			s.exec(`insert into passkeys (user_id, credential_id, public_key, sign_count, backup_eligible, backed_up, transports, aaguid, name, created_at)
				values ($1, $2, '', 0, false, false, '{}', '', 'x', now())`, s.user("bert"), credentialOf(t, answer))
			return answer
		},
	} {
		answer := try(passkeytest.New(t, passkeyOrigin))
		before := s.fingerprint(ctx)
		if err := s.AddPasskey(ctx, anna, "x", answer); !errors.Is(err, ErrPasskey) {
			t.Errorf("%s: %v, want %v", name, err, ErrPasskey)
		}
		if s.fingerprint(ctx) != before {
			t.Errorf("%s: something changed", name)
		}
	}
	for _, bad := range []string{"", "  ", strings.Repeat("x", maxPasskeyName+1), "a\nb", "\xff"} {
		a := passkeytest.New(t, passkeyOrigin)
		_, begun := s.BeginPasskey(ctx, anna, bad)
		for _, err := range []error{begun, s.AddPasskey(ctx, anna, bad, a.Create(begin("anna")))} {
			if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Field != "name" {
				t.Errorf("the name %q: %v", bad, err)
			}
		}
	}
}

// credentialOf returns the id of the passkey in an answer.
func credentialOf(t *testing.T, answer []byte) []byte {
	t.Helper()
	var of struct{ RawID protocol.URLEncodedBase64 }
	if err := json.Unmarshal(answer, &of); err != nil {
		t.Fatal(err)
	}
	return of.RawID
}

// TestPasskeysAreBounded: a person has twenty passkeys at most, and a request for another one is refused before the browser
// makes it. Options that were asked for before do not help.
func TestPasskeysAreBounded(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	before, err := s.BeginPasskey(ctx, anna, "one more")
	s.must(err)
	for range mostPasskeys {
		s.passkey("anna")
	}
	_, begun := s.BeginPasskey(ctx, anna, "one more")
	added := s.AddPasskey(ctx, anna, "one more", passkeytest.New(t, passkeyOrigin).Create(before))
	for _, err := range []error{begun, added} {
		if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Code != "full" {
			t.Errorf("a passkey more: %v", err)
		}
	}
	if all, err := s.Passkeys(ctx, anna); err != nil || len(all) != mostPasskeys {
		t.Errorf("there are %d passkeys, %v", len(all), err)
	}
	s.passkey("bert")
}

// TestPasskeysAreRenamedAndRemovedByTheirOwners: others find nothing to rename or remove. A mail tells of each removal.
func TestPasskeysAreRenamedAndRemovedByTheirOwners(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna", "bert")
	ctx, anna, bert := t.Context(), s.user("anna"), s.user("bert")
	a := s.passkey("anna")
	s.exec(`delete from mails`)
	all, err := s.Passkeys(ctx, anna)
	s.must(err)
	id := all[0].ID
	for _, err := range []error{s.RenamePasskey(ctx, bert, id, "mine"), s.RemovePasskey(ctx, bert, id), s.RemovePasskey(ctx, anna, id+1)} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("what is not theirs: %v, want %v", err, ErrNotFound)
		}
	}
	s.must(s.RenamePasskey(ctx, anna, id, " a laptop "))
	if all, err = s.Passkeys(ctx, anna); err != nil || all[0].Name != "a laptop" {
		t.Errorf("after the new name: %+v, %v", all, err)
	}
	if _, is := errors.AsType[*InvalidError](s.RenamePasskey(ctx, anna, id, "")); !is {
		t.Error("a passkey can lose its name")
	}
	s.must(s.RemovePasskey(ctx, anna, id))
	if kinds := s.mailKinds(); !slices.Equal(kinds, []string{"passkey_removed"}) {
		t.Errorf("the mails are %v", kinds)
	}
	if _, err := s.signInBy(a.Get(s.options())); !errors.Is(err, ErrPasskey) {
		t.Errorf("with a removed passkey: %v, want %v", err, ErrPasskey)
	}
}

// TestPasskeyOfASuspendedPerson: with the right passkey a suspended person learns of the suspension, and signs in again after it.
// No passkey can be added meanwhile.
func TestPasskeyOfASuspendedPerson(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna")
	ctx, anna := t.Context(), s.user("anna")
	a := s.passkey("anna")
	options, err := s.BeginPasskey(ctx, anna, "x")
	s.must(err)
	s.must(s.Suspend(ctx, anna))
	if _, err := s.signInBy(a.Get(s.options())); !errors.Is(err, ErrSuspended) {
		t.Errorf("%v, want %v", err, ErrSuspended)
	}
	a.Unverified = true
	if _, err := s.signInBy(a.Get(s.options())); !errors.Is(err, ErrPasskey) {
		t.Errorf("without a proof: %v, want %v", err, ErrPasskey)
	}
	a.Unverified = false
	_, begun := s.BeginPasskey(ctx, anna, "x")
	for _, err := range []error{begun, s.AddPasskey(ctx, anna, "x", passkeytest.New(t, passkeyOrigin).Create(options))} {
		if !errors.Is(err, ErrUnauthorized) {
			t.Errorf("another passkey of a suspended person: %v, want %v", err, ErrUnauthorized)
		}
	}
	if n := one[int](s, `select count(*) from sessions`); n != 0 {
		t.Errorf("%d sessions of a suspended person", n)
	}
	s.must(s.Restore(ctx, anna))
	if _, err := s.signInBy(a.Get(s.options())); err != nil {
		t.Errorf("after the suspension: %v", err)
	}
}

// TestPasskeyOfAPersonWhoLeaves: the passkey of a deleted account opens the way back until the account is erased, and is erased
// with it.
func TestPasskeyOfAPersonWhoLeaves(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	s.must(s.SetPassword(ctx, anna, zoesPassword))
	a := s.passkey("anna")
	s.must(s.DeleteAccount(ctx, anna, zoesPassword))
	answer := a.Get(s.options())
	_, err := s.signInBy(answer)
	leaving, is := errors.AsType[*LeavingError](err)
	if !is || !leaving.EraseAt.Equal(s.clock.AddDate(0, 0, ComeBackDays)) {
		t.Fatalf("the error is %v", err)
	}
	if _, err := s.signInBy(answer); !errors.Is(err, ErrPasskey) {
		t.Errorf("the same answer again: %v, want %v", err, ErrPasskey)
	}
	session, err := s.ComeBack(ctx, leaving.Secret, "")
	s.must(err)
	if who, err := s.Session(ctx, session); err != nil || who.User != anna {
		t.Errorf("after coming back: %+v, %v", who, err)
	}
	if _, err := s.signInBy(a.Get(s.options())); err != nil {
		t.Errorf("the passkey of a person who came back: %v", err)
	}
	s.endAccount(anna)
	if n := one[int](s, `select count(*) from passkeys`) + one[int](s, `select count(*) from users where passkey_handle is not null`); n != 0 {
		t.Errorf("%d passkeys and handles are left of an erased account", n)
	}
	if _, err := s.signInBy(a.Get(s.options())); !errors.Is(err, ErrPasskey) {
		t.Errorf("the passkey of an erased account: %v, want %v", err, ErrPasskey)
	}
}

// TestNewPasswordKeepsPasskeys: as it keeps tokens.
func TestNewPasswordKeepsPasskeys(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna")
	a := s.passkey("anna")
	s.must(s.SetPassword(t.Context(), s.user("anna"), "correct horse"))
	if _, err := s.signInBy(a.Get(s.options())); err != nil {
		t.Error(err)
	}
}

// TestFailuresWithPasskeysAreBounded: after many answers that prove nothing, a network is refused for a while. A device
// that the person has used before is not.
func TestFailuresWithPasskeysAreBounded(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna")
	ctx := t.Context()
	a := s.passkey("anna")
	forged := *a
	forged.Unverified = true
	from := Client{Network: netip.MustParsePrefix("2001:db8:1:2::/64")}
	for range boundNetwork.burst {
		if _, err := s.SignInByPasskey(ctx, forged.Get(s.options()), from, false, ""); !errors.Is(err, ErrPasskey) {
			t.Fatalf("%v, want %v", err, ErrPasskey)
		}
	}
	if _, err := s.SignInByPasskey(ctx, a.Get(s.options()), from, false, ""); !errors.Is(err, ErrThrottled) {
		t.Errorf("after as many failures as the bound: %v, want %v", err, ErrThrottled)
	}
	from.Devices = map[UserID]string{s.user("anna"): "phone"}
	if _, err := s.SignInByPasskey(ctx, a.Get(s.options()), from, false, ""); err != nil {
		t.Errorf("a known device: %v", err)
	}
	from.Devices = nil
	s.wait(boundNetwork.pause)
	for range 3 { // what succeeds does not count
		if _, err := s.SignInByPasskey(ctx, a.Get(s.options()), from, false, ""); err != nil {
			t.Errorf("after a pause: %v", err)
		}
	}
}

// TestUsedChallengesArePruned: the primary keeps a challenge only once it was used, and not for long.
func TestUsedChallengesArePruned(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna")
	a := s.passkey("anna")
	for range 5 {
		s.options()
	}
	_, err := s.signInBy(a.Get(s.options()))
	s.must(err)
	kept := func() int { return one[int](s, `select count(*) from used_challenges`) }
	s.must(s.PrunePrimary(t.Context(), Ages{}))
	if n := kept(); n != 2 {
		t.Errorf("%d challenges are kept, want those of the new passkey and of the sign-in", n)
	}
	s.wait(challengeFor + usedChallengesKept + time.Second)
	s.must(s.PrunePrimary(t.Context(), Ages{}))
	if n := kept(); n != 0 {
		t.Errorf("%d challenges are kept an hour after their end", n)
	}
}

// TestChallengeIsOfEveryNode: a node takes answers to the challenges of another one, and no two challenges are the same.
func TestChallengeIsOfEveryNode(t *testing.T) {
	t.Parallel()
	s := newPasskeyTestSite(t, "anna")
	a := s.passkey("anna")
	other := New(s.db.Pool, Options{Now: s.db.Clock, Argon: cheap, URL: passkeyOrigin})
	if _, err := other.SignInByPasskey(t.Context(), a.Get(s.options()), clientFrom(1), false, ""); err != nil {
		t.Error(err)
	}
	if bytes.Equal(s.options(), s.options()) {
		t.Error("two challenges are the same")
	}
}

// TestPasskeySite: browsers make passkeys for names over HTTPS, and for localhost.
func TestPasskeySite(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://amstel.example": "amstel.example https://amstel.example", "https://amstel.example:8443": "amstel.example https://amstel.example:8443",
		"http://localhost:8080": "localhost http://localhost:8080", "https://Москва.example": "xn--80adxhks.example https://xn--80adxhks.example",
		"http://amstel.example": "", "http://127.0.0.1:8080": "", "https://192.0.2.1": "", "https://[2001:db8::1]": "", "": "", "ftp://localhost": "",
	} {
		got := ""
		if site := newPasskeySite(address); site != nil {
			got = fmt.Sprint(site.Config.RPID, " ", strings.Join(site.Config.RPOrigins, ", "))
		}
		if got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	s := newSite(t, "anna")
	_, begun := s.BeginPasskey(t.Context(), s.user("anna"), "x")
	_, asked := s.BeginPasskeySignIn(t.Context())
	_, signed := s.signInBy([]byte("{}"))
	for what, err := range map[string]error{"a new passkey": begun, "options": asked, "a sign-in": signed, "an answer": s.AddPasskey(t.Context(), s.user("anna"), "x", nil)} {
		if !errors.Is(err, ErrNotFound) || s.TakesPasskeys() {
			t.Errorf("%s on a site without an address: %v, want %v", what, err, ErrNotFound)
		}
	}
}
