package web_test

import (
	"fmt"
	"strings"
	"testing"
)

// whys are the reasons of the first entry of a page, by their words.
func (c *client) whys(page string) map[string]map[string]any {
	c.b.t.Helper()
	all, _ := c.get(page).ok().at("entries", 0, "why").([]any)
	told := map[string]map[string]any{}
	for _, w := range all {
		undo, _ := at(w, "undo").(map[string]any)
		told[at(w, "text").(string)] = undo
	}
	return told
}

// undoes sends the form by which a reason can be undone.
func (c *client) undoes(page, text string) {
	c.b.t.Helper()
	undo, is := c.whys(page)[text]
	if !is || undo == nil {
		c.b.t.Fatalf("%s does not undo %q but %v", page, text, c.whys(page))
	}
	c.send(undo["method"].(string), undo["path"].(string), undo["body"]).ok()
}

// Each reason is told, and once the last is undone the entry is gone.
func TestWhyByAPI(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david")
	alice, bobby, carol := b.as("alice"), b.as("bobby"), b.as("carol")
	bobby.send("POST", "/api/v1/groups", object{"group": object{"name": "kitchen", "display_name": "Kitchen"}}).ok()
	for _, feed := range []string{"users/bobby", "users/carol", "groups/kitchen"} {
		alice.send("POST", "/api/v1/"+feed+"/subscribers", nil).ok()
	}
	post := bobby.post("here", "user", "group:kitchen")
	carol.send("POST", "/api/v1/posts/"+post+"/likes", nil).ok()
	carol.comment(post, "so it is")
	home := "/index.json?why=1"
	if a := alice.get("/index.json"); strings.Contains(a.body, `"why"`) {
		t.Error("the reasons are told unasked")
	}
	if a := b.visitor().get("/bobby.json?why=1"); strings.Contains(a.body, `"why"`) {
		t.Error("the reasons are not shown to alice")
	}
	reasons := []string{
		"You subscribe to Bobby.", "You are a member of Kitchen.", "Carol liked it.", "Carol commented on it.",
	}
	for i, text := range reasons {
		if told := alice.whys(home); len(told) != len(reasons)-i {
			t.Errorf("before %q is undone: %v", text, told)
		}
		alice.shows("/index.json", "here")
		alice.undoes(home, text)
	}
	alice.shows("/index.json")
	// The post is still on its own page.
	alice.shows("/bobby.json", "here")

	alice.post("mine", "user")
	alice.shows("/index.json", "mine")
	alice.undoes(home, "It is your own post.")
	alice.shows("/index.json")
	alice.shows("/alice.json", "mine")
	me := "/api/v1/users/" + numberOf(b.ids["alice"])
	if a := alice.get("/api/v1/users/alice"); a.at("own_posts") != false {
		t.Errorf("her own posts at home: %s", a.body)
	}
	if a := bobby.get("/api/v1/users/alice"); a.at("own_posts") != nil {
		t.Errorf("that is told to others: %s", a.body)
	}
	if a := alice.send("PATCH", me, object{"user": object{"own_posts": true}}).ok(); a.at("user", "own_posts") != true {
		t.Error(a.body)
	}
	alice.shows("/index.json", "mine")
	if a := alice.send("PATCH", me, object{"user": object{"own_posts": "perhaps"}}); a.status != 422 || a.at("fields", "own_posts") == nil {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// The answer to an undo says what became of the entry in the river on the screen.
func TestWhyUndoneOnTheScreen(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol := b.as("alice"), b.as("bobby"), b.as("carol")
	alice.send("POST", "/api/v1/users/bobby/subscribers", nil).ok()
	alice.send("POST", "/api/v1/users/carol/subscribers", nil).ok()
	post := bobby.post("here", "user")
	carol.send("POST", "/api/v1/posts/"+post+"/likes", nil).ok()
	mine := alice.post("mine", "user")
	list := "/api/v1/lists/" + alice.send("POST", "/api/v1/lists", object{"name": "cats"}).ok().id("list", "id")
	alice.send("POST", list+"/members", object{"name": "bobby"}).ok()

	alice.header.Set("X-Amstel-As", "html")
	told := 0 // answers with the state of the river
	for _, step := range []struct {
		page, method, path string
		fields             []string
		post, stays        string
	}{
		{"/index.json", "POST", "/api/v1/users/bobby/subscribers.json", []string{"_method", "DELETE"}, post, "liked this"},
		{"/index.json", "POST", "/api/v1/users/carol/mute.json", []string{"likes", "1"}, post, ""},
		{"/index.json", "POST", "/api/v1/users/" + numberOf(b.ids["alice"]) + ".json", []string{"_method", "PATCH", "user[own_posts]", "0"}, mine, ""},
		{"/list/cats.json", "POST", list + "/members.json", []string{"_method", "DELETE", "name", "bobby"}, post, ""},
	} {
		alice.header.Set("X-River-Signature", alice.get(step.page).at("river", "uuid").(string))
		a := alice.form(step.method, step.path, append(step.fields, "post", step.post)...).ok()
		// A node that is slow answers from the primary, which has no state of the river.
		if a.at("epoch") != nil && a.at("counter") != nil {
			told++
		}
		html, _ := a.at("html", step.post).(string)
		gone := fmt.Sprint(a.at("gone"))
		if step.stays == "" && gone != fmt.Sprint([]any{number(t, step.post)}) || step.stays != "" && !strings.Contains(html, step.stays) {
			t.Errorf("%s %s: %s, want %q left of %s", step.page, step.path, a.body, step.stays, step.post)
		}
	}
	if told == 0 {
		t.Error("no answer tells the state of the river")
	}
	// A parameter that names no post of any page does not stop the action.
	for _, post := range []string{"", "x", "-5", "999999"} {
		alice.form("POST", "/api/v1/users/bobby/mute.json", "post", post).ok()
	}
}

func TestWhyWithoutScript(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby := b.browser("alice"), b.as("bobby")
	b.as("alice").send("POST", "/api/v1/users/bobby/subscribers", nil).ok()
	post := b.as("carol").post("of carol", "user")
	bobby.send("POST", "/api/v1/posts/"+post+"/likes", nil).ok()
	alice.get("/").says("of carol", "Bobby liked this")
	alice.menu("/", "carol", post).offers("POST /api/v1/users/bobby/mute.json").says("Mute the likes of Bobby")
	alice.form("POST", "/api/v1/users/bobby/mute.json", "likes", "1", "post", post, "return_to", "/#p"+post).leadsTo("/#p" + post)
	if page := alice.get("/").html(); strings.Contains(page, "of carol") {
		t.Error("bobby's likes are muted, and a post that bobby likes is at home")
	}
	people := "/settings/people"
	alice.get(people).offers("DELETE /api/v1/users/bobby/mute.json").says("Muted", "Unmute likes")
	alice.press("DELETE", "/api/v1/users/bobby/mute.json", "likes", "1", "return_to", people).leadsTo(people)
	alice.get(people).says("muted anyone.")
	alice.get("/").says("of carol")

	look := "/settings/appearance"
	alice.get(look).says("Hide my own posts")
	alice.form("POST", look+"?form=appearance", "user[own_posts]", "false", "user[was][own_posts]", "true").leadsTo(look)
	if fields := alice.get(look).fields(look + "?form=appearance"); fields.Get("user[was][own_posts]") != "false" {
		t.Errorf("the form has %v", fields)
	}
}
