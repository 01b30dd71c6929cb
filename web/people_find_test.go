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
	visitor := b.anybody()
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
	b.as("bobby").send("POST", "/api/v1/users/alison/ban", nil).ok()
	if a := b.as("alison").get("/filter/people.json?q=bobby").ok(); len(a.at("found_users").([]any)) != 0 {
		t.Errorf("found across a ban: %s", a.body)
	}
}
