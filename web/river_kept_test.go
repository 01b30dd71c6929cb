package web_test

import (
	"regexp"
	"testing"
)

var (
	shownCounter = regexp.MustCompile(`"counter":(\d+)|data-counter="(\d+)"`)
	shownForm    = regexp.MustCompile(`name="_uuid" value="([^"]+)"`)
)

// TestMembersPageIsKeptWhileNothingOfItChanges reads a home as JSON and as HTML after each of several changes. A kept
// page has the counter of its first rendering.
func TestMembersPageIsKeptWhileNothingOfItChanges(t *testing.T) {
	t.Parallel()
	b := setup(t, "ann", "ben", "cat")
	ann, ben, cat := b.session("ann"), b.session("ben"), b.session("cat")
	home := b.browser("ann")
	ann.send("POST", "/api/v1/users/ben/subscribers", nil).ok()
	ann.send("DELETE", "/api/v1/steps", nil).ok()
	post := ben.post("one", "user")
	forms := map[string]func() answer{
		"JSON": func() answer { return ann.get("/index.json").ok() },
		"HTML": func() answer { return home.get("/").ok() },
	}
	counter := func(form string) string { return shownCounter.FindString(forms[form]().body) }
	for _, tt := range []struct {
		name       string
		do         func()
		json, html bool // another page is served
	}{
		{"a post that is not on the page", func() { cat.post("elsewhere", "user") }, false, false},
		{"a comment", func() {
			ben.send("POST", "/api/v1/posts/"+post+"/comments", map[string]any{"comment": map[string]any{"text": "two"}}).ok()
		}, true, true},
		{"a notice", func() { cat.post("hello @ann", "user") }, false, true},
		{"a follower of the viewer", func() { cat.send("POST", "/api/v1/users/ann/subscribers", nil).ok() }, true, true},
		{"a follower of another person", func() { cat.send("POST", "/api/v1/users/ben/subscribers", nil).ok() }, true, false},
		{"a list of the viewer's", func() { ann.send("POST", "/api/v1/lists", map[string]any{"name": "friends"}).ok() }, true, true},
		{"a group of the viewer's", func() {
			ann.send("POST", "/api/v1/groups", map[string]any{"group": map[string]any{"name": "tea", "display_name": "Tea"}}).ok()
		}, true, true},
		{"nothing", func() {}, false, false},
	} {
		before := map[string]string{"JSON": counter("JSON"), "HTML": counter("HTML")}
		if before["JSON"] != counter("JSON") || before["HTML"] != counter("HTML") {
			t.Errorf("before %s: the page is not kept", tt.name)
		}
		tt.do()
		for form, another := range map[string]bool{"JSON": tt.json, "HTML": tt.html} {
			if now := counter(form); now == "" || (now != before[form]) != another {
				t.Errorf("%s: after %s, before %s; want another page: %t", tt.name, now, before[form], another)
			}
		}
	}
	if first, other := forms["JSON"]().at("river", "uuid"), b.session("ann").get("/index.json").ok().at("river", "uuid"); first == other {
		t.Errorf("two sessions are served the same name of the river, %s", first)
	}
	one, two := shownForm.FindStringSubmatch(forms["HTML"]().body), shownForm.FindStringSubmatch(forms["HTML"]().body)
	if one == nil || two == nil || one[1] == two[1] {
		t.Errorf("the form for a post has the names %q and %q", one, two)
	}
	tag := ann.get("/index.json").ok().header.Get("ETag")
	ann.header.Set("If-None-Match", tag)
	if again := ann.get("/index.json"); again.status != 304 || tag == "" {
		t.Errorf("with the ETag %q of the kept page: %d", tag, again.status)
	}
}
