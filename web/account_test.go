package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/web"
)

// rename gives a person another name.
func (c *client) rename(id, name string) answer {
	c.b.t.Helper()
	return c.send("PATCH", "/api/v1/users/"+id, object{"user": object{"name": name}})
}

// movedTo fails the test unless the answer leads on to there.
func (a answer) movedTo(path string) {
	a.t.Helper()
	if a.status != http.StatusMovedPermanently || a.header.Get("Location") != path || a.header.Get("Cache-Control") != "no-cache" {
		a.t.Errorf("%d to %q, kept %q; want 301 to %q", a.status, a.header.Get("Location"), a.header.Get("Cache-Control"), path)
	}
}

func TestRenaming(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, nobody := b.as("alice"), b.as("bobby"), b.anybody()
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	alice.send("POST", "/api/v1/users/carol/ban", nil).ok()
	carol := b.as("carol")
	post := alice.post("soup", "user", "group:cooks")
	for _, c := range []*client{alice, bobby, nobody} {
		for _, path := range []string{"/alice", "/alice.json", "/alice/" + post, "/alice/" + post + ".json", "/cooks", "/cooks/" + post, "/alice/likes"} {
			c.get(path).ok()
		}
	}

	if a := alice.rename("1", "alicia").ok(); a.at("user", "name") != "alicia" {
		t.Error(a.body)
	}
	for _, c := range []*client{alice, bobby, nobody} {
		c.get("/alice").movedTo("/alicia")
		c.get("/ALICE.json?page=1&count=5").movedTo("/alicia.json?page=1&count=5")
		c.get("/alice/likes").movedTo("/alicia/likes")
		c.get("/alice/subscribers.json").movedTo("/alicia/subscribers.json")
		c.get("/alice/subscriptions").movedTo("/alicia/subscriptions")
		c.get("/alice/" + post).movedTo("/alicia/" + post)
		c.get("/alice/" + post + ".json").movedTo("/alicia/" + post + ".json")
		c.get("/alice/" + post + "/likes.json").movedTo("/alicia/" + post + "/likes.json")
		c.get("/wrong/" + post + "/comments.json").ok()
		if a := c.get("/alicia.json").ok(); a.at("users", "1", "name") != "alicia" || a.at("entries", 0, "api_url") != "/api/v1/posts/alicia/"+post {
			t.Error(a.body)
		}
		if page := c.get("/alicia").html(); strings.Contains(page, `"/alice`) {
			t.Error("a page has links to the old name")
		}
		c.get("/alicia/" + post).html()
	}
	// Across a ban not even the new name is told.
	for _, path := range []string{"/alice", "/alice.json", "/alice/likes", "/alice/subscribers", "/alicia", "/alicia.json"} {
		if a := carol.get(path); a.status != 404 || strings.Contains(a.body, "Alice") {
			t.Errorf("%s across a ban: %d %q", path, a.status, a.header.Get("Location"))
		}
	}
	// What names her does so by either name.
	bobby.send("POST", "/api/v1/users/alice/subscribers", nil).result("subscribed")
	if a := bobby.get("/api/v1/users/alice").ok(); a.at("name") != "alicia" {
		t.Error(a.body)
	}
	if a := alice.get("/api/v1/whoami").ok(); a.at("user", "name") != "alicia" {
		t.Error(a.body)
	}
	// Nobody else has it, and she can go back.
	if a := bobby.rename("2", "alice"); a.status != 409 || a.at("fields", "name") == nil {
		t.Errorf("somebody takes an old name: %d %s", a.status, a.body)
	}
	alice.rename("1", "alice").ok()
	for _, c := range []*client{alice, bobby, nobody} {
		c.get("/alicia").movedTo("/alice")
		c.get("/alice").html()
	}

	// A private account, and a group.
	alice.send("PATCH", "/api/v1/users/1", object{"user": object{"status": "private", "name": "alicia"}}).ok()
	nobody.get("/alice").movedTo("/alicia")
	if a := nobody.get("/alicia"); a.status != 403 {
		t.Errorf("a private account: %d", a.status)
	}
	if a := alice.send("PATCH", "/api/v1/groups/cooks", object{"group": object{"name": "chefs"}}).ok(); a.at("name") != "chefs" {
		t.Error(a.body)
	}
	bobby.get("/cooks.json?page=2").movedTo("/chefs.json?page=2")
	bobby.get("/cooks/" + post).movedTo("/chefs/" + post)
	bobby.get("/chefs").html()
}

// TestRenamedElsewhere has names change in the primary, with this node told by
// the log alone, as another node's writes come here.
func TestRenamedElsewhere(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	b := setupOn(t, pool, web.Config{}, "warden", "alice", "bobby")
	other := setupOn(t, pool, web.Config{})
	nobody, bobby := other.anybody(), b.as("bobby")
	bobby.b = other
	nobody.get("/alice").html()
	nobody.get("/api/v1/users/alice").ok()
	bobby.get("/alice").html()

	alice := b.as("alice")
	alice.rename("2", "alicia").ok()
	settles(t, func() bool { return nobody.get("/alice").status == 301 && bobby.get("/alice").status == 301 })
	nobody.get("/alice.json").movedTo("/alicia.json")
	nobody.get("/alicia").html()
	settles(t, func() bool { return nobody.get("/api/v1/users/alice").at("name") == "alicia" })

	b.session("alice").send("DELETE", "/api/v1/users/2", object{"password": "password of alice"}).ok()
	settles(t, func() bool { return nobody.get("/alicia").status == 404 && bobby.get("/alicia.json").status == 404 })
	settles(t, func() bool { return nobody.get("/api/v1/users/alicia").status == 404 })
	for _, path := range []string{"/alice", "/alicia/likes", "/alicia/subscribers", "/alice.json"} {
		if a := nobody.get(path); a.status != 404 {
			t.Errorf("%s of a deleted account: %d", path, a.status)
		}
	}
}

// settles waits for what another node is to find out within a moment.
func settles(t *testing.T, is func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !is() {
		if time.Now().After(deadline) {
			t.Fatal("the other node does not find out")
		}
		time.Sleep(20 * time.Millisecond) // a condition of another node: polled
	}
}

func TestDeletingAnAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, "warden", "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	browser, other := b.browser("alice"), b.browser("alice")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	post := alice.post("mine", "user")
	theirs := bobby.post("of bobby", "user")
	alice.comment(theirs, "by alice")
	bobby.get("/alice").html()
	b.anybody().get("/alice").html()

	if a := b.session("alice").send("DELETE", "/api/v1/users/2", object{"password": "password of bobby"}); a.status != 422 || a.at("fields", "password") == nil {
		t.Errorf("a wrong password: %d %s", a.status, a.body)
	}
	if a := b.session("alice").send("DELETE", "/api/v1/users/3", object{"password": "password of bobby"}); a.status != 403 {
		t.Errorf("somebody else's account: %d", a.status)
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
	// Whatever is begun after the answer has nothing of it.
	for _, c := range []*client{bobby, b.anybody(), browser, other} {
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
	if a := b.anybody().form("POST", "/users/sign_in", "user[email]", "alice", "user[password]", "password of alice"); a.status != 401 {
		t.Errorf("signing in: %d", a.status)
	}
	for more := true; more; {
		var err error
		if more, err = b.store.WorkOff(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	settles(t, func() bool { return !strings.Contains(bobby.get("/bobby/"+theirs+".json").body, "by alice") })
}

func TestWhoWillSeeThis(t *testing.T) {
	t.Parallel()
	b := setup(t, "warden", "alice", "bobby", "carol")
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks", "status": "private"}}).ok()
	bobby.send("POST", "/api/v1/groups", object{"group": object{"name": "chefs", "display_name": "Chefs", "status": "private"}}).ok()
	bobby.send("POST", "/api/v1/users/alice/subscribers", nil).ok()
	post := alice.post("soup", "user")
	theirs := bobby.post("secret soup", "group:chefs")
	public := bobby.post("open soup", "user")
	for _, tt := range []struct {
		query string
		want  object
	}{
		{"timelines=user", object{"everybody": true, "people": 3.0, "gain": 3.0, "lose": 0.0, "opens": true, "closes": false}},
		{"timelines=group:cooks", object{"everybody": false, "people": 0.0, "gain": 0.0, "lose": 0.0, "opens": false, "closes": false}},
		{"timelines=direct:bobby,direct:carol", object{"everybody": false, "people": 2.0, "gain": 2.0, "lose": 0.0, "opens": false, "closes": false}},
		{"timelines=group:cooks&post=" + post, object{"everybody": false, "people": 0.0, "gain": 0.0, "lose": 3.0, "opens": false, "closes": true}},
		{"status=private", object{"everybody": false, "people": 1.0, "gain": 0.0, "lose": 2.0, "opens": false, "closes": true}},
		{"status=public&group=cooks", object{"everybody": true, "people": 3.0, "gain": 3.0, "lose": 0.0, "opens": true, "closes": false}},
	} {
		a := alice.get("/api/v1/audience?" + tt.query).ok()
		for key, want := range tt.want {
			if got, there := a.json()[key]; !there || got != want {
				t.Errorf("%s: %s is %v, want %v", tt.query, key, got, want)
			}
		}
	}
	// It tells of nothing that is not the asker's to change.
	for query, status := range map[string]int{
		"timelines=group:chefs": 403, "timelines=group:nobodys": 422, "timelines=user&post=" + theirs: 404, "timelines=user&post=" + public: 403,
		"timelines=user&post=4711": 404, "timelines=user&post=x": 404, "timelines=": 422, "": 422, "status=private&group=chefs": 403,
		"status=private&group=bobby": 404, "status=private&group=nobodys": 404, "status=secret": 422, "status=fyeo&group=cooks": 422,
		"timelines=direct:nobody-here": 422, "timelines=user,direct:bobby": 422, "timelines=direct:alice": 422,
	} {
		if a := alice.get("/api/v1/audience?" + query); a.status != status {
			t.Errorf("%s: %d, want %d: %s", query, a.status, status, a.body)
		}
	}
	if a := b.anybody().get("/api/v1/audience?timelines=user"); a.status != 401 {
		t.Errorf("nobody asks: %d", a.status)
	}
}
