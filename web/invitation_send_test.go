package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestFormsAreRefusedOnTheirOwnPages: a form with an unknown name comes back under the address
// of its page, with the typed name and a sentence beside it.
func TestFormsAreRefusedOnTheirOwnPages(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	alice.accept = "text/html"
	b.as("alice").send("POST", "/api/v1/groups", object{"group": object{"name": "kitchen"}}).ok()
	list := b.as("alice").send("POST", "/api/v1/lists", object{"name": "friends"}).ok()
	id := formatNumber(list.at("list", "id").(float64))
	for _, tt := range []struct {
		path, action, field, element string
	}{
		{"/settings/people", "/api/v1/users/alice/invitations.json", "to", "invite-feed"},
		{"/settings/people", "/api/v1/users/alice/private/invitations.json", "to", "invite-private"},
		{"/kitchen/edit", "/api/v1/groups/kitchen/invitations.json", "to", "invite"},
		{"/settings/lists", "/api/v1/lists/" + id + "/members.json", "name", "add-" + id},
	} {
		if page := alice.get(tt.path).html(); !strings.Contains(page, `action="`+tt.path+`"`) || !strings.Contains(page, `name="_action" value="`+tt.action+`"`) {
			t.Errorf("%s has no form that does %s", tt.path, tt.action)
		}
		a := alice.form("POST", tt.path, "_action", tt.action, "return_to", tt.path, tt.field, "no-such-body")
		if a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, `id="`+tt.element+`-problem">There is no one by that name.`) ||
			strings.Count(a.body, `value="no-such-body"`) != 1 || strings.Count(a.body, "autofocus") != 1 {
			t.Errorf("%s: %d %s", tt.action, a.status, a.body)
		}
		alice.form("POST", tt.path, "_action", tt.action, "return_to", tt.path, tt.field, "bobby").leadsTo(tt.path)
	}
	// An _action must be a path of the API, and obeys the rules of that path.
	for _, elsewhere := range []string{"/settings/account", "https://evil.example/api/v1/lists", "/api/v1/../../settings"} {
		if a := alice.form("POST", "/settings/lists", "_action", elsewhere, "name", "x"); a.status < 400 {
			t.Errorf("_action %s: %d", elsewhere, a.status)
		}
	}
	visitor := b.visitor()
	visitor.accept = "text/html"
	if a := visitor.form("POST", "/settings/lists", "_action", "/api/v1/lists.json", "name", "x"); a.status != http.StatusUnauthorized {
		t.Errorf("a visitor makes a list: %d", a.status)
	}
}
