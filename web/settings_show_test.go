package web_test

import (
	"regexp"
	"strings"
	"testing"
)

func TestSettingsByForm(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice, elsewhere := b.browser("alice"), b.browser("alice")
	alice.form("POST", "/api/v1/users/1.json", "_method", "PATCH", "user[display_name]", "Alice Again", "user[description]", "hi", "user[status]", "protected", "return_to", "/settings").leadsTo("/settings")
	if page := alice.get("/settings").html(); !strings.Contains(page, `value="Alice Again"`) {
		t.Error("the settings are as they were")
	}
	if page := alice.get("/about").html(); !strings.Contains(page, "Alice Again") {
		t.Error("the name in the navigation is as it was")
	}
	if a := b.anybody().get("/alice.json"); a.status != 403 {
		t.Errorf("a protected page, not signed in: %d", a.status)
	}

	token := alice.form("POST", "/api/v1/tokens.json", "token[name]", "bot", "return_to", "/settings")
	secret := regexp.MustCompile(`<code class="secret">([a-f0-9-]+)</code>`).FindStringSubmatch(token.html())
	if secret == nil || token.header.Get("Cache-Control") != "no-store" {
		t.Fatal(token.body)
	}
	if page := alice.get("/settings").html(); strings.Contains(page, secret[1]) {
		t.Error("a token is shown twice")
	}

	wrong := alice.form("POST", "/api/v1/password.json", "_method", "PATCH", "password[old]", "not it at all", "password[new]", "brand new one")
	if wrong.status != 422 || !strings.Contains(wrong.body, "your current password.") {
		t.Errorf("a wrong password: %d %s", wrong.status, wrong.body)
	}
	short := alice.form("POST", "/api/v1/password.json", "_method", "PATCH", "password[old]", "password of alice", "password[new]", "short")
	if short.status != 422 {
		t.Errorf("a short password: %d", short.status)
	}
	alice.form("POST", "/api/v1/password.json", "_method", "PATCH", "password[old]", "password of alice", "password[new]", "brand new one", "return_to", "/settings").leadsTo("/settings")
	alice.get("/settings").html()
	if a := elsewhere.get("/settings"); a.status != 303 {
		t.Errorf("signed in elsewhere after a new password: %d", a.status)
	}
	if a := b.anybody().send("POST", "/users/sign_in", object{"user": object{"name": "alice", "password": "brand new one"}}); a.status != 200 {
		t.Errorf("the new password: %d %s", a.status, a.body)
	}
}
