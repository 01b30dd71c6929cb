package web_test

import (
	"strings"
	"testing"

	"amstel.dev/amstel/internal/racetest"
)

// TestModeratorsReadAndDeleteAcrossBans: an administrator of a group is shown at once that a person
// across a ban commented, reads the comment on a page of its own, deletes the comment with the button
// there, and takes a post across the ban out of the group.
func TestModeratorsReadAndDeleteAcrossBans(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby", "chloe")
	alice, program, bobby := b.browser("alice"), b.as("alice"), b.as("bobby")
	program.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	bobby.send("POST", "/api/v1/groups/cooks/subscribers", nil).ok()
	b.as("chloe").send("POST", "/api/v1/groups/cooks/subscribers", nil).ok()
	inGroup := bobby.post("a <recipe>", "group:cooks")
	post := b.as("chloe").post("our soup", "group:cooks")
	path := "/chloe/" + post
	program.send("POST", "/api/v1/users/bobby/ban", nil).result("banned")
	shown := program.get(path).html()
	open, _, ok := program.open(attribute(shown, "data-page"), attribute(shown, "data-river"), "html")
	if !ok {
		t.Fatal("the socket of the page is refused")
	}

	comment := bobby.comment(post, "cheap watches")
	told := open.until("across_bans")
	if !strings.Contains(told, "Comments by 1 person are hidden by a ban. Show") || strings.Contains(told, "cheap watches") || strings.Contains(told, "bobby") {
		t.Errorf("the open page is sent %s", told)
	}
	if n := program.get(path+".json").ok().at("entries", 0, "commenters_across_bans"); n != 1.0 {
		t.Errorf("the API tells of %v people, want 1", n)
	}
	if a := b.as("chloe").get(path + ".json").ok(); strings.Contains(a.body, "commenters_across_bans") {
		t.Error("the API tells a person without bans of people across bans")
	}
	page := alice.get(path + "/across_bans").html()
	for _, want := range []string{"cheap watches", "@bobby", "/comments/" + comment + ".json", "Other people see them as before."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "our soup") {
		t.Error("the page shows the post, which is on its own page")
	}
	alice.form("POST", "/api/v1/posts/"+post+"/comments/"+comment+".json", "_method", "DELETE", "return_to", path+"/across_bans").leadsTo(path + "/across_bans")
	if page := alice.get(path + "/across_bans").html(); strings.Contains(page, "cheap watches") || !strings.Contains(page, "A ban hides no comments here from you.") {
		t.Errorf("after the deletion the page has:\n%s", page)
	}
	if told := open.until("patch"); strings.Contains(told, "across_bans") {
		t.Errorf("after the deletion the open page is sent %s", told)
	}

	page = alice.get("/cooks/across_bans").html()
	for _, want := range []string{"a &lt;recipe&gt;", "@bobby", "Remove from Cooks", "Block @bobby from the group"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the group has no %q:\n%s", want, page)
		}
	}
	if page := alice.get("/cooks/edit").html(); !strings.Contains(page, `href="/cooks/across_bans"`) {
		t.Error("the form for the group does not lead to the page")
	}
	alice.form("POST", "/api/v1/posts/"+inGroup+"/groups/cooks.json", "_method", "DELETE", "return_to", "/cooks/across_bans").leadsTo("/cooks/across_bans")
	alice.form("POST", "/api/v1/groups/cooks/exclusions/bobby.json", "return_to", "/cooks/across_bans").leadsTo("/cooks/across_bans")
	if page := alice.get("/cooks/across_bans").html(); !strings.Contains(page, "A ban hides no posts in this group from you.") {
		t.Errorf("after that the page has:\n%s", page)
	}
	if page := alice.get("/cooks/edit").html(); !strings.Contains(page, "@bobby") {
		t.Error("the group does not block the person")
	}
	for _, c := range []*client{b.browser("chloe"), b.browser("bobby")} {
		if a := c.get("/cooks/across_bans"); a.status != 403 {
			t.Errorf("the page of the group for a member: %d, want 403", a.status)
		}
	}
	if a := b.browser("bobby").get(path + "/across_bans"); a.status != 404 {
		t.Errorf("the page of the post for the commenter: %d, want 404", a.status)
	}
	if a := alice.get(path + "/across_bans?after=x"); a.status != 422 && a.status != 400 {
		t.Errorf("a bad query: %d", a.status)
	}
}
