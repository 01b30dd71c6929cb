package web_test

import (
	"strings"
	"testing"
)

func TestDeletingAnAccount(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "warden", "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	browser, other := b.browser("alice"), b.browser("alice")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	post := alice.post("mine", "user")
	theirs := bobby.post("of bobby", "user")
	alice.comment(theirs, "by alice")
	bobby.get("/alice").html()
	b.visitor().get("/alice").html()

	if a := b.session("alice").send("DELETE", "/api/v1/users/2", object{"password": "password of bobby"}); a.status != 422 || a.at("fields", "password") == nil {
		t.Errorf("a wrong password: %d %s", a.status, a.body)
	}
	if a := b.session("alice").send("DELETE", "/api/v1/users/3", object{"password": "password of bobby"}); a.status != 403 {
		t.Errorf("another person's account: %d", a.status)
	}
	if a := b.session("alice").send("DELETE", "/api/v1/users/2", object{"password": "password of alice"}); a.status != 409 || !strings.Contains(a.body, "cooks") {
		t.Errorf("the last administrator of a group: %d %s", a.status, a.body)
	}
	if a := b.session("warden").send("DELETE", "/api/v1/users/1", object{"password": "password of warden"}); a.status != 409 || !strings.Contains(a.body, "The site has no other") {
		t.Errorf("the last administrator of the site: %d %s", a.status, a.body)
	}
	bobby.send("POST", "/api/v1/groups/cooks/subscribers", nil).ok()
	alice.send("POST", "/api/v1/groups/cooks/admins/bobby", nil).ok()

	gone := browser.form("POST", "/api/v1/users/2", "_method", "DELETE", "password", "password of alice").leadsTo("/")
	if !strings.Contains(strings.Join(gone.header["Set-Cookie"], "\n"), "Max-Age=0") {
		t.Errorf("the cookie stays: %q", gone.header["Set-Cookie"])
	}
	// No page requested after the answer has anything of the account.
	for _, c := range []*client{bobby, b.visitor(), browser, other} {
		for _, path := range []string{"/alice", "/alice.json", "/alice/likes", "/alice/subscribers", "/alice/" + post, "/api/v1/users/alice"} {
			if a := c.get(path); a.status != 404 {
				t.Errorf("%s: %d", path, a.status)
			}
		}
	}
	if a := alice.get("/api/v1/whoami"); a.status != 401 {
		t.Errorf("the token: %d", a.status)
	}
	if home := other.get("/").html(); strings.Contains(home, `data-viewer="alice"`) {
		t.Error("another session is still signed in")
	}
	if a := b.visitor().form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "password of alice"); a.status != 401 {
		t.Errorf("signing in: %d", a.status)
	}
	for more := true; more; {
		var err error
		if more, err = b.store.RunAccountJob(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	settles(t, func() bool { return !strings.Contains(bobby.get("/bobby/"+theirs+".json").body, "by alice") })
}
