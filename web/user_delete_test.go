package web_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// comeBackLink finds the address of the form on the page for a person who deleted the account.
var comeBackLink = regexp.MustCompile(`action="(/users/link/[^"]+)"`)

// exceptVersions leaves the versions of posts, which a change raises, out of a comparison.
var exceptVersions = cmpopts.IgnoreMapEntries(func(key string, _ any) bool { return key == "version" || key == "_comments_version" })

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
	pages := func() (all []any) {
		for _, path := range []string{"/alice.json", "/alice/" + post + ".json", "/bobby/" + theirs + ".json", "/alice/comments.json"} {
			all = append(all, bobby.get(path).at("entries"))
		}
		return all
	}
	before := pages()

	if a := b.session("alice").send("DELETE", "/api/v1/users/2", object{"password": "password of bobby"}); a.status != 422 || a.at("fields", "password") == nil {
		t.Errorf("a wrong password: %d %s", a.status, a.body)
	}
	if a := b.session("alice").send("DELETE", "/api/v1/users/3", object{"password": "password of bobby"}); a.status != 403 {
		t.Errorf("another person's account: %d", a.status)
	}
	if a := b.session("warden").send("DELETE", "/api/v1/users/1", object{"password": "password of warden"}); a.status != 409 || !strings.Contains(a.body, "The site has no other") {
		t.Errorf("the last administrator of the site: %d %s", a.status, a.body)
	}
	if form := browser.get("/settings/data").html(); !strings.Contains(form, `<a href="/cooks">@cooks</a> has no other members`) {
		t.Errorf("the form does not say what happens to the group:\n%s", form)
	}
	bobby.send("POST", "/api/v1/groups/cooks/subscribers", nil).ok()
	if form := browser.get("/settings/data").html(); !strings.Contains(form, `<a href="/bobby">@bobby</a>, its member for the longest time`) {
		t.Errorf("the form does not say who takes over the group:\n%s", form)
	}

	gone := browser.form("POST", "/api/v1/users/2", "_method", "DELETE", "password", "password of alice").leadsTo("/")
	if !strings.Contains(strings.Join(gone.header["Set-Cookie"], "\n"), "Max-Age=0") {
		t.Errorf("the cookie stays: %q", gone.header["Set-Cookie"])
	}
	// No page requested after the answer has anything of the account.
	hidden := func() {
		t.Helper()
		for _, c := range []*client{bobby, b.visitor(), browser, other} {
			for _, path := range []string{"/alice", "/alice.json", "/alice/likes", "/alice/subscribers", "/alice/" + post, "/api/v1/users/alice"} {
				if a := c.get(path); a.status != 404 {
					t.Errorf("%s: %d", path, a.status)
				}
			}
		}
		settles(t, func() bool { return !strings.Contains(bobby.get("/bobby/"+theirs+".json").body, "by alice") })
	}
	hidden()
	if a := alice.get("/api/v1/whoami"); a.status != 401 {
		t.Errorf("the token: %d", a.status)
	}
	if home := other.get("/").html(); strings.Contains(home, `data-viewer="alice"`) {
		t.Error("another session is still signed in")
	}
	bobby.send("PATCH", "/api/v1/groups/cooks", object{"group": object{"description": "Bobby's"}}).ok()

	// Signing in tells of the deletion, and restores nothing by itself.
	if a := b.visitor().form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "password of bobby"); a.status != 401 {
		t.Errorf("signing in with a wrong password: %d", a.status)
	}
	if a := b.visitor().send("POST", "/users/sign_in", object{"user": object{"login": "alice", "password": "password of alice"}}); a.status != 403 || a.at("code") != "leaving" {
		t.Errorf("signing in by a program: %d %s", a.status, a.body)
	}
	back := b.visitor()
	back.http.Jar, back.accept = &jar{}, "text/html"
	a := back.form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "password of alice")
	link := comeBackLink.FindStringSubmatch(a.body)
	if a.status != 403 || link == nil {
		t.Fatalf("signing in: %d %s", a.status, a.body)
	}
	hidden()
	if a := back.form("POST", link[1]); a.status != 403 || !comeBackLink.MatchString(a.body) {
		t.Errorf("the link without the wish to come back: %d", a.status)
	}
	hidden()
	back.form("POST", link[1], "come_back", "1").leadsTo("/")
	var diff string
	shown := time.Now().Add(patience)
	for diff = gocmp.Diff(before, pages(), exceptVersions); diff != "" && time.Now().Before(shown); diff = gocmp.Diff(before, pages(), exceptVersions) {
		time.Sleep(20 * time.Millisecond) // until the loop has followed the job: polled
	}
	if diff != "" {
		t.Errorf("after Alice came back (-before +after):\n%s", diff)
	}
	if a := back.form("POST", link[1], "come_back", "1"); a.status != 403 {
		t.Errorf("the link for the second time: %d", a.status)
	}

	// The time for coming back is over.
	b.session("alice").send("DELETE", "/api/v1/users/2", object{"password": "password of alice"}).ok()
	if _, err := b.store.Pool().Exec(t.Context(), `update users set erase_at = 'epoch' where name = 'alice'`); err != nil {
		t.Fatal(err)
	}
	if err := b.store.EraseAccounts(t.Context()); err != nil {
		t.Fatal(err)
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
	hidden()
}
