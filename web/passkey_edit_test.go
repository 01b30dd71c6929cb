package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/passkeytest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

const passkeyOrigin = "https://amstel.example"

// setupPasskeys is setup for a site that takes passkeys.
func setupPasskeys(t *testing.T, config web.Config, people ...string) *bundle {
	t.Helper()
	options := timeline.Options{Argon: pgtest.Argon, Mails: true, URL: passkeyOrigin}
	return setupStore(t, pgtest.New(t), options, nodetest.Config{Web: config}, people...)
}

// options returns the options in an answer, as JSON.
func (a answer) options() []byte {
	a.t.Helper()
	var body struct{ Options json.RawMessage }
	if err := json.Unmarshal([]byte(a.ok().body), &body); err != nil || body.Options == nil {
		a.t.Fatalf("%s has no options: %v", a.body, err)
	}
	return body.Options
}

// addPasskey adds a passkey to the person of a client with a session, and returns its authenticator.
func (c *client) addPasskey(name, password string) *passkeytest.Authenticator {
	c.b.t.Helper()
	a := passkeytest.New(c.b.t, passkeyOrigin)
	options := c.send("POST", "/api/v1/passkeys/options.json", object{"name": name, "password": password}).options()
	c.send("POST", "/api/v1/passkeys.json", object{"name": name, "passkey": string(a.Create(options))}).ok()
	return a
}

// TestPasskeyOfAPerson adds a passkey, signs in with it to the page that was asked for, renames and removes it.
func TestPasskeyOfAPerson(t *testing.T) {
	t.Parallel()
	b := setupPasskeys(t, web.Config{}, "alice", "bobby")
	alice := b.session("alice")
	a := alice.addPasskey("my phone", "password of alice")
	list := alice.get("/api/v1/passkeys.json").ok()
	if list.at("passkeys", 0, "name") != "my phone" || list.at("passkeys", 0, "used_at") != nil || strings.Contains(list.body, "key\":\"") {
		t.Errorf("the passkeys are %s", list.body)
	}
	id := list.id("passkeys", 0, "id")

	page := b.visitor().get("/users/sign_in")
	if !strings.Contains(page.body, "Sign in with a passkey") || !strings.Contains(page.body, `autocomplete="username webauthn"`) {
		t.Errorf("the page for signing in offers no passkey: %s", page.body)
	}
	c := b.visitor()
	c.http.Jar, c.accept = &jar{}, "text/html"
	asked := b.visitor().get("/users/sign_in/passkey.json")
	if got := asked.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("the options may be kept: %q", got)
	}
	proof := string(a.Get(asked.options()))
	signed := c.form("POST", "/users/sign_in/passkey", "passkey", proof, "remember_me", "1", "return_to", "/settings/account")
	signed.leadsTo("/settings/account")
	if cookies := strings.Join(signed.header.Values("Set-Cookie"), "; "); !strings.Contains(cookies, "amstel=") || !strings.Contains(cookies, "Expires=") || !strings.Contains(cookies, "amstel-device=") {
		t.Errorf("the cookies are %s", cookies)
	}
	if page := c.get("/settings/account").html(); !strings.Contains(page, `href="/alice"`) || !strings.Contains(page, "my phone") || !strings.Contains(page, "last used") {
		t.Errorf("after signing in: %s", page)
	}
	again := b.visitor()
	again.accept = "text/html"
	if a := again.form("POST", "/users/sign_in/passkey", "passkey", proof); a.status != 403 || !strings.Contains(a.body, "This passkey didn&#39;t work") || !strings.Contains(a.body, "Sign in with a passkey") {
		t.Errorf("the same proof again: %d %s", a.status, a.body)
	}

	c.form("POST", "/settings/account", "_action", "/api/v1/passkeys/"+id+".json", "_method", "PATCH", "name", "").refused("Fill this in")
	c.form("POST", "/settings/account", "_action", "/api/v1/passkeys/"+id+".json", "_method", "PATCH", "name", "my old phone").leadsTo("/settings/account")
	if page := c.get("/settings/account").html(); !strings.Contains(page, "my old phone") || !strings.Contains(page, "Saved") {
		t.Errorf("after the new name: %s", page)
	}
	if a := b.session("bobby").send("DELETE", "/api/v1/passkeys/"+id+".json", object{"password": "password of bobby"}); a.status != 404 {
		t.Errorf("another person removes it: %d", a.status)
	}
	c.form("POST", "/settings/account", "_action", "/api/v1/passkeys/"+id+".json", "_method", "DELETE", "password", "wrong").refused("That isn&#39;t your password")
	c.form("POST", "/settings/account", "_action", "/api/v1/passkeys/"+id+".json", "_method", "DELETE", "password", "password of alice").leadsTo("/settings/account")
	proof = string(a.Get(b.visitor().get("/users/sign_in/passkey.json").options()))
	if a := b.visitor().send("POST", "/users/sign_in/passkey", object{"passkey": proof}); a.status != 403 || a.at("code") != "bad_passkey" {
		t.Errorf("with a removed passkey: %d %s", a.status, a.body)
	}
}

// refused checks that a form is shown again with a sentence.
func (a answer) refused(sentence string) {
	a.t.Helper()
	if a.status != 422 || !strings.Contains(a.body, sentence) {
		a.t.Errorf("%d, without %q: %s", a.status, sentence, a.body)
	}
}

// TestPasskeyNeedsTheOwner: a passkey is added and removed only with the password. In the hour after signing in by a link it may be left out,
// and a person without a password must have signed in within the hour.
func TestPasskeyNeedsTheOwner(t *testing.T) {
	t.Parallel()
	now := time.Now()
	b := setupPasskeys(t, web.Config{Now: func() time.Time { return now }}, "alice")
	alice := b.session("alice")
	options := func(c *client, password string) answer {
		t.Helper()
		return c.send("POST", "/api/v1/passkeys/options.json", object{"name": "x", "password": password})
	}
	for _, password := range []string{"", "wrong"} {
		if a := options(alice, password); a.status != 422 || a.at("fields", "password") == nil {
			t.Errorf("with the password %q: %d %s", password, a.status, a.body)
		}
	}
	byLink := func(name string) *client {
		t.Helper()
		link, err := b.store.NewLink(t.Context(), b.ids[name])
		if err != nil {
			t.Fatal(err)
		}
		secret, err := b.store.UseLink(t.Context(), link, true, "")
		if err != nil {
			t.Fatal(err)
		}
		c := b.visitor()
		c.header.Set("Cookie", "amstel="+secret)
		return c
	}
	linked := byLink("alice")
	options(linked, "").ok()
	imported, err := b.store.SignUp(t.Context(), newPasswordless("imported"))
	if err != nil {
		t.Fatal(err)
	}
	b.ids["imported"] = imported
	without := b.session("imported")
	a := without.addPasskey("a phone", "")
	id := without.get("/api/v1/passkeys.json").ok().id("passkeys", 0, "id")

	now = now.Add(61 * time.Minute)
	for name, a := range map[string]answer{
		"a link of long ago":           options(linked, ""),
		"a new one without a password": options(without, ""),
		"a removal":                    without.send("DELETE", "/api/v1/passkeys/"+id+".json", nil),
		"another address":              without.send("PATCH", "/api/v1/email.json", object{"email": "other@example.org"}),
	} {
		if a.status != 422 || a.at("fields", "password") == nil {
			t.Errorf("an hour later, %s: %d %s", name, a.status, a.body)
		}
	}
	if a := without.send("PATCH", "/api/v1/password.json", object{"password": object{"new": "another horse"}}); a.status != 422 || a.at("fields", "old") == nil {
		t.Errorf("an hour later, a first password: %d %s", a.status, a.body)
	}
	without.accept = "text/html"
	for form, fields := range map[string][]string{"email": {"email", "other@example.org"}, "password": {"password[new]", "another horse"}} {
		a := without.form("POST", "/settings/account?form="+form, fields...)
		if a.status != 422 || !strings.Contains(a.body, "sign in again") && !strings.Contains(a.body, "Sign in again") {
			t.Errorf("an hour later, the form %s: %d\n%s", form, a.status, a.body)
		}
	}
	without.accept = "application/json"
	proof := a.Get(b.visitor().get("/users/sign_in/passkey.json").options())
	b.visitor().send("POST", "/users/sign_in/passkey", object{"passkey": string(proof)}).ok()

	// A token can do nothing of this, nor can a stranger.
	for name, c := range map[string]*client{"a token": b.as("alice"), "a stranger": b.visitor()} {
		for _, a := range []answer{
			c.get("/api/v1/passkeys.json"), options(c, "password of alice"), c.send("POST", "/api/v1/passkeys.json", object{"name": "x", "passkey": "{}"}),
			c.send("PATCH", "/api/v1/passkeys/"+id+".json", object{"name": "x"}), c.send("DELETE", "/api/v1/passkeys/"+id+".json", object{"password": "password of alice"}),
		} {
			if a.status != 401 && a.status != 403 {
				t.Errorf("%s is answered %d", name, a.status)
			}
		}
	}
}

// TestPasskeyOfAPersonWhoCantSignIn: the page tells a suspended person, and shows the way back to one who deleted the account. A
// copy of a passkey is logged.
func TestPasskeyOfAPersonWhoCantSignIn(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	b := setupPasskeys(t, web.Config{Log: slog.New(slog.NewTextHandler(&log, nil))}, "warden", "alice", "bobby", "carla")
	signIn := func(a *passkeytest.Authenticator) answer {
		t.Helper()
		c := b.visitor()
		c.accept = "text/html"
		return c.form("POST", "/users/sign_in/passkey", "passkey", string(a.Get(b.visitor().get("/users/sign_in/passkey.json").options())))
	}
	keys := map[string]*passkeytest.Authenticator{}
	for _, name := range []string{"alice", "bobby", "carla"} {
		keys[name] = b.session(name).addPasskey("a phone", "password of "+name)
	}
	if err := b.store.Suspend(t.Context(), b.ids["alice"]); err != nil {
		t.Fatal(err)
	}
	if a := signIn(keys["alice"]); a.status != 403 || !strings.Contains(a.body, "This account is suspended") {
		t.Errorf("a suspended person: %d %s", a.status, a.body)
	}
	if err := b.store.DeleteAccount(t.Context(), b.ids["bobby"], "password of bobby"); err != nil {
		t.Fatal(err)
	}
	if a := signIn(keys["bobby"]); a.status != 403 || !strings.Contains(a.body, "You deleted this account") || !strings.Contains(a.body, "/users/link/") {
		t.Errorf("a person who deleted the account: %d %s", a.status, a.body)
	}
	keys["carla"].Count = 5
	signIn(keys["carla"]).leadsTo("/")
	if a := signIn(keys["carla"]); a.status != 403 || !strings.Contains(log.String(), "there may be a copy") || !strings.Contains(log.String(), fmt.Sprint("user ", b.ids["carla"])) {
		t.Errorf("a copy: %d, and the log is %s", a.status, log.String())
	}
}

// TestSiteWithoutPasskeys: no page offers passkeys if browsers make none for the site's address.
func TestSiteWithoutPasskeys(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	for path, c := range map[string]*client{"/users/sign_in": b.visitor(), "/settings/account": b.browser("alice")} {
		if page := c.get(path); strings.Contains(strings.ToLower(page.body), "passkey") {
			t.Errorf("%s offers a passkey", path)
		}
	}
	alice := b.session("alice")
	for name, a := range map[string]answer{
		"options":        b.visitor().get("/users/sign_in/passkey.json"),
		"a sign-in":      b.visitor().send("POST", "/users/sign_in/passkey", object{"passkey": "{}"}),
		"a new passkey":  alice.send("POST", "/api/v1/passkeys/options.json", object{"name": "x", "password": "password of alice"}),
		"a made passkey": alice.send("POST", "/api/v1/passkeys.json", object{"name": "x", "passkey": "{}"}),
		"a removed one":  alice.send("DELETE", "/api/v1/passkeys/1.json", object{"password": "password of alice"}),
		"another's name": alice.send("PATCH", "/api/v1/passkeys/1.json", object{"name": "x"}),
	} {
		if a.status != 404 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
}
