package web_test

import (
	"strings"
	"testing"
)

// TestApplicantsByPageAndAPI: people sign up and wait, administrators accept and refuse them, and they are told when they sign in.
func TestApplicantsByPageAndAPI(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, admin := b.as("alice"), b.browser("alice")
	alice.send("PATCH", "/api/v1/site.json", object{"site": object{"registration": "approval"}}).ok()
	stranger := b.visitor()
	stranger.http.Jar, stranger.accept = &jar{}, "text/html"
	settles(t, func() bool { return strings.Contains(stranger.get("/users/sign_up").html(), `name="user[about]"`) })
	form := func(about string) answer {
		return stranger.form("POST", "/users/sign_up", "user[name]", "carla", "user[email]", "carla@example.org", "user[display_name]", "Carla",
			"user[password]", "correct horse", "user[about]", about)
	}
	if a := form(""); a.status != 422 || !strings.Contains(a.body, `id="user-about-problem"`) {
		t.Errorf("without a reason the form answers %d", a.status)
	}
	if a := form("I like <bridges>"); a.status != 200 || !strings.Contains(a.body, "Your account waits for an administrator") {
		t.Errorf("the form answers %d %s", a.status, a.body)
	}
	program := object{"user": object{"name": "dirk", "email": "dirk@example.org", "password": "correct horse", "about": "me too"}}
	if a := b.visitor().send("POST", "/api/v1/users.json", program); a.status != 403 || a.at("code") != "waiting" {
		t.Errorf("the API answers %d %s", a.status, a.body)
	}
	signIn := func(name string) answer {
		return b.visitor().send("POST", "/users/sign_in", object{"user": object{"login": name, "password": "correct horse"}})
	}
	if a := signIn("carla"); a.status != 403 || a.at("code") != "waiting" {
		t.Errorf("the sign-in of an applicant answers %d %s", a.status, a.body)
	}
	if a := stranger.form("POST", "/users/sign_in", "user[email]", "carla", "user[password]", "correct horse"); a.status != 403 || !strings.Contains(a.body, "Your account waits") {
		t.Errorf("the page for signing in answers %d", a.status)
	}
	if a := b.visitor().get("/carla"); a.status != 404 {
		t.Errorf("the page of an applicant answers %d", a.status)
	}
	for what, a := range map[string]answer{
		"the list":   b.as("bobby").get("/api/v1/applicants.json"),
		"the page":   b.browser("bobby").get("/settings/applicants"),
		"a decision": b.as("bobby").send("PATCH", "/api/v1/applicants/1.json", object{"applicant": object{"accept": true}}),
	} {
		if a.status != 403 {
			t.Errorf("%s for a person who is no administrator: %d", what, a.status)
		}
	}
	if page := admin.get("/settings/applicants").html(); !strings.Contains(page, "I like &lt;bridges&gt;") || !strings.Contains(page, "@dirk") {
		t.Errorf("the page lacks an applicant:\n%s", page)
	}
	if n := alice.get("/admin.json").ok().at("numbers", "applicants"); n != float64(2) {
		t.Errorf("%v wait at /admin", n)
	}
	list := alice.get("/api/v1/applicants.json").ok()
	if list.at("applicants", 0, "name") != "carla" || list.at("applicants", 1, "about") != "me too" {
		t.Errorf("the API lists %s", list.body)
	}
	alice.send("PATCH", "/api/v1/applicants/2.json", object{"applicant": object{"reason": "a club"}}).ok()
	admin.form("POST", "/api/v1/applicants/1.json", "_method", "PATCH", "applicant[accept]", "1", "return_to", "/settings/applicants").leadsTo("/settings/applicants")
	if a := signIn("dirk"); a.status != 403 || a.at("code") != "refused" || !strings.Contains(a.body, "a club") {
		t.Errorf("the sign-in of a refused applicant answers %d %s", a.status, a.body)
	}
	signIn("carla").ok()
	b.visitor().get("/carla").html()
	if page := admin.get("/settings/suspensions").html(); !strings.Contains(page, "@alice accepted @carla.") || !strings.Contains(page, "@dirk: a club") {
		t.Errorf("the journal lacks the decisions:\n%s", page)
	}
	if page := admin.get("/settings/applicants").html(); !strings.Contains(page, "No one waits.") {
		t.Errorf("someone still waits:\n%s", page)
	}
}
