package web_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestSignUpByLink: on a site that takes only people with a link a member makes one by the form, sees it once, and a stranger signs
// up with it.
func TestSignUpByLink(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby") // alice administers the site
	b.as("alice").send("PATCH", "/api/v1/site.json", object{"site": object{"registration": "link"}}).ok()
	if err := b.node.WaitApplied(t.Context()); err != nil {
		t.Fatal(err)
	}
	stranger := b.visitor()
	stranger.accept = "text/html"
	if page := stranger.get("/users/sign_up").html(); strings.Contains(page, `name="user[name]"`) || !strings.Contains(page, "New people need a link here.") {
		t.Errorf("without a link the page shows:\n%s", page)
	}
	if page := stranger.get("/users/sign_up?link=wrong").html(); strings.Contains(page, `name="user[name]"`) || !strings.Contains(page, "This link was used up") {
		t.Errorf("with a wrong link the page shows:\n%s", page)
	}
	bobby := b.browser("bobby")
	if a := bobby.form("POST", "/settings/invite?form=link", "link[uses]", "many", "link[days]", "7"); a.status != 422 || !strings.Contains(a.body, `value="many"`) {
		t.Errorf("a link for many people: %d", a.status)
	}
	bobby.form("POST", "/settings/invite?form=link", "link[uses]", "1", "link[days]", "7").leadsTo("/settings/invite")
	page := bobby.get("/settings/invite").html()
	found := regexp.MustCompile(`/users/sign_up\?link=[A-Za-z0-9_-]+`).FindString(page)
	if found == "" || !strings.Contains(page, "0 of 1 people signed up.") {
		t.Fatalf("the page of links:\n%s", page)
	}
	if again := bobby.get("/settings/invite").html(); strings.Contains(again, found) {
		t.Error("the link is shown twice")
	}
	_, secret, _ := strings.Cut(found, "link=")
	if page := stranger.get(found).html(); !strings.Contains(page, `name="user[link]" value="`+secret+`"`) {
		t.Errorf("the form:\n%s", page)
	}
	fields := []string{"user[name]", "newcomer", "user[email]", "newcomer@example.org", "user[password]", "correct horse", "user[display_name]", "New", "user[link]"}
	if a := stranger.form("POST", "/users/sign_up", append(fields, "wrong")...); a.status != 422 || !strings.Contains(a.body, "This link was used up") {
		t.Errorf("with a wrong link the form is answered %d %s", a.status, a.body)
	}
	stranger.form("POST", "/users/sign_up", append(fields, secret)...).leadsTo("/")
	if page := bobby.get("/settings/invite").html(); !strings.Contains(page, `href="/newcomer"`) || !strings.Contains(page, "You have no links that work.") {
		t.Errorf("afterwards the page of links:\n%s", page)
	}
	if a := b.visitor().send("POST", "/api/v1/users.json", object{"user": object{"name": "another", "email": "another@example.org", "password": "correct horse"}}); a.status != 403 || a.at("code") != "registration_by_link" {
		t.Errorf("the API answers %d %s", a.status, a.body)
	}
	bobby.form("POST", "/settings/invite?form=link", "link[uses]", "2", "link[days]", "30").leadsTo("/settings/invite")
	bobby.accept = "application/json"
	list := bobby.get("/api/v1/sign_up_links.json").ok()
	if list.at("links", 0, "uses") != 2.0 || list.at("came", 0) != "newcomer" {
		t.Errorf("the API lists %s", list.body)
	}
}
