package web_test

import (
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/web"
)

// A visits is a site with a second clock, which the test can move ahead. The places where
// readers left off use that clock; posts and comments use the real time.
type visits struct {
	*bundle
	ahead atomic.Int64
}

func newVisits(t *testing.T, people ...string) *visits {
	t.Helper()
	v := &visits{}
	v.bundle = setupOn(t, pgtest.New(t), web.Config{Now: v.now}, people...)
	return v
}

func (v *visits) now() time.Time { return time.Now().Add(time.Duration(v.ahead.Load())) }

// advance moves the clock ahead, and saves where readers left off.
func (v *visits) advance(d time.Duration) {
	v.t.Helper()
	v.ahead.Add(int64(d))
	v.save()
}

// save writes where readers left off to the primary, as a node does.
func (v *visits) save() {
	v.t.Helper()
	if err := v.site.SaveLeftOff(v.t.Context()); err != nil {
		v.t.Fatal(err)
	}
}

// marks finds the posts, and the line at which the reader left off.
var marks = regexp.MustCompile(`<p class="left-off( left-off-more)?"[^>]*>|post-([a-z])\b`)

// lined returns a page as posts and the line, from the top: "c b | a". "(|)" is a hidden line;
// "…" means that there is more below.
func lined(a answer) string {
	a.t.Helper()
	var parts []string
	for _, found := range marks.FindAllStringSubmatch(a.body, -1) {
		switch {
		case found[2] != "":
			parts = append(parts, found[2])
		case found[1] != "":
			parts = append(parts, "…")
		case strings.Contains(found[0], " hidden"):
			parts = append(parts, "(|)")
		default:
			parts = append(parts, "|")
		}
	}
	return strings.Join(parts, " ")
}

// river returns the content of the river.
func (c *client) river(path string) answer {
	c.b.t.Helper()
	a := c.get(path).ok()
	_, a.body, _ = strings.Cut(a.body, `<div id="river"`)
	return a
}

func (v *visits) shows(c *client, path, want string) {
	v.t.Helper()
	if got := lined(c.river(path)); got != want {
		v.t.Errorf("%s is %q, want %q", path, got, want)
	}
}

func TestReportOfASeenPageIsChecked(t *testing.T) {
	t.Parallel()
	v := newVisits(t, "anna")
	anna := v.as("anna")
	now := time.Now().UTC().Format(time.RFC3339)
	for name, test := range map[string]struct {
		body   object
		status int
		field  string
	}{
		"no page":               {object{"fresh_at": now, "post": 7}, 422, "page"},
		"a page of one post":    {object{"page": "/anna/7", "fresh_at": now, "post": 7}, 422, "page"},
		"no one's page":         {object{"page": "/no-such-name", "fresh_at": now, "post": 7}, 404, ""},
		"no time":               {object{"page": "/anna", "post": 7}, 422, "fresh_at"},
		"a time to come":        {object{"page": "/anna", "fresh_at": "2100-01-01T00:00:00Z", "post": 7}, 422, "fresh_at"},
		"no post":               {object{"page": "/anna", "fresh_at": now}, 422, "post"},
		"a post that is a word": {object{"page": "/anna", "fresh_at": now, "post": "seven"}, 422, "post"},
	} {
		a := anna.send("POST", "/api/v1/catch_up.json", test.body)
		if a.status != test.status || test.field != "" && a.at("fields", test.field) == nil {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	v.save()
	var n int
	if err := v.pool.QueryRow(t.Context(), `select count(*) from left_off`).Scan(&n); err != nil || n != 0 {
		t.Errorf("%d pages are kept, %v", n, err)
	}
	if a := v.visitor().send("POST", "/api/v1/catch_up.json", object{"page": "/anna", "fresh_at": now, "post": 7}); a.status != 401 {
		t.Errorf("a visitor: %d", a.status)
	}
}

func TestHomeSaysWhatHappened(t *testing.T) {
	long(t)
	t.Parallel()
	v := newVisits(t, "anna", "bert", "carl")
	bert, carl, anna, browser := v.as("bert"), v.as("carl"), v.as("anna"), v.browser("anna")
	if a := anna.send("POST", "/api/v1/users/bert/subscribers.json", nil); a.status != 200 {
		t.Fatal(a.body)
	}
	old := []string{bert.post("post-a", "user"), bert.post("post-b", "user")}
	mine := anna.post("my own one", "user")
	has := func(want ...string) {
		t.Helper()
		a := browser.get("/").ok()
		_, box, found := strings.Cut(a.body, `<aside class="catch-up"`)
		box, _, _ = strings.Cut(box, "</aside>")
		if found != (len(want) > 0) {
			t.Fatalf("there is a box: %v; want %v\n%s", found, want, box)
		}
		for _, text := range want {
			if !strings.Contains(box, text) {
				t.Errorf("the box does not say %q: %s", text, box)
			}
		}
	}
	tells := func(posts, moved int, talked ...string) {
		t.Helper()
		a := anna.get("/api/v1/catch_up.json").ok()
		got := fmt.Sprint(a.at("posts"), a.at("moved"))
		for i := range talked {
			got += fmt.Sprint(" ", numberText(a.at("discussions", i, "id")))
		}
		if want := fmt.Sprint(posts, moved) + strings.Join(append([]string{""}, talked...), " "); got != want || a.at("discussions", len(talked)) != nil {
			t.Errorf("it tells %s, want %s: %s", got, want, a.body)
		}
	}
	if a := anna.get("/api/v1/catch_up.json").ok(); a.at("since") != nil || !strings.Contains(a.body, `"since":null`) {
		t.Errorf("before the first visit: %s", a.body)
	}
	has() // a first visit
	v.advance(8 * time.Hour)
	has() // nothing happened
	tells(0, 0)
	// A person's own actions are not among the news.
	anna.post("another of my own", "user")
	anna.comment(old[0], "only my own words")
	has()
	tells(0, 0)
	bert.post("post-c", "user")
	bert.comment(old[1], "up it comes")
	carl.comment(mine, "a word on yours")
	tells(1, 2, mine)
	has("1 new post, 2 came up again", "1 of your discussions has new comments", `href="/anna/`+mine+`"`, "my own one", "1 comment")
	bert.comment(old[0], "and on I go")
	tells(1, 3, old[0], mine)
	has("1 new post, 3 came up again", "2 of your discussions have new comments")
	v.advance(10 * time.Minute)
	has("3 came up again") // for as long as the visit
	if a := browser.form("POST", "/api/v1/catch_up", "_method", "DELETE", "return_to", "/"); a.status != 303 || a.header.Get("Location") != "/" {
		t.Fatalf("put away: %d %s", a.status, a.header.Get("Location"))
	}
	has()
	v.advance(time.Hour)
	has()
	bert.post("post-d", "user")
	has("1 new post.")
	// Posts that she may no longer read are not counted.
	if err := v.store.Ban(t.Context(), v.ids["bert"], "anna"); err != nil {
		t.Fatal(err)
	}
	if err := v.node.WaitApplied(t.Context()); err != nil {
		t.Fatal(err)
	}
	tells(0, 0)
	has()
}
