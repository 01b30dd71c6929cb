package web_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
)

// html returns a page as a browser gets it. It fails the test if the answer is no page.
func (a answer) html() string {
	a.t.Helper()
	if a.status >= 400 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		a.t.Fatalf("no page: %d %s\n%s", a.status, a.header.Get("Content-Type"), a.body)
	}
	return a.body
}

// leadsTo fails the test unless the answer redirects to the path.
func (a answer) leadsTo(path string) answer {
	a.t.Helper()
	if a.status != 303 || a.header.Get("Location") != path {
		a.t.Errorf("%d to %q, want 303 to %q\n%s", a.status, a.header.Get("Location"), path, a.body)
	}
	return a
}

var csrfForms = regexp.MustCompile(`<form[^>]*action="([^"]*)"`)

func TestEverythingWithoutScript(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.browser("alice"), b.browser("bobby")

	home := alice.get("/").html()
	if actions := csrfForms.FindAllString(home, -1); len(actions) < 2 {
		t.Errorf("the home page has the forms %q", actions)
	}
	alice.form("POST", "/api/v1/posts.json", "post[text]", "by hand", "post[timelines][]", "user", "return_to", "/", "post[comments_disabled]", "0").leadsTo("/")
	if page := alice.get("/").html(); !strings.Contains(page, "by hand") {
		t.Fatal("the post is not on the page that its writer is led to")
	}
	post := regexp.MustCompile(`data-post-id="(\d+)"`).FindStringSubmatch(bobby.get("/alice").html())[1]

	bobby.form("POST", "/api/v1/posts/"+post+"/comments.json", "comment[text]", "by foot", "return_to", "/alice#p"+post).leadsTo("/alice#p" + post)
	bobby.header.Set("Referer", b.http.URL+"/alice/"+post)
	bobby.form("POST", "/api/v1/posts/"+post+"/likes.json").leadsTo("/alice/" + post) // back to the page, without a return_to
	page := bobby.get("/alice/" + post).html()
	if !strings.Contains(page, "by foot") || !strings.Contains(page, "Unlike") {
		t.Error(page)
	}
	comment := regexp.MustCompile(`id="c(\d+)"`).FindStringSubmatch(page)[1]
	bobby.form("POST", "/api/v1/posts/"+post+"/likes.json", "_method", "DELETE", "return_to", "/").leadsTo("/")
	bobby.form("POST", "/api/v1/posts/"+post+"/likes.json", "return_to", "/filter/everything?page=1#").leadsTo("/filter/everything?page=1#p" + post)
	bobby.form("POST", "/api/v1/posts/"+post+"/likes.json", "_method", "DELETE", "return_to", "/#").leadsTo("/#p" + post)

	if page := bobby.get("/alice/" + post + "/comments/" + comment + "/edit").html(); !strings.Contains(page, "by foot") {
		t.Error(page)
	}
	bobby.form("POST", "/api/v1/posts/"+post+"/comments/"+comment+".json", "_method", "PATCH", "comment[text]", "by bicycle", "return_to", "/alice/"+post).leadsTo("/alice/" + post)
	if page := alice.get("/alice/" + post).html(); !strings.Contains(page, "by bicycle") || strings.Contains(page, "by foot") {
		t.Error("an edited comment is as it was")
	}
	empty := bobby.form("POST", "/api/v1/posts/"+post+"/comments/"+comment+".json", "_method", "PATCH", "comment[text]", " ", "return_to", "/alice/"+post)
	if empty.status != 422 || !strings.Contains(empty.body, "Write something, or add a file.") {
		t.Errorf("an empty comment: %d", empty.status)
	}

	if page := alice.get("/alice/" + post + "/edit").html(); !strings.Contains(page, "by hand") {
		t.Error(page)
	}
	if a := bobby.get("/alice/" + post + "/edit"); a.status != 403 {
		t.Errorf("another person's post to edit: %d", a.status)
	}
	alice.form("POST", "/api/v1/posts/"+post+".json", "_method", "PATCH", "post[text]", "by hand, mended", "return_to", "/alice/"+post).leadsTo("/alice/" + post)
	alice.form("POST", "/api/v1/posts/"+post+".json", "_method", "DELETE", "return_to", "/alice").leadsTo("/alice")
	if a := bobby.get("/alice/" + post); a.status != 404 {
		t.Errorf("a deleted post: %d", a.status)
	}

	bobby.form("POST", "/api/v1/users/alice/subscribers.json", "return_to", "/alice").leadsTo("/alice")
	if page := bobby.get("/alice").html(); !strings.Contains(page, "Unsubscribe") {
		t.Error("the page does not know that its reader subscribes")
	}
	bobby.form("POST", "/api/v1/users/alice/subscribers.json", "_method", "DELETE", "return_to", "/alice").leadsTo("/alice")
	alice.form("POST", "/api/v1/groups.json", "group[name]", "walkers", "group[display_name]", "Walkers", "group[status]", "private").leadsTo("/walkers")
	if page := bobby.get("/walkers"); page.status != 200 || !strings.Contains(page.body, "Ask to join") || !strings.Contains(page.body, "Walkers") {
		t.Errorf("a private group: %d %s", page.status, page.body)
	}
	bobby.form("POST", "/api/v1/groups/walkers/subscribers.json", "return_to", "/walkers").leadsTo("/walkers")
	request := regexp.MustCompile(`/api/v1/subscription_requests/[0-9a-f-]+`).FindString(alice.get("/requests").html())
	alice.form("POST", request, "_method", "PUT", "return_to", "/requests").leadsTo("/requests")
	bobby.get("/walkers").html()

	bobby.form("POST", "/api/v1/posts.json", "post[to]", "alice", "post[text]", "psst", "return_to", "/filter/directs").leadsTo("/filter/directs")
	if page := alice.get("/filter/directs").html(); !strings.Contains(page, "psst") {
		t.Error("a direct message did not arrive")
	}
	if page := bobby.get("/bobby").html(); strings.Contains(page, "psst") {
		t.Error("a direct message is on its writer's page")
	}
}

func TestPostThatIsNotOnThePageItCameFrom(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	b.as("alice").send("PATCH", fmt.Sprint("/api/v1/users/", b.ids["alice"]), object{"user": object{"own_posts": false}}).ok()
	own := regexp.MustCompile(`^/alice/\d+$`)
	for _, at := range []struct{ place, from string }{{"user", "/"}, {"user_fyeo", "/alice/private"}} {
		a := alice.form("POST", "/api/v1/posts.json", "post[text]", "to "+at.place, "post[timelines][]", at.place, "return_to", at.from)
		if to := a.header.Get("Location"); a.status != 303 || !own.MatchString(to) {
			t.Errorf("posted to %s from %s: %d, leads to %q", at.place, at.from, a.status, to)
		}
	}
	alice.form("POST", "/api/v1/posts.json", "post[text]", "here", "post[timelines][]", "user", "return_to", "/alice").leadsTo("/alice")
}

func TestRefusedFormsKeepTheirInput(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.browser("alice")
	long := strings.Repeat("word ", 601)
	a := alice.form("POST", "/api/v1/posts.json", "post[text]", long, "post[timelines][]", "user", "return_to", "/alice")
	if a.status != 422 || !strings.Contains(a.body, strings.TrimSpace(long)) || !strings.Contains(a.body, "3,000") && !strings.Contains(a.body, "3000") {
		t.Errorf("%d, and the text is lost: %.200s", a.status, a.body)
	}
	a = alice.form("POST", "/api/v1/posts.json", "post[text]", "to <no one>", "post[to]", "no-such-name", "return_to", "/filter/directs")
	if a.status != 422 || !strings.Contains(a.body, html.EscapeString("to <no one>")) || !strings.Contains(a.body, `value="no-such-name"`) ||
		!strings.Contains(a.body, `id="post-to-problem">There is no one called no-such-name.`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	a = alice.form("POST", "/api/v1/groups.json", "group[name]", "x", "group[display_name]", "Very fine", "group[status]", "public")
	if a.status != 422 || !strings.Contains(a.body, `value="Very fine"`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	a = alice.form("POST", "/api/v1/users/1.json", "_method", "PATCH", "user[display_name]", strings.Repeat("x", 51), "user[description]", "about me")
	if a.status != 422 || !strings.Contains(a.body, "about me") {
		t.Errorf("%d %s", a.status, a.body)
	}
}
