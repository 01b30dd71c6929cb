package web_test

import (
	"strings"
	"testing"
)

// TestSuspension: an administrator suspends a person by the form, and restores the person by the button. Meanwhile nobody
// finds what the person wrote, on no page, and an open page loses it.
func TestSuspension(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "chloe") // alice administers the site
	alice, bobby, chloe := b.browser("alice"), b.as("bobby"), b.as("chloe")
	const form = "/settings/suspensions?form=suspend"
	own := bobby.post("cheap watches", "user")
	theirs := chloe.post("a walk on the dike", "user")
	comment := bobby.comment(theirs, "buy cheap watches")
	bobby.send("POST", "/api/v1/posts/"+theirs+"/likes.json", object{}).ok()
	if page := alice.get("/bobby").html(); !strings.Contains(page, `href="/settings/suspensions?name=bobby"`) {
		t.Error("the menu about a person leads no administrator to the form")
	}
	if page := chloe.get("/bobby").body; strings.Contains(page, "suspensions") {
		t.Error("the menu leads a person to the form who is no administrator")
	}
	if page := alice.get("/settings/suspensions?name=bobby").html(); !strings.Contains(page, `value="bobby"`) {
		t.Error("the form does not have the name of the link")
	}
	// the places where a reader could find something of Bobby's
	shown := func(c *client) (found []string) {
		for _, path := range []string{"/", "/chloe", "/chloe/" + theirs, "/chloe/" + theirs + "/likes", "/filter/everything", "/s?q=watches", "/bobby", "/bobby/" + own,
			"/chloe/" + theirs + ".json", "/filter/everything.json", "/chloe.atom", "/filter/everything.atom"} {
			a := c.get(path)
			if strings.Contains(a.body, "cheap watches") || strings.Contains(a.body, `class="card" href="/bobby"`) {
				found = append(found, path)
			}
		}
		return found
	}
	if before := shown(chloe); len(before) < 8 {
		t.Fatalf("before, only %v show what Bobby wrote", before)
	}
	for name, test := range map[string]struct{ name, says string }{
		"a name that is free": {"zoe", "There is no one called zoe"},
		"their own name":      {"alice", "That is you."},
	} {
		if a := alice.form("POST", form, "suspension[name]", test.name, "suspension[reason]", "spam & more"); a.status != 422 || !strings.Contains(a.body, test.says) || !strings.Contains(a.body, "spam &amp; more") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}

	alice.form("POST", form, "suspension[name]", "Bobby", "suspension[reason]", "spam").leadsTo("/settings/suspensions")
	page := alice.get("/settings/suspensions").html()
	if !strings.Contains(page, "@alice suspended @bobby.") || !strings.Contains(page, "spam") || !strings.Contains(page, "/api/v1/suspensions/bobby.json") {
		t.Errorf("the page does not tell of the suspension:\n%s", page)
	}
	for name, c := range map[string]*client{"a visitor": b.visitor(), "Chloe": chloe, "an administrator": b.as("alice")} {
		if found := shown(c); len(found) > 0 {
			t.Errorf("%s finds what Bobby wrote: %v", name, found)
		}
	}
	if a := chloe.send("POST", "/api/v1/posts/"+theirs+"/comments/"+comment+"/like.json", object{}); a.status != 404 {
		t.Errorf("a like of the comment answers %d", a.status)
	}
	if a := bobby.get("/api/v1/whoami.json"); a.status != 401 {
		t.Errorf("the token of the suspended person answers %d", a.status)
	}
	stranger := b.visitor()
	stranger.accept = "text/html"
	for password, want := range map[string]string{"password of bobby": "suspended", "password of chloe": "bad_credentials"} {
		if a := b.visitor().send("POST", "/users/sign_in", object{"user": object{"email": "bobby", "password": password}}); a.at("code") != want {
			t.Errorf("a sign-in with the %s answers %d %s", password, a.status, a.body)
		}
	}
	if a := stranger.form("POST", "/users/sign_in", "user[email]", "bobby", "user[password]", "password of bobby"); a.status != 403 || !strings.Contains(a.body, "This account is suspended.") {
		t.Errorf("the page for signing in answers %d %s", a.status, a.body)
	}
	if count, _ := chloe.get("/chloe/"+theirs+".json").at("entries", 0, "comments_count").(float64); count != 0 {
		t.Errorf("the post counts %v comments", count)
	}
	if list := b.as("alice").get("/api/v1/suspensions.json").ok(); list.at("suspensions", 0, "name") != "bobby" || list.at("suspensions", 0, "reason") != "spam" || list.at("suspensions", 0, "by") != "alice" {
		t.Errorf("the API lists %s", list.body)
	}
	for what, a := range map[string]answer{
		"the list":      chloe.get("/api/v1/suspensions.json"),
		"a suspension":  chloe.send("POST", "/api/v1/suspensions.json", object{"suspension": object{"name": "alice"}}),
		"a restoration": chloe.send("DELETE", "/api/v1/suspensions/bobby.json", nil),
		"the page":      b.browser("chloe").get("/settings/suspensions"),
	} {
		if a.status != 403 {
			t.Errorf("%s for a person who is no administrator: %d", what, a.status)
		}
	}

	alice.form("POST", "/api/v1/suspensions/bobby.json", "_method", "DELETE", "return_to", "/settings/suspensions").leadsTo("/settings/suspensions")
	if page := alice.get("/settings/suspensions").html(); !strings.Contains(page, "@alice restored @bobby.") || strings.Contains(page, "/api/v1/suspensions/bobby.json") {
		t.Errorf("the page does not tell of the restoration:\n%s", page)
	}
	if after := shown(chloe); len(after) < 8 {
		t.Errorf("afterwards only %v show what Bobby wrote", after)
	}
	bobby.get("/api/v1/whoami.json").ok()
}
