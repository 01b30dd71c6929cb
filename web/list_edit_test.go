package web_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shows fails the test unless the page has exactly these posts, newest first. A text is the name
// of its post.
func (c *client) shows(page string, want ...string) {
	c.b.t.Helper()
	got := []string{}
	entries, _ := c.get(page).ok().at("entries").([]any)
	for _, e := range entries {
		got = append(got, at(e, "text").(string))
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		c.b.t.Errorf("%s (-want +got):\n%s", page, diff)
	}
}

func TestListsByAPI(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david")
	alice, bobby, carol := b.as("alice"), b.as("bobby"), b.as("carol")
	carol.send("POST", "/api/v1/groups", object{"group": object{"name": "kitchen", "display_name": "Kitchen"}}).ok()
	bobby.post("of bobby", "user")
	carol.post("in the kitchen", "group:kitchen")
	davids := b.as("david").post("of david", "user")
	carol.send("POST", "/api/v1/posts/"+davids+"/likes", nil).ok()

	made := alice.send("POST", "/api/v1/lists", object{"name": " Cats & co "}).ok()
	list := "/api/v1/lists/" + made.id("list", "id")
	if made.at("list", "name") != "Cats & co" || made.at("list", "url") != "/list/Cats%20&%20co" {
		t.Errorf("made %s", made.body)
	}
	page := "/list/cats%20%26%20co.json"
	alice.shows(page)
	alice.send("POST", list+"/members", object{"name": "bobby"}).result("added")
	alice.shows(page, "of bobby")
	alice.send("POST", list+"/members", object{"name": "@Carol"}).result("added")
	alice.shows(page, "of david", "of bobby")
	alice.send("POST", list+"/members.json", object{"name": "kitchen"}).result("added")
	alice.shows(page, "of david", "in the kitchen", "of bobby")
	alice.send("POST", "/api/v1/users/carol/mute", object{"likes": true}).result("muted")
	alice.shows(page, "in the kitchen", "of bobby")
	alice.send("DELETE", "/api/v1/users/carol/mute", nil).result("unmuted")
	alice.send("DELETE", list+"/members", object{"name": "bobby"}).result("removed")
	alice.shows(page, "of david", "in the kitchen")

	all := alice.get("/api/v1/lists").ok()
	want := []any{map[string]any{
		"id": made.at("list", "id"), "name": "Cats & co", "url": "/list/Cats%20&%20co", "user_ids": []any{float64(b.ids["carol"])}, "private_ids": []any{}, "group_ids": []any{1.0},
	}}
	if diff := cmp.Diff(any(want), all.at("lists")); diff != "" || all.at("users", numberOf(b.ids["carol"]), "name") != "carol" || all.at("groups", "1", "name") != "kitchen" {
		t.Errorf("%s (-want +got):\n%s", all.body, diff)
	}
	if a := alice.send("PATCH", list, object{"name": "Dogs"}).ok(); a.at("list", "name") != "Dogs" {
		t.Error(a.body)
	}
	alice.shows("/list/dogs.json", "of david", "in the kitchen")
	if a := alice.get(page); a.status != 404 {
		t.Errorf("by its old name: %d", a.status)
	}

	// For other people the list does not exist.
	for _, a := range []answer{
		bobby.get("/list/dogs.json"), bobby.send("PATCH", list, object{"name": "mine"}), bobby.send("DELETE", list, nil),
		bobby.send("POST", list+"/members", object{"name": "carol"}), bobby.send("DELETE", list+"/members", object{"name": "carol"}),
		alice.send("DELETE", "/api/v1/lists/99", nil), alice.send("DELETE", "/api/v1/lists/x", nil),
	} {
		if a.status != 404 {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	if a := b.visitor().get("/api/v1/lists"); a.status != 401 {
		t.Errorf("a visitor's lists: %d", a.status)
	}
	b.as("david").send("POST", "/api/v1/users/alice/ban", nil).ok()
	for _, tt := range []struct {
		a      answer
		status int
		field  string
	}{
		{alice.send("POST", "/api/v1/lists", object{"name": "DOGS"}), 409, "name"},
		{alice.send("POST", "/api/v1/lists", object{}), 422, "name"},
		{alice.send("POST", "/api/v1/lists", object{"name": 5}), 422, "name"},
		{alice.send("PATCH", list, object{"name": "a/b"}), 422, "name"},
		{alice.send("POST", list+"/members", object{"name": "no-such-name"}), 422, "name"},
		{alice.send("POST", list+"/members", object{"name": "david"}), 422, "name"}, // david banned her
		{alice.send("POST", list+"/members", object{"name": "bobby", "private": true}), 403, ""},
		{alice.send("POST", list+"/members", object{"name": "kitchen", "private": true}), 422, "name"},
		{alice.send("POST", list+"/members", object{"name": "bobby", "private": "perhaps"}), 422, "private"},
		{alice.send("POST", "/api/v1/users/kitchen/mute", nil), 404, ""},
		{alice.send("POST", "/api/v1/users/bobby/mute", object{"likes": false}), 422, "likes"},
	} {
		if tt.a.status != tt.status || tt.field != "" && tt.a.at("fields", tt.field) == nil {
			t.Errorf("%d %s, want %d of %q", tt.a.status, tt.a.body, tt.status, tt.field)
		}
	}
	alice.send("DELETE", list, nil).result("deleted")
	if a := alice.get("/list/dogs"); a.status != 404 {
		t.Errorf("a deleted list: %d", a.status)
	}
}

func TestListsWithoutScript(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, settings := b.browser("alice"), "/settings/lists"
	bobbys := b.as("bobby").post("of bobby", "user")
	alice.form("POST", "/api/v1/lists.json", "name", "Cats", "return_to", settings).leadsTo(settings)
	list := "/api/v1/lists/1"
	alice.get(settings).offers("POST "+list+"/members.json", "PATCH "+list+".json", "DELETE "+list+".json").says("Cats", "empty")
	alice.get("/bobby").offers("POST " + list + "/members.json").says("Add to “Cats”")
	alice.form("POST", list+"/members.json", "name", "bobby", "return_to", "/bobby").leadsTo("/bobby")
	alice.get("/bobby").offers("DELETE " + list + "/members.json").says("Remove from “Cats”")
	if page := alice.get("/list/Cats").html(); !strings.Contains(page, `href="/settings/lists#l-1"`) {
		t.Error("the list's page does not lead to where it is edited")
	}
	alice.get("/list/Cats").says("of bobby")
	alice.menu("/list/Cats", "bobby", bobbys).offers("DELETE " + list + "/members.json").says("and is in this list")
	if nav := alice.get("/").html(); !strings.Contains(nav, `href="/list/Cats"`) {
		t.Error("her lists are not in the navigation")
	}

	// The problem stands beside the field, in the form that was sent, with the typed text.
	for _, tt := range []struct {
		a      answer
		status int
		says   []string
	}{
		{alice.form("POST", "/api/v1/lists.json", "name", "CATS", "return_to", settings), 409, []string{`value="CATS"`, "already taken"}},
		{alice.form("POST", "/api/v1/lists.json", "name", "a/b", "return_to", settings), 422, []string{`value="a/b"`, "without slashes"}},
		{alice.form("POST", list+"/members.json", "name", "no-such-name", "return_to", settings), 422, []string{`value="no-such-name"`, "There is no one by that name."}},
		{alice.form("POST", list+"/members.json", "name", "bobby", "private", "1", "return_to", settings), 403, []string{`value="bobby"`, "read this feed."}},
		{alice.form("POST", list+".json", "_method", "PATCH", "name", "..", "return_to", settings), 422, []string{`value=".."`, "without slashes"}},
	} {
		if tt.a.status != tt.status {
			t.Errorf("%d, want %d", tt.a.status, tt.status)
		}
		for _, words := range tt.says {
			if !strings.Contains(tt.a.body, words) {
				t.Errorf("%d does not say %q", tt.a.status, words)
			}
		}
	}
	alice.press("PATCH", list+".json", "name", "Кошки", "return_to", settings).leadsTo(settings)
	alice.get("/list/%D0%BA%D0%BE%D1%88%D0%BA%D0%B8").says("of bobby")
	alice.press("DELETE", list+"/members.json", "name", "bobby", "return_to", "/list/%D0%9A%D0%BE%D1%88%D0%BA%D0%B8#p"+bobbys)
	if page := alice.get("/list/Кошки").html(); strings.Contains(page, "of bobby") {
		t.Error("bobby was removed from the list, and is there")
	}
	alice.press("DELETE", list+".json", "return_to", settings).leadsTo(settings)
	if a := b.visitor().get("/list/x"); a.status != 401 && a.status != 303 {
		t.Errorf("a list that does not exist: %d", a.status)
	}
}
