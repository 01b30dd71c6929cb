package web_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Administrators change the settings of the site, by a form and by JSON. Other people may read
// the settings, and change none.
func TestSiteSettings(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	b.ready()
	const api = "/api/v1/site.json"
	alice := b.browser("alice")
	alice.get("/settings/site").html()
	if page := alice.get("/settings").html(); !strings.Contains(page, `href="/settings/site"`) {
		t.Error("an administrator's settings do not lead to those of the site")
	}
	bobby := b.browser("bobby")
	if page := bobby.get("/settings").html(); strings.Contains(page, "/settings/site") {
		t.Error("the settings of a person link to the settings of the site")
	}
	if got := bobby.get("/settings/site"); got.status != 403 {
		t.Errorf("a person who is no administrator gets %d", got.status)
	}
	if got := b.visitor().get("/settings/site"); got.status != 303 {
		t.Errorf("a visitor gets %d", got.status)
	}
	is := func(path ...any) any { return b.visitor().get(api).ok().at(append([]any{"site"}, path...)...) }
	if is("bump") != "comment" || is("lift") != true || is("best_of", "fav") != 2.0 {
		t.Errorf("the settings are %v", is())
	}

	alice.form("POST", api, "_method", "PATCH", "return_to", "/settings/site", "site[was][bump]", "comment", "site[bump]", "freefeed",
		"site[was][best_of.like]", "7", "site[best_of.like]", "7", "site[best_of.fav]", "3").leadsTo("/settings/site")
	if is("bump") != "freefeed" || is("best_of", "fav") != 3.0 || is("best_of", "like") != 1.0 {
		t.Errorf("the settings are %v", is())
	}
	before := is()
	wrong := alice.form("POST", api, "_method", "PATCH", "return_to", "/settings/site", "site[bump]", "comment", "site[best_of.like]", "many")
	if wrong.status != 422 || !strings.Contains(wrong.body, `value="many"`) || !strings.Contains(wrong.body, "Use a number within the limits.") {
		t.Errorf("a bad number answers %d:\n%s", wrong.status, wrong.body)
	}
	program := b.as("alice")
	for what, body := range map[string]any{
		"an unknown key":    map[string]any{"site": map[string]any{"nonsense": 1}},
		"an unknown part":   map[string]any{"site": map[string]any{"best_of": map[string]any{"view": 1}}},
		"a list":            map[string]any{"site": map[string]any{"lift": []string{"on"}}},
		"a part of a part":  map[string]any{"site": map[string]any{"best_of": map[string]any{"like": map[string]any{"x": 1}}}},
		"nothing to change": map[string]any{"site": map[string]any{}},
		"no object":         map[string]any{"site": "lift"},
		"one bad of two":    map[string]any{"site": map[string]any{"lift": false, "bump": "never"}},
	} {
		if got := program.send("PATCH", api, body); got.status != 422 {
			t.Errorf("%s: %d %s", what, got.status, got.body)
		}
	}
	if got := b.as("bobby").send("PATCH", api, map[string]any{"site": map[string]any{"lift": false}}); got.status != 403 {
		t.Errorf("a person who sets it gets %d", got.status)
	}
	if got := b.visitor().send("PATCH", api, map[string]any{"site": map[string]any{"lift": false}}); got.status != 401 {
		t.Errorf("a visitor who sets it gets %d", got.status)
	}
	if diff := cmp.Diff(before, is()); diff != "" {
		t.Errorf("what was refused changed something (-before +after):\n%s", diff)
	}

	answered := program.send("PATCH", api, map[string]any{"site": map[string]any{"lift": false, "best_of": map[string]any{"half_life_hours": 12.5}}}).ok()
	if answered.at("site", "lift") != false || is("best_of", "half_life_hours") != 12.5 {
		t.Errorf("it answers %s", answered.body)
	}
	alice.get("/").html() // from rivers made anew
}

// The name is on every page, in feeds and in the manifest; about and rules have their pages; a stranger agrees to the rules.
func TestSiteHasItsOwnNameAndRules(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	b.ready()
	stranger := b.visitor()
	stranger.accept = "text/html"
	if a := stranger.get("/about/rules"); a.status != 404 {
		t.Errorf("the page of rules of a site without rules: %d", a.status)
	}
	for _, path := range []string{"/", "/about", "/users/sign_up"} {
		if page := stranger.get(path).html(); strings.Contains(page, "/about/rules") || !strings.Contains(page, "<span>Amstel</span>") {
			t.Errorf("%s before:\n%.3000s", path, page)
		}
	}
	alice := b.browser("alice")
	alice.form("POST", "/api/v1/site.json", "_method", "PATCH", "return_to", "/settings/site", "site[was][name]", "Amstel", "site[name]", "Bridges & Boats",
		"site[about]", "We like *bridges*.", "site[rules]", "Be kind.\r\n\r\nNo <watches>.").leadsTo("/settings/site")
	if err := b.node.WaitApplied(t.Context()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"/":              {"<span>Bridges &amp; Boats</span>", `href="/about/rules"`, `content="Bridges &amp; Boats"`},
		"/alice":         {"· Bridges &amp; Boats</title>", `content="Posts by Alice on Bridges &amp; Boats."`},
		"/about":         {"About Bridges &amp; Boats", "We like", `href="/about/rules"`},
		"/about/rules":   {"<h1>Rules of Bridges &amp; Boats</h1>", "<p>Be kind.</p><p>No &lt;watches&gt;.</p>", "Last changed:"},
		"/users/sign_up": {`name="user[rules]"`, `href="/about/rules"`},
		"/nothing-here":  {"<span>Bridges &amp; Boats</span>"},
	} {
		page := stranger.get(path).body
		for _, part := range want {
			if !strings.Contains(page, part) {
				t.Errorf("%s lacks %s:\n%.3000s", path, part, page)
			}
		}
	}
	if page := alice.get("/settings/site").html(); !strings.Contains(page, "@alice changed “Name of the site”") || !strings.Contains(page, "From Amstel to Bridges &amp; Boats") {
		t.Errorf("the page of settings:\n%s", page)
	}
	if feed := stranger.get("/filter/everything.atom").body; !strings.Contains(feed, "· Bridges &amp; Boats</title>") {
		t.Errorf("a feed:\n%.600s", feed)
	}
	if m := stranger.get("/manifest.webmanifest"); m.at("name") != "Bridges & Boats" {
		t.Errorf("the manifest: %s", m.body)
	}
	fields := []string{"user[name]", "carla", "user[email]", "carla@example.org", "user[password]", "correct horse", "user[display_name]", "Carla"}
	if a := stranger.form("POST", "/users/sign_up", fields...); a.status != 422 || !strings.Contains(a.body, "Read the rules of the site, and agree to them") {
		t.Errorf("without agreement: %d\n%s", a.status, a.body)
	}
	stranger.form("POST", "/users/sign_up", append(fields, "user[rules]", "1")...).leadsTo("/")
	program := object{"name": "dirk", "email": "dirk@example.org", "password": "correct horse"}
	if a := b.visitor().send("POST", "/api/v1/users.json", object{"user": program}); a.status != 422 {
		t.Errorf("by the API without agreement: %d %s", a.status, a.body)
	}
	program["rules"] = true
	b.visitor().send("POST", "/api/v1/users.json", object{"user": program}).ok()
	changes := b.as("alice").get("/api/v1/site_changes.json").ok()
	if changes.at("changes", 2, "setting") != "name" || changes.at("changes", 2, "by") != "alice" || changes.at("changes", 2, "value") != "Bridges & Boats" {
		t.Errorf("the changes: %s", changes.body)
	}
	if a := b.as("bobby").get("/api/v1/site_changes.json"); a.status != 403 {
		t.Errorf("a person who is no administrator reads the changes: %d", a.status)
	}
}
