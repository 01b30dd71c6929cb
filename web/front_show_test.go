package web_test

import (
	"strings"
	"testing"
)

// TestFrontPageShowsItsPeopleAndGroups: the front page shows visitors the people and groups of its posts, and no
// others.
func TestFrontPageShowsItsPeopleAndGroups(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david")
	alice := b.as("alice")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "kitchen", "display_name": "The Kitchen", "description": "Bread and soup."}}).ok()
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cellar", "status": "private"}}).ok()
	alice.post("bread", "group:kitchen")
	alice.post("wine", "group:cellar")
	post := b.as("bobby").post("good morning", "user")
	b.as("carol").send("POST", "/api/v1/posts/"+post+"/comments", object{"comment": object{"text": "and to you"}}).ok()
	visitor := b.visitor()
	visitor.accept = "text/html"
	front := visitor.get("/").html()
	head, _, _ := strings.Cut(front, `<div id="river"`)
	for _, want := range []string{`href="/alice"`, `href="/bobby"`, `href="/carol"`, `href="/kitchen"`, "Bread and soup.", "1 member"} {
		if !strings.Contains(head, want) {
			t.Errorf("the front page does not show %s", want)
		}
	}
	for _, hidden := range []string{"david", "cellar"} {
		if strings.Contains(front, hidden) {
			t.Errorf("the front page shows %s", hidden)
		}
	}
	if n := strings.Count(head, `class="button primary" href="/users/sign_up"`); n != 1 {
		t.Errorf("%d buttons to sign up", n)
	}
	for _, other := range []string{"/?page=2", "/filter/everything", "/filter/best_of"} {
		if a := visitor.get(other).html(); strings.Contains(a, `class="people"`) {
			t.Errorf("%s is a front page", other)
		}
	}
}
