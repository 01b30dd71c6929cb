package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/web"
)

// visits is a site whose pages go by a clock of the test's. What is written goes
// by the clock on the wall; only where somebody left off asks the other.
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

// later lets time pass, and what was seen be written, as a node does.
func (v *visits) later(d time.Duration) {
	v.t.Helper()
	v.ahead.Add(int64(d))
	v.keep()
}

func (v *visits) keep() {
	v.t.Helper()
	if err := v.site.KeepPlaces(v.t.Context()); err != nil {
		v.t.Fatal(err)
	}
}

// marks are the line where somebody left off, and posts.
var marks = regexp.MustCompile(`<p class="left-off( left-off-more)?"[^>]*>|post-([a-z])\b`)

// lined is a page as posts and the line: "c b | a", from the top; "(|)" is a line
// out of sight, and "…" says that there is more.
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

// river is what stands in main.
func (c *client) river(path string) answer {
	c.b.t.Helper()
	a := c.get(path).ok()
	_, a.body, _ = strings.Cut(a.body, "<main")
	return a
}

func (v *visits) shows(c *client, path, want string) {
	v.t.Helper()
	if got := lined(c.river(path)); got != want {
		v.t.Errorf("%s is %q, want %q", path, got, want)
	}
}

func TestTheLineWhereSomebodyLeftOff(t *testing.T) {
	t.Parallel()
	v := newVisits(t, "anna", "bert")
	bert, anna := v.as("bert"), v.browser("anna")
	post := map[string]string{}
	write := func(names ...string) {
		t.Helper()
		for _, name := range names {
			post[name] = bert.post("post-"+name, "user")
		}
	}
	write("a", "b")
	v.shows(anna, "/bert", "b a") // a first visit has left nothing off
	v.later(31 * time.Minute)
	v.shows(anna, "/bert", "(|) b a") // nothing new, but the line waits for it
	write("c")
	v.shows(anna, "/bert", "c | b a")
	bert.comment(post["a"], "up it goes")
	v.shows(anna, "/bert", "a c | b")
	v.later(20 * time.Minute)
	v.shows(anna, "/bert", "a c | b") // the same visit
	v.later(31 * time.Minute)
	v.shows(anna, "/bert", "(|) a c b")
	write("d", "e", "f")
	v.shows(anna, "/bert?count=2", "f e …")
	first := anna.get("/bert.json?count=2").ok()
	older, _ := first.at("precise_older_entries_url").(string)
	v.shows(anna, strings.Replace(older, ".json", "", 1), "d | a")
	v.shows(anna, "/bert?count=3", "f e d …")
	first = anna.get("/bert.json?count=3").ok()
	older, _ = first.at("precise_older_entries_url").(string)
	v.shows(anna, strings.Replace(older, ".json", "", 1), "| a c b") // just where the page above ended

	for name, want := range map[string]any{"fresh_at": anna.get("/bert.json?count=6").at("entries", 3, "fresh_at"), "post": number(t, post["a"])} {
		if got := first.at("river", "left_off", name); got != want {
			t.Errorf("left_off has %s %v, want %v", name, got, want)
		}
	}
	// Others, and other pages, have lines of their own or none.
	v.shows(v.browser("bert"), "/bert", "f e d a c b")
	v.shows(anna, "/filter/everything", "f e d a c b")
	if a := v.anybody().get("/bert.json"); a.at("river", "left_off") != nil {
		t.Error("somebody who is not signed in left off somewhere")
	}
	if body := v.anybody().get("/bert").body; strings.Contains(body, "left-off") || strings.Contains(body, "data-keeps") {
		t.Error("so he did on the page for people")
	}
	v.shows(anna, "/bert/"+post["a"], "a") // nor do pages of one post have any
}

func TestOnlyWhoLooksVisits(t *testing.T) {
	t.Parallel()
	v := newVisits(t, "anna", "bert")
	bert, anna := v.as("bert"), v.browser("anna")
	bert.post("post-a", "user")
	v.shows(anna, "/bert", "a")
	v.later(time.Hour)
	bert.post("post-b", "user")
	program := v.as("anna")
	prefetching := *anna
	prefetching.header = http.Header{"Sec-Purpose": {"prefetch;prerender"}}
	for range 2 {
		v.later(time.Hour)
		anna.do("HEAD", "/bert", "", nil).ok()
		prefetching.get("/bert").ok()
		program.get("/bert.json").ok()
		anna.get("/bert.json").ok()
		for _, query := range []string{"?page=2", "?start_from=2100-01-01T00:00:00Z", "?before=4102444800000,1"} {
			anna.get("/bert" + query).ok()
		}
	}
	v.later(time.Minute)
	v.shows(anna, "/bert", "b | a")

	// A program says what it showed.
	v.later(time.Hour)
	bert.post("post-c", "user")
	top := program.get("/bert.json").at("entries", 0).(object)
	program.send("POST", "/api/v1/catch_up.json", object{"page": "/bert", "fresh_at": top["fresh_at"], "post": top["id"]}).ok()
	v.later(time.Hour)
	v.shows(anna, "/bert", "(|) c b a")
}

func TestWhatIsSeenIsToldInWordsOfPages(t *testing.T) {
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
		"nobody's page":         {object{"page": "/nobody-at-all", "fresh_at": now, "post": 7}, 404, ""},
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
	v.keep()
	var n int
	if err := v.pool.QueryRow(t.Context(), `select count(*) from left_off`).Scan(&n); err != nil || n != 0 {
		t.Errorf("%d pages are kept, %v", n, err)
	}
	if a := v.anybody().send("POST", "/api/v1/catch_up.json", object{"page": "/anna", "fresh_at": now, "post": 7}); a.status != 401 {
		t.Errorf("who is not signed in: %d", a.status)
	}
}

// TestThePlaceFollowsItsReader is of two devices at two nodes.
func TestThePlaceFollowsItsReader(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	one := &visits{}
	one.bundle = setupOn(t, pool, web.Config{Now: one.now}, "anna", "bert")
	other := &visits{}
	other.bundle = setupOn(t, pool, web.Config{Now: other.now})
	other.ids = one.ids
	later := func(d time.Duration) {
		t.Helper()
		one.later(d)
		other.later(d)
	}
	posts := func(c *client, text string) { // and both nodes know of it
		t.Helper()
		c.post(text, "user")
		if err := other.node.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	bert, desk, phone := one.as("bert"), one.browser("anna"), other.browser("anna")
	posts(bert, "post-a")
	one.shows(desk, "/bert", "a")
	later(time.Hour)
	posts(bert, "post-b")
	one.shows(phone, "/bert", "b | a")
	later(time.Hour)
	posts(bert, "post-c")
	one.shows(desk, "/bert", "c | b a") // what the phone showed
	later(5 * time.Minute)
	one.shows(phone, "/bert", "c | b a") // and this is the same visit
	later(time.Hour)
	// What a node noted and could not write yet is written when it ends.
	posts(bert, "post-d")
	one.shows(desk, "/bert", "d | c b a")
	if err := one.site.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	later(time.Hour)
	one.shows(phone, "/bert", "(|) d c b a")
}

func TestHomeSaysWhatHappened(t *testing.T) {
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
	v.later(8 * time.Hour)
	has() // nothing happened
	tells(0, 0)
	// Her own deeds are no news to her.
	anna.post("another of my own", "user")
	anna.comment(old[0], "only my own words")
	has()
	tells(0, 0)
	bert.post("post-c", "user")
	bert.comment(old[1], "up it comes")
	carl.comment(mine, "a word on yours")
	tells(1, 2, mine)
	has("1 new post, 2 came up again", "1 of your discussions moved", `href="/anna/`+mine+`"`, "my own one", "1 comment")
	bert.comment(old[0], "and on I go")
	tells(1, 3, old[0], mine)
	has("1 new post, 3 came up again", "2 of your discussions moved")
	v.later(10 * time.Minute)
	has("3 came up again") // for as long as the visit
	if a := browser.form("POST", "/api/v1/catch_up", "_method", "DELETE", "return_to", "/"); a.status != 303 || a.header.Get("Location") != "/" {
		t.Fatalf("put away: %d %s", a.status, a.header.Get("Location"))
	}
	has()
	v.later(time.Hour)
	has()
	bert.post("post-d", "user")
	has("1 new post.")
	// What she may not read any more is not counted.
	if err := v.store.Ban(t.Context(), v.ids["bert"], "anna"); err != nil {
		t.Fatal(err)
	}
	if err := v.node.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	tells(0, 0)
	has()
}
