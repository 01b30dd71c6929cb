package web_test

import (
	"strings"
	"testing"
)

// TestFirstSteps: a new person is led through three steps, without a script.
func TestFirstSteps(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david")
	for _, name := range []string{"alice", "bobby", "carol", "david"} {
		b.as(name).post("hello from "+name, "user")
	}
	if home := b.browser("alice").get("/").html(); strings.Contains(home, `class="steps"`) {
		t.Error("an account that an operator made has first steps")
	}
	c := b.visitor()
	c.http.Jar, c.accept = &jar{}, "text/html"
	c.get("/users/sign_up").html()
	c.form("POST", "/users/sign_up", "user[name]", "newcomer", "user[email]", "new@example.org", "user[password]", "long enough", "user[display_name]", "New Comer").leadsTo("/")
	shows := func(when string, follows string, done int) string {
		t.Helper()
		home := c.get("/").html()
		if !strings.Contains(home, `>`+follows+`</span> / 3`) || strings.Count(home, `<li class="is-done">`) != done {
			t.Errorf("%s: not %s followed and %d steps done: %s", when, follows, done, home)
		}
		return home
	}
	home := shows("at first", "0", 0)
	if steps, form := strings.Index(home, `class="steps"`), strings.Index(home, `id="post-form"`); steps < 0 || form < steps {
		t.Error("the form for a post is not below the steps")
	}
	for i, name := range []string{"alice", "bobby"} {
		before := strings.Count(home, `id="suggested-`)
		c.form("POST", "/api/v1/users/"+name+"/subscribers.json", "return_to", "/#suggested-u1").leadsTo("/#suggested-u1")
		home = shows("after "+name, string(rune('1'+i)), 0)
		if strings.Count(home, `id="suggested-`) != before || strings.Count(home, "Subscribed ✓</button>") != i+1 {
			t.Errorf("after %s the list has changed", name)
		}
	}
	c.form("POST", "/api/v1/posts.json", "post[text]", "hello", "post[timelines][]", "user", "return_to", "/").leadsTo("/")
	shows("after a post", "2", 1)
	if other := b.browser("alice").get("/").html(); strings.Contains(other, `class="steps"`) {
		t.Error("others see the steps")
	}
	c.form("POST", "/api/v1/steps.json", "_method", "DELETE", "return_to", "/").leadsTo("/")
	if home := c.get("/").html(); strings.Contains(home, `class="steps"`) {
		t.Error("the steps are there after they were hidden")
	}
}

// TestFirstStepsGoOnceTheyAreDone: a newcomer need not hide completed steps. A site without
// pictures does not ask for one.
func TestFirstStepsGoOnceTheyAreDone(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	c := b.visitor()
	c.http.Jar, c.accept = &jar{}, "text/html"
	c.form("POST", "/users/sign_up", "user[name]", "newcomer", "user[email]", "new@example.org", "user[password]", "long enough").leadsTo("/")
	for _, name := range []string{"alice", "bobby", "carol"} {
		c.form("POST", "/api/v1/users/"+name+"/subscribers.json", "return_to", "/").leadsTo("/")
	}
	c.form("POST", "/api/v1/posts.json", "post[text]", "hello", "post[timelines][]", "user", "return_to", "/").leadsTo("/")
	if home := c.get("/").html(); strings.Contains(home, `class="steps"`) {
		t.Error("the steps are there after all are done")
	}
}
