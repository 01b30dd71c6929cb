package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPeopleAndGroupsAreFound(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "alison", "bobby")
	alice := b.as("alice")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "kitchen", "display_name": "Kitchen", "status": "private"}}).ok()
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "garden", "display_name": "Garden", "description": "by the kitchen"}}).ok()
	b.as("bobby").send("POST", "/api/v1/groups/garden/subscribers", nil).ok()
	visitor := b.visitor()
	a := visitor.get("/filter/people.json?q=ALI").ok()
	if diff := cmp.Diff(any([]any{float64(b.ids["alice"]), float64(b.ids["alison"])}), a.at("found_users")); diff != "" || a.at("users", numberOf(b.ids["alice"]), "name") != "alice" {
		t.Errorf("%s%s", diff, a.body)
	}
	a = visitor.get("/filter/groups.json").ok()
	if a.at("found_groups", 0, "members") != 2.0 || a.at("found_groups", 1, "members") != 1.0 || a.at("groups", formatNumber(a.at("found_groups", 1, "id").(float64)), "status") != "private" {
		t.Errorf("groups %s", a.body)
	}
	if a := visitor.get("/filter/groups.json?q=kitch").ok(); len(a.at("found_groups").([]any)) != 2 {
		t.Errorf("groups %s", a.body)
	}
	for _, path := range []string{"/filter/people.json?q=", "/filter/people.json?q=%21", "/filter/groups.json?page=0", "/filter/groups.json?q=%21"} {
		if a := visitor.get(path); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s answers %d", path, a.status)
		}
	}
	visitor.accept = "text/html"
	for path, says := range map[string]string{
		"/filter/people": "Find", "/filter/people?q=bob": `href="/bobby"`, "/filter/people?q=zzz": "No one by that name", "/filter/groups": "1 member, private",
		"/filter/groups?q=garden": "2 members",
	} {
		if a := visitor.get(path); a.status != http.StatusOK || !strings.Contains(a.body, says) {
			t.Errorf("%s answers %d, and not %q", path, a.status, says)
		}
	}
	if a := visitor.get("/filter/people?q=%21"); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, "find-text") {
		t.Errorf("nonsense answers %d", a.status)
	}
	if a := visitor.get("/filter/people?q=liso"); !strings.Contains(a.body, `href="/alison"`) {
		t.Error("not found by a part of the name")
	}
	b.as("bobby").send("POST", "/api/v1/users/alison/ban", nil).ok()
	if a := b.as("alison").get("/filter/people.json?q=bobby").ok(); len(a.at("found_users").([]any)) != 0 {
		t.Errorf("found across a ban: %s", a.body)
	}
}

// TestDirectoryOfPeople: pages, orders and buttons, and no people across a ban.
func TestDirectoryOfPeople(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david")
	b.as("alice").send("POST", "/api/v1/users/carol/subscribers", nil).ok()
	b.as("bobby").send("POST", "/api/v1/users/carol/subscribers", nil).ok()
	b.as("david").post("news", "user")
	lists := func(who *client, path string, want ...string) {
		t.Helper()
		a, names := who.get(path).ok(), []string{}
		for i := range a.at("found_users").([]any) {
			names = append(names, a.at("users", formatNumber(a.at("found_users", i, "id").(float64)), "name").(string))
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
	lists(b.visitor(), "/filter/people.json", "carol", "alice", "bobby", "david")
	lists(b.visitor(), "/filter/people.json?sort=name", "alice", "bobby", "carol", "david")
	lists(b.visitor(), "/filter/people.json?sort=activity", "david")
	lists(b.visitor(), "/filter/people.json?page=2", []string{}...)
	if a := b.visitor().get("/filter/people.json?sort=shoes"); a.status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown order answers %d", a.status)
	}
	b.as("carol").send("POST", "/api/v1/users/alice/ban", nil).ok()
	lists(b.as("alice"), "/filter/people.json?sort=name", "alice", "bobby", "david")
	lists(b.as("carol"), "/filter/people.json?sort=name", "bobby", "carol", "david")

	bobby := b.browser("bobby")
	bobby.accept = "text/html"
	page := bobby.get("/filter/people?sort=name").html()
	for _, want := range []string{
		`data-then="Subscribed ✓">Subscribe</button>`, `data-then="Subscribe">Subscribed ✓</button>`,
		`aria-current="page">By name`, "1 subscriber", `name="return_to" value="/filter/people?sort=name#u`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the directory has no %s:\n%s", want, page)
		}
	}
	visitor := b.visitor()
	visitor.accept = "text/html"
	if page := visitor.get("/filter/people").html(); strings.Contains(page, "data-then") || strings.Contains(page, "Who to follow") {
		t.Error("a visitor is offered to subscribe")
	}
}
