package web_test

import (
	"regexp"
	"strings"
	"testing"
)

func TestSignUpInAndOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.visitor()
	c.http.Jar, c.accept = &jar{}, "text/html"
	c.get("/users/sign_up").html()

	// The problem stands beside the typed text.
	again := c.form("POST", "/users/sign_up", "user[name]", "Not A Name", "user[email]", "new@", "user[password]", "seven 7")
	if again.status != 422 || !strings.Contains(again.body, `value="new@"`) || strings.Contains(again.body, "seven 7") {
		t.Errorf("%d %s", again.status, again.body)
	}
	for _, id := range []string{"user-name-problem", "user-email-problem", "user-password-problem"} {
		if !strings.Contains(again.body, `id="`+id+`"`) {
			t.Errorf("the form does not say all at once: no %s", id)
		}
	}
	c.form("POST", "/users/sign_up", "user[name]", "newcomer", "user[email]", "new@example.org", "user[password]", "long enough", "user[display_name]", "New Comer").leadsTo("/")
	if home := c.get("/").html(); !strings.Contains(home, "New Comer") || !strings.Contains(home, `data-viewer="newcomer"`) {
		t.Error("not signed in after signing up")
	}
	c.form("POST", "/users/sign_out").leadsTo("/")
	if home := c.get("/").html(); strings.Contains(home, "New Comer") {
		t.Error("signed in after signing out")
	}

	other := b.visitor()
	other.accept = "text/html"
	if taken := other.form("POST", "/users/sign_up", "user[name]", "newcomer", "user[email]", "two@example.org", "user[password]", "long enough"); taken.status != 409 || !strings.Contains(taken.body, "already taken") {
		t.Errorf("a name that is taken: %d %s", taken.status, taken.body)
	}

	// A taken name is reported beside the other problems, a taken address never.
	both := other.form("POST", "/users/sign_up", "user[name]", "newcomer", "user[email]", "new@example.org", "user[password]", "short")
	if both.status != 422 || !strings.Contains(both.body, `id="user-name-problem">This is already taken`) || !strings.Contains(both.body, `id="user-password-problem"`) || strings.Contains(both.body, "user-email-problem") {
		t.Errorf("a taken name and a short password: %d %s", both.status, both.body)
	}
	if a := b.visitor().send("POST", "/api/v1/users", object{"user": object{"name": "newcomer", "email": "x", "password": "short"}}); a.status != 422 || a.at("code") != "invalid" ||
		a.at("fields", "name") != "is already taken" || a.at("fields", "email") == nil || a.at("fields", "password") == nil {
		t.Errorf("all problems as JSON: %d %s", a.status, a.body)
	}

	wrong := c.form("POST", "/users/sign_in", "user[email]", "newcomer", "user[password]", "wrong password", "return_to", "/settings")
	if wrong.status != 401 || !strings.Contains(wrong.body, `value="newcomer"`) || !strings.Contains(wrong.body, `value="/settings"`) {
		t.Errorf("a wrong password: %d %s", wrong.status, wrong.body)
	}
	if a := b.visitor().send("POST", "/users/sign_in", object{"user": object{"email": "newcomer", "password": "wrong password"}}); a.status != 401 || a.at("code") != "bad_credentials" {
		t.Errorf("a wrong password as JSON: %d %s", a.status, a.body)
	}
	// By e-mail in another case, with "remember me", and back to the page of the request.
	in := c.form("POST", "/users/sign_in", "user[email]", "New@Example.org", "user[password]", "long enough", "user[remember_me]", "1", "return_to", "/settings").leadsTo("/settings")
	if cookie := in.header.Get("Set-Cookie"); !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") || !strings.Contains(cookie, "Expires=") {
		t.Errorf("the cookie is %q", cookie)
	}
	c.get("/settings").html()
	// A page that needs an account leads to the form to sign in, and then back.
	other.get("/settings").leadsTo("/users/sign_in?return_to=%2Fsettings")
	other.get("/filter/directs").leadsTo("/users/sign_in?return_to=%2Ffilter%2Fdirects")
}

func TestSignInIsThrottled(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	c := b.visitor()
	for range 10 {
		c.form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "wrong password")
	}
	if a := c.form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "password of alice"); a.status != 429 || a.header.Get("Retry-After") == "" {
		t.Errorf("after ten failures: %d %s", a.status, a.body)
	}
}

// TestSignInOfOldPrograms signs in as the backup scripts of Mokum do: with a token of the page, without
// its cookies, and with any answer or none named.
func TestSignInOfOldPrograms(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	source := b.visitor().get("/users/sign_in").html()
	meta := regexp.MustCompile(`(?m)^<meta name="csrf-token" content="([^"]+)" />$`).FindStringSubmatch(source)
	if meta == nil {
		t.Fatal("the page has no token on a line of its own")
	}
	fields := []string{
		"utf8", "✓", "authenticity_token", meta[1], "user[email]", "alice", "user[password]", "password of alice",
		"user[remember_me]", "0", "user[remember_me]", "1", "commit", "Log in",
	}
	body := `<html><body>You are being <a href="` + b.http.URL + `/">redirected</a>.</body></html>`
	for _, accept := range []string{"", "*/*"} {
		c := b.visitor()
		c.accept = accept
		a := c.form("POST", "//users/sign_in", fields...)
		if a.status != 302 || a.body != body || a.header.Get("Location") != "/" || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			t.Errorf("Accept %q: %d to %q: %s", accept, a.status, a.header.Get("Location"), a.body)
		}
		cookie := a.header.Get("Set-Cookie")
		if !strings.HasPrefix(cookie, "amstel=") || !strings.Contains(cookie, "Expires=") {
			t.Fatalf("Accept %q: the first cookie is %q", accept, cookie)
		}
		c.header.Set("Cookie", strings.Split(cookie, ";")[0])
		if me := c.get("//alice.json?page=1").at("river", "current_user_name"); me != "alice" {
			t.Errorf("Accept %q: the page is read by %v", accept, me)
		}
		if me := c.get("/api/v1/whoami").at("user", "name"); me != "alice" {
			t.Errorf("Accept %q: the API is used by %v", accept, me)
		}
		if a := c.form("POST", "/users/sign_in", "user[email]", "bobby", "user[password]", "wrong"); a.status != 401 || a.at("code") != "bad_credentials" || a.header.Get("Set-Cookie") != "" {
			t.Errorf("Accept %q, a wrong password: %d %s", accept, a.status, a.body)
		}
	}
	for _, path := range []string{"/settings/apitokens", "/customize/apitokens"} {
		b.visitor().get(path).leadsTo("/settings/tokens")
	}
	named := b.visitor()
	named.accept = "application/json, text/plain, */*"
	if a := named.form("POST", "/users/sign_in", fields...); a.status != 200 || a.at("result") != "signed_in" {
		t.Errorf("for a program that names JSON: %d %s", a.status, a.body)
	}
	// Pages of other sites can't sign their reader in as another person.
	for name, value := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site", "origin": "null", "sec-fetch-site": "same-site"} {
		c := b.visitor()
		c.header.Set(name, value)
		if a := c.form("POST", "/users/sign_in", fields...); a.status != 403 || a.at("code") != "cross_origin" || a.header.Get("Set-Cookie") != "" {
			t.Errorf("%s %s: %d %s", name, value, a.status, a.body)
		}
	}
}
