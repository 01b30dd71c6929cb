package web_test

import (
	"strings"
	"testing"
)

func TestTokensByAPI(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.as("alice")
	secret, _ := b.session("alice").send("POST", "/api/v1/tokens.json", object{"token": object{"name": "my bot"}}).ok().at("token").(string)
	bot := b.visitor()
	bot.header.Set("Authorization", "Bearer "+secret)
	if a := bot.get("/api/v1/whoami").ok(); a.at("user", "name") != "alice" {
		t.Error(a.body)
	}
	list := alice.get("/api/v1/tokens").ok()
	if list.at("tokens", 0, "name") != "my bot" || strings.Contains(list.body, secret) {
		t.Error(list.body)
	}
	alice.send("DELETE", "/api/v1/tokens/"+list.id("tokens", 0, "id"), nil).ok()
	if a := bot.get("/api/v1/whoami"); a.status != 401 {
		t.Errorf("a revoked token: %d", a.status)
	}
	if a := alice.send("DELETE", "/api/v1/tokens/999", nil); a.status != 404 {
		t.Errorf("a token that does not exist: %d", a.status)
	}
}

// TestTokenCanDoNothingThatOutlivesIt tries with a token all actions by which its bearer could
// keep access, or lock the owner out, after the token is revoked.
func TestTokenCanDoNothingThatOutlivesIt(t *testing.T) {
	t.Parallel()
	b := setup(t, "warden", "alice")
	imported, err := b.store.SignUp(t.Context(), newPasswordless("imported"))
	if err != nil {
		t.Fatal(err)
	}
	b.ids["imported"] = imported
	for _, tt := range []struct {
		who, method, path string
		body              object
	}{
		{"alice", "POST", "/api/v1/tokens", object{"token": object{"name": "heir"}}},
		{"alice", "PATCH", "/api/v1/password", object{"password": object{"old": "password of alice", "new": "password of a thief"}}},
		{"imported", "PATCH", "/api/v1/password", object{"password": object{"new": "password of a thief"}}}, // an imported account has no old password
		{"alice", "DELETE", "/api/v1/users/2", object{"password": "password of alice"}},
	} {
		token := b.as(tt.who)
		before := b.tally()
		a := token.send(tt.method, tt.path, tt.body)
		if a.status != 403 || a.at("code") != "not_by_token" {
			t.Errorf("%s %s by a token of %s: %d %s", tt.method, tt.path, tt.who, a.status, a.body)
		}
		if len(a.header["Set-Cookie"]) != 0 {
			t.Errorf("%s %s by a token of %s sets %q", tt.method, tt.path, tt.who, a.header["Set-Cookie"])
		}
		for table, n := range b.tally() {
			if n != before[table] {
				t.Errorf("%s %s by a token of %s changed %s", tt.method, tt.path, tt.who, table)
			}
		}
	}
	// A session may do all of them.
	alice := b.session("alice")
	alice.send("POST", "/api/v1/tokens", object{"token": object{"name": "heir"}}).ok()
	alice.send("DELETE", "/api/v1/users/2", object{"password": "password of alice"}).result("deleted")
}
