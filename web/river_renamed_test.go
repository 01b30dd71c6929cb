package web_test

import (
	"strings"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/web"
)

func TestRenaming(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, visitor := b.as("alice"), b.as("bobby"), b.visitor()
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	alice.send("POST", "/api/v1/users/carol/ban", nil).ok()
	carol := b.as("carol")
	post := alice.post("soup", "user", "group:cooks")
	for _, c := range []*client{alice, bobby, visitor} {
		for _, path := range []string{"/alice", "/alice.json", "/alice/" + post, "/alice/" + post + ".json", "/cooks", "/cooks/" + post, "/alice/likes"} {
			c.get(path).ok()
		}
	}

	if a := alice.rename("1", "alicia").ok(); a.at("user", "name") != "alicia" {
		t.Error(a.body)
	}
	for _, c := range []*client{alice, bobby, visitor} {
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
	// An address may have either of her names.
	bobby.send("POST", "/api/v1/users/alice/subscribers", nil).result("subscribed")
	if a := bobby.get("/api/v1/users/alice").ok(); a.at("name") != "alicia" {
		t.Error(a.body)
	}
	if a := alice.get("/api/v1/whoami").ok(); a.at("user", "name") != "alicia" {
		t.Error(a.body)
	}
	// No other account can take the old name; alice can take it back.
	if a := bobby.rename("2", "alice"); a.status != 409 || a.at("fields", "name") == nil {
		t.Errorf("another account takes an old name: %d %s", a.status, a.body)
	}
	alice.rename("1", "alice").ok()
	for _, c := range []*client{alice, bobby, visitor} {
		c.get("/alicia").movedTo("/alice")
		c.get("/alice").html()
	}

	// A private account, and a group.
	alice.send("PATCH", "/api/v1/users/1", object{"user": object{"status": "private", "name": "alicia"}}).ok()
	visitor.get("/alice").movedTo("/alicia")
	if a := visitor.get("/alicia"); a.status != 200 {
		t.Errorf("a private account: %d", a.status)
	}
	if a := alice.send("PATCH", "/api/v1/groups/cooks", object{"group": object{"name": "chefs"}}).ok(); a.at("name") != "chefs" {
		t.Error(a.body)
	}
	bobby.get("/cooks.json?page=2").movedTo("/chefs.json?page=2")
	bobby.get("/cooks/" + post).movedTo("/chefs/" + post)
	bobby.get("/chefs").html()
}

// TestRenamedElsewhere lets names change in the primary, with this node told by
// the log alone, as another node's writes come here.
func TestRenamedElsewhere(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	b := setupOn(t, pool, web.Config{}, "warden", "alice", "bobby")
	other := setupOn(t, pool, web.Config{})
	visitor, bobby := other.visitor(), b.as("bobby")
	bobby.b = other
	visitor.get("/alice").html()
	visitor.get("/api/v1/users/alice").ok()
	bobby.get("/alice").html()

	alice := b.as("alice")
	alice.rename("2", "alicia").ok()
	settles(t, func() bool { return visitor.get("/alice").status == 301 && bobby.get("/alice").status == 301 })
	visitor.get("/alice.json").movedTo("/alicia.json")
	visitor.get("/alicia").html()
	settles(t, func() bool { return visitor.get("/api/v1/users/alice").at("name") == "alicia" })

	b.session("alice").send("DELETE", "/api/v1/users/2", object{"password": "password of alice"}).ok()
	settles(t, func() bool { return visitor.get("/alicia").status == 404 && bobby.get("/alicia.json").status == 404 })
	settles(t, func() bool { return visitor.get("/api/v1/users/alicia").status == 404 })
	for _, path := range []string{"/alice", "/alicia/likes", "/alicia/subscribers", "/alice.json"} {
		if a := visitor.get(path); a.status != 404 {
			t.Errorf("%s of a deleted account: %d", path, a.status)
		}
	}
}
