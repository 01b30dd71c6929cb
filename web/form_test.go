package web_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
)

// pageOf is a browser's page; it fails the test unless there is one.
func (a answer) html() string {
	a.t.Helper()
	if a.status >= 400 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		a.t.Fatalf("no page: %d %s\n%s", a.status, a.header.Get("Content-Type"), a.body)
	}
	return a.body
}

// leadsTo fails the test unless the answer is a redirect there.
func (a answer) leadsTo(path string) answer {
	a.t.Helper()
	if a.status != 303 || a.header.Get("Location") != path {
		a.t.Errorf("%d to %q, want 303 to %q\n%s", a.status, a.header.Get("Location"), path, a.body)
	}
	return a
}

func TestSignUpInAndOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.anybody()
	c.http.Jar, c.accept = &jar{}, "text/html"
	c.get("/users/sign_up").html()

	// What is wrong is said beside what was typed.
	again := c.form("POST", "/users/sign_up", "user[name]", "Not A Name", "user[email]", "new@example.org", "user[password]", "short")
	if again.status != 422 || !strings.Contains(again.body, `value="new@example.org"`) || strings.Contains(again.body, "short") {
		t.Errorf("%d %s", again.status, again.body)
	}
	c.form("POST", "/users/sign_up", "user[name]", "newcomer", "user[email]", "new@example.org", "user[password]", "long enough", "user[display_name]", "New Comer").leadsTo("/")
	if home := c.get("/").html(); !strings.Contains(home, "New Comer") || !strings.Contains(home, `data-viewer="newcomer"`) {
		t.Error("not signed in after signing up")
	}
	c.form("POST", "/users/sign_out").leadsTo("/")
	if home := c.get("/").html(); strings.Contains(home, "New Comer") {
		t.Error("signed in after signing out")
	}

	other := b.anybody()
	other.accept = "text/html"
	if taken := other.form("POST", "/users/sign_up", "user[name]", "newcomer", "user[email]", "two@example.org", "user[password]", "long enough"); taken.status != 409 || !strings.Contains(taken.body, "taken already") {
		t.Errorf("a name that is taken: %d %s", taken.status, taken.body)
	}

	wrong := c.form("POST", "/users/sign_in", "user[email]", "newcomer", "user[password]", "wrong password", "return_to", "/settings")
	if wrong.status != 401 || !strings.Contains(wrong.body, `value="newcomer"`) || !strings.Contains(wrong.body, `value="/settings"`) {
		t.Errorf("a wrong password: %d %s", wrong.status, wrong.body)
	}
	if a := b.anybody().send("POST", "/users/sign_in", object{"user": object{"email": "newcomer", "password": "wrong password"}}); a.status != 401 || a.at("code") != "bad_credentials" {
		t.Errorf("a wrong password as JSON: %d %s", a.status, a.body)
	}
	// By e-mail in another case; to be remembered; and back to where it was asked for.
	in := c.form("POST", "/users/sign_in", "user[email]", "New@Example.org", "user[password]", "long enough", "user[remember_me]", "1", "return_to", "/settings").leadsTo("/settings")
	if cookie := in.header.Get("Set-Cookie"); !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") || !strings.Contains(cookie, "Expires=") {
		t.Errorf("the cookie is %q", cookie)
	}
	c.get("/settings").html()
	// What is for somebody leads there by way of signing in.
	other.get("/settings").leadsTo("/users/sign_in?return_to=%2Fsettings")
	other.get("/filter/directs").leadsTo("/users/sign_in?return_to=%2Ffilter%2Fdirects")
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
	bobby.form("POST", "/api/v1/posts/"+post+"/likes.json").leadsTo("/alice/" + post) // back, where it is not said whereto
	page := bobby.get("/alice/" + post).html()
	if !strings.Contains(page, "by foot") || !strings.Contains(page, "Unlike") {
		t.Error(page)
	}
	comment := regexp.MustCompile(`id="c(\d+)"`).FindStringSubmatch(page)[1]
	bobby.form("POST", "/api/v1/posts/"+post+"/likes.json", "_method", "DELETE", "return_to", "/").leadsTo("/")

	if page := bobby.get("/alice/" + post + "/comments/" + comment + "/edit").html(); !strings.Contains(page, "by foot") {
		t.Error(page)
	}
	bobby.form("POST", "/api/v1/posts/"+post+"/comments/"+comment+".json", "_method", "PATCH", "comment[text]", "by bicycle", "return_to", "/alice/"+post).leadsTo("/alice/" + post)
	if page := alice.get("/alice/" + post).html(); !strings.Contains(page, "by bicycle") || strings.Contains(page, "by foot") {
		t.Error("an edited comment is as it was")
	}
	empty := bobby.form("POST", "/api/v1/posts/"+post+"/comments/"+comment+".json", "_method", "PATCH", "comment[text]", " ", "return_to", "/alice/"+post)
	if empty.status != 422 || !strings.Contains(empty.body, "empty") {
		t.Errorf("an empty comment: %d", empty.status)
	}

	if page := alice.get("/alice/" + post + "/edit").html(); !strings.Contains(page, "by hand") {
		t.Error(page)
	}
	if a := bobby.get("/alice/" + post + "/edit"); a.status != 403 {
		t.Errorf("somebody else's post to edit: %d", a.status)
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
	if page := bobby.get("/walkers"); page.status != 403 || !strings.Contains(page.body, "Ask to join") || !strings.Contains(page.body, "Walkers") {
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

func TestWhatIsTypedIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.browser("alice")
	long := strings.Repeat("word ", 601)
	a := alice.form("POST", "/api/v1/posts.json", "post[text]", long, "post[timelines][]", "user", "return_to", "/alice")
	if a.status != 422 || !strings.Contains(a.body, strings.TrimSpace(long)) || !strings.Contains(a.body, "3,000") && !strings.Contains(a.body, "3000") {
		t.Errorf("%d, and the text is lost: %.200s", a.status, a.body)
	}
	a = alice.form("POST", "/api/v1/posts.json", "post[text]", "to <nobody>", "post[to]", "nobody-here", "return_to", "/filter/directs")
	if a.status != 422 || !strings.Contains(a.body, html.EscapeString("to <nobody>")) || !strings.Contains(a.body, `value="nobody-here"`) ||
		!strings.Contains(a.body, `id="post-to-problem">The names name a person who does not exist`) {
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

func TestSettingsByForm(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice, elsewhere := b.browser("alice"), b.browser("alice")
	alice.form("POST", "/api/v1/users/1.json", "_method", "PATCH", "user[display_name]", "Alice Again", "user[description]", "hi", "user[status]", "protected", "return_to", "/settings").leadsTo("/settings")
	if page := alice.get("/settings").html(); !strings.Contains(page, `value="Alice Again"`) {
		t.Error("the settings are as they were")
	}
	if page := alice.get("/about").html(); !strings.Contains(page, "Alice Again") {
		t.Error("the name in the navigation is as it was")
	}
	if a := b.anybody().get("/alice.json"); a.status != 403 {
		t.Errorf("a protected page, not signed in: %d", a.status)
	}

	token := alice.form("POST", "/api/v1/tokens.json", "token[name]", "bot", "return_to", "/settings")
	secret := regexp.MustCompile(`<code class="secret">([a-f0-9-]+)</code>`).FindStringSubmatch(token.html())
	if secret == nil || token.header.Get("Cache-Control") != "no-store" {
		t.Fatal(token.body)
	}
	if page := alice.get("/settings").html(); strings.Contains(page, secret[1]) {
		t.Error("a token is shown twice")
	}

	wrong := alice.form("POST", "/api/v1/password.json", "_method", "PATCH", "password[old]", "not it at all", "password[new]", "brand new one")
	if wrong.status != 422 || !strings.Contains(wrong.body, "not your password") {
		t.Errorf("a wrong password: %d %s", wrong.status, wrong.body)
	}
	short := alice.form("POST", "/api/v1/password.json", "_method", "PATCH", "password[old]", "password of alice", "password[new]", "short")
	if short.status != 422 {
		t.Errorf("a short password: %d", short.status)
	}
	alice.form("POST", "/api/v1/password.json", "_method", "PATCH", "password[old]", "password of alice", "password[new]", "brand new one", "return_to", "/settings").leadsTo("/settings")
	alice.get("/settings").html()
	if a := elsewhere.get("/settings"); a.status != 303 {
		t.Errorf("signed in elsewhere after a new password: %d", a.status)
	}
	if a := b.anybody().send("POST", "/users/sign_in", object{"user": object{"name": "alice", "password": "brand new one"}}); a.status != 200 {
		t.Errorf("the new password: %d %s", a.status, a.body)
	}
}

func TestOneTimeLink(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	imported, err := b.store.SignUp(t.Context(), newPasswordless("imported"))
	if err != nil {
		t.Fatal(err)
	}
	secret, err := b.store.NewLink(t.Context(), imported)
	if err != nil {
		t.Fatal(err)
	}
	c := b.anybody()
	c.http.Jar, c.accept = &jar{}, "text/html"
	c.get("/users/link/" + secret).html() // looked at by whatever looks at links
	c.get("/users/link/" + secret).html()
	c.form("POST", "/users/link/"+secret).leadsTo("/settings")
	if page := c.get("/").html(); !strings.Contains(page, `data-viewer="imported"`) {
		t.Error("the link signed nobody in")
	}
	// There is no old password to know.
	c.form("POST", "/api/v1/password.json", "_method", "PATCH", "password[old]", "-", "password[new]", "the first one", "return_to", "/settings").leadsTo("/settings")
	for _, path := range []string{"/users/link/" + secret, "/users/link/nonsense"} {
		if a := b.anybody().form("POST", path); a.status != 403 || a.at("code") != "bad_link" {
			t.Errorf("%s again: %d", path, a.status)
		}
	}
}
