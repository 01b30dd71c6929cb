package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestDeviceThatSignedInBeforeIsNotLockedOut guesses from the person's own network until every
// stranger is refused there.
func TestDeviceThatSignedInBeforeIsNotLockedOut(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.browser("alice"), b.browser("bobby")
	signIn := func(c *client, name, password string) int {
		return c.form("POST", "/users/sign_in", "user[email]", name, "user[password]", password).status
	}
	for _, name := range []string{"alice", "zoe", "alice@example.org", "zoe@example.org"} {
		for i := range 12 {
			want := http.StatusUnauthorized
			if i >= 10 {
				want = http.StatusTooManyRequests
			}
			if got := signIn(b.visitor(), name, "wrong"); got != want {
				t.Errorf("guess %d at %s: %d, want %d", i+1, name, got, want)
			}
		}
	}
	if got := signIn(b.visitor(), "alice", "password of alice"); got != http.StatusTooManyRequests {
		t.Errorf("a stranger with the right password: %d", got)
	}
	if got := signIn(bobby, "alice", "password of alice"); got != http.StatusTooManyRequests {
		t.Errorf("another person's device: %d", got)
	}
	alice.form("POST", "/users/sign_out").leadsTo("/")
	if got := signIn(alice, "alice", "password of alice"); got != http.StatusSeeOther {
		t.Errorf("the person's own device: %d", got)
	}
	// The cookie counts only with the site's signature.
	u, _ := url.Parse(b.http.URL)
	for _, cookie := range alice.http.Jar.Cookies(u) {
		if !strings.HasSuffix(cookie.Name, "-device") {
			continue
		}
		for _, forged := range []string{cookie.Value[1:], "A" + cookie.Value[1:], cookie.Value[:len(cookie.Value)-2], "", "."} {
			c := b.visitor()
			c.header.Set("Cookie", cookie.Name+"="+forged)
			if got := signIn(c, "alice", "password of alice"); forged != cookie.Value && got != http.StatusTooManyRequests {
				t.Errorf("a forged cookie %q: %d", forged, got)
			}
		}
		c := b.visitor()
		c.header.Set("Cookie", cookie.Name+"=x."+cookie.Value)
		if got := signIn(c, "alice", "password of alice"); got != http.StatusFound {
			t.Errorf("the cookie itself: %d", got)
		}
		return
	}
	t.Error("no device cookie was set")
}

// TestPasswordIsConfirmedThoughStrangersGuess changes the password while strangers
// are refused.
func TestPasswordIsConfirmedThoughStrangersGuess(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	for range 12 {
		b.visitor().form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "wrong")
	}
	alice := b.session("alice")
	for i := range 12 {
		a := alice.send("PATCH", "/api/v1/password", object{"password": object{"old": "wrong", "new": "battery staple"}})
		if want := map[bool]int{true: 422, false: 429}[i < 10]; a.status != want {
			t.Errorf("wrong password %d: %d, want %d", i+1, a.status, want)
		}
	}
	b = setup(t, "alice")
	for range 12 {
		b.visitor().form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "wrong")
	}
	b.session("alice").send("PATCH", "/api/v1/password", object{"password": object{"old": "password of alice", "new": "battery staple"}}).result("changed")
}

// TestSignUpTellsNothingOfAddresses compares the answers to an address that belongs to an
// account and to one that does not.
func TestSignUpTellsNothingOfAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	for name, email := range map[string]string{"taker": "Alice@example.org", "newer": "new@example.org"} {
		a := b.visitor().send("POST", "/api/v1/users", object{"user": object{"name": name, "email": email, "password": "correct horse"}})
		if a.status != 200 || a.at("user", "name") != name {
			t.Errorf("%s: %d %s", email, a.status, a.body)
		}
	}
	for _, email := range []string{"alice@example.org", "other@example.org"} {
		a := b.visitor().send("POST", "/api/v1/users", object{"user": object{"name": "alice", "email": email, "password": "correct horse"}})
		if a.status != 409 || a.at("fields", "name") == nil || a.at("fields", "email") != nil {
			t.Errorf("a taken name with %s: %d %s", email, a.status, a.body)
		}
	}
	for i := range 30 {
		a := b.visitor().send("POST", "/api/v1/users", object{"user": object{"name": "alice", "email": "a@example.org", "password": "correct horse"}})
		if a.status == 429 {
			if a.header.Get("Retry-After") == "" || i < 10 {
				t.Errorf("try %d: %v", i, a.header)
			}
			return
		}
	}
	t.Error("making accounts is not bounded")
}
