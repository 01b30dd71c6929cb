package web_test

import (
	"strings"
	"testing"
)

// TestClosedRegistration: a site that is closed to new people says so, instead of showing a form that is refused.
func TestClosedRegistration(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice") // administers the site
	stranger := b.visitor()
	stranger.accept = "text/html"
	if page := stranger.get("/users/sign_up").html(); !strings.Contains(page, `name="user[name]"`) {
		t.Error("an open site shows no form")
	}
	b.as("alice").send("PATCH", "/api/v1/site.json", object{"site": object{"registration": "closed"}}).ok()
	if err := b.node.WaitApplied(t.Context()); err != nil {
		t.Fatal(err)
	}
	if page := stranger.get("/users/sign_up").html(); strings.Contains(page, `name="user[name]"`) || !strings.Contains(page, "takes no new people") {
		t.Errorf("a closed site shows:\n%s", page)
	}
	fields := []string{"user[name]", "newcomer", "user[email]", "newcomer@example.org", "user[password]", "correct horse", "user[display_name]", "New"}
	if a := stranger.form("POST", "/users/sign_up", fields...); a.status != 403 || !strings.Contains(a.body, "takes no new people") {
		t.Errorf("the form is answered %d %s", a.status, a.body)
	}
	if a := b.visitor().send("POST", "/api/v1/users.json", object{"user": object{"name": "newcomer", "email": "newcomer@example.org", "password": "correct horse"}}); a.status != 403 || a.at("code") != "registration_closed" {
		t.Errorf("the API answers %d %s", a.status, a.body)
	}
}
