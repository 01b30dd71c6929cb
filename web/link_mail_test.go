package web_test

import (
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestForgottenPassword follows a person who forgot their password: from the page for signing in to the form that mails a
// link, by the link into their account, and to a new password without the old one.
func TestForgottenPassword(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	other := b.as("alice")
	c := b.visitor()
	c.http.Jar, c.accept = &jar{}, "text/html"
	if page := c.get("/users/sign_in").html(); !strings.Contains(page, `href="/users/forgot"`) {
		t.Error("the page for signing in does not lead to the form")
	}
	c.get("/users/forgot").html()
	c.form("POST", "/users/forgot", "login", "alice@example.org").leadsTo("/users/forgot?sent")
	sent := c.get("/users/forgot?sent").html()
	if !strings.Contains(sent, "a mail is on its way") || strings.Contains(sent, "<form class=\"form\"") {
		t.Errorf("the page after the request: %s", sent)
	}
	// The answer is the same if there is no such account.
	c.form("POST", "/users/forgot", "login", "nobody@example.org").leadsTo("/users/forgot?sent")
	if _, err := b.pool.Exec(t.Context(), `delete from mails where kind = 'confirm'`); err != nil { // from signing up
		t.Fatal(err)
	}
	lease, err := b.store.TakeMail(t.Context(), time.Minute)
	if err != nil || lease == nil || lease.User != b.ids["alice"] || lease.Kind != timeline.MailSignIn {
		t.Fatalf("the mail is %+v, %v", lease, err)
	}
	if again, err := b.store.TakeMail(t.Context(), time.Minute); err != nil || again != nil {
		t.Errorf("another mail: %+v, %v", again, err)
	}
	secret, err := b.store.NewLink(t.Context(), lease.User)
	if err != nil {
		t.Fatal(err)
	}
	c.form("POST", "/users/link/"+secret).leadsTo("/settings/account")
	if page := c.get("/settings/account").html(); strings.Contains(page, `id="password-old"`) || !strings.Contains(page, "You signed in by a link") {
		t.Error("the form asks for the old password")
	}
	if a := c.form("POST", "/settings/account?form=email", "email", "mine@example.org"); a.status != 422 {
		t.Errorf("a new address without the password: %d", a.status)
	}
	if email, err := b.store.Email(t.Context(), b.ids["alice"]); err != nil || email.Address != "alice@example.org" || email.Wanted != "" {
		t.Errorf("the address was changed without the password: %+v, %v", email, err)
	}
	c.form("POST", "/settings/account?form=password", "password[new]", "a new horse").leadsTo("/settings/account")
	if _, err := b.store.Authenticate(t.Context(), "alice", "a new horse", timeline.Client{}); err != nil {
		t.Errorf("the new password: %v", err)
	}
	// A new password ends the trust in the link: the next one needs it.
	if a := c.form("POST", "/settings/account?form=password", "password[new]", "another horse"); a.status != 422 {
		t.Errorf("a second new password: %d", a.status)
	}
	if _, err := b.store.Authenticate(t.Context(), "alice", "another horse", timeline.Client{}); err == nil {
		t.Error("a second password was set without the first")
	}
	if a := other.get("/api/v1/whoami"); a.status != 200 { // by a token
		t.Errorf("a token ended: %d", a.status)
	}
	// A session that began by a password is asked for the old one.
	bobby := b.session("bobby")
	if a := bobby.send("PATCH", "/api/v1/password.json", object{"password": object{"new": "a new horse"}}); a.status != 422 {
		t.Errorf("a session sets a password without the old one: %d", a.status)
	}
}

// TestForgotRefusesBadInput checks that the form comes back with the typed text and a sentence.
func TestForgotRefusesBadInput(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	c := b.visitor()
	if a := c.send("POST", "/users/forgot", object{"login": " "}); a.status != 422 || a.at("fields", "login") == nil {
		t.Errorf("no login: %d %s", a.status, a.body)
	}
	if a := c.send("POST", "/users/forgot", object{"login": "alice"}).ok(); a.at("result") != "sent" {
		t.Errorf("the answer is %s", a.body)
	}
	for range 2 {
		c.send("POST", "/users/forgot", object{"login": "alice"}).ok()
	}
	if a := c.send("POST", "/users/forgot", object{"login": "alice"}); a.status != 429 {
		t.Errorf("a fourth request for the same login: %d", a.status)
	}
	c.http.Jar, c.accept = &jar{}, "text/html"
	if page := c.form("POST", "/users/forgot", "login", "alice"); page.status != 429 || !strings.Contains(page.body, `value="alice"`) {
		t.Errorf("the form comes back with %d: %s", page.status, page.body)
	}
}

// TestNoForgotWithoutMail: a site without mail has no such form, and the page for signing in names the administrator.
func TestNoForgotWithoutMail(t *testing.T) {
	t.Parallel()
	silent := setupStore(t, pgtest.New(t), timeline.Options{Argon: pgtest.Argon}, nodetest.Config{}, "alice").visitor()
	for _, path := range []string{"/users/forgot", "/users/forgot?sent"} {
		if a := silent.get(path); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if a := silent.send("POST", "/users/forgot", object{"login": "alice"}); a.status != 404 {
		t.Errorf("the form is sent: %d", a.status)
	}
	silent.accept = "text/html"
	if page := silent.get("/users/sign_in").html(); !strings.Contains(page, "Ask an administrator") || strings.Contains(page, "/users/forgot") {
		t.Error("the page for signing in offers a mail")
	}
}
