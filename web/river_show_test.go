package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web"
)

// walk follows an address of each page to the next, and answers the texts.
func walk(t *testing.T, c *client, path, key string) (texts []string, pages int) {
	t.Helper()
	for path != "" {
		a := c.get(path).ok()
		for _, e := range a.at("entries").([]any) {
			texts = append(texts, at(e, "text").(string))
		}
		if pages++; pages > 50 {
			t.Fatal("there is no end")
		}
		path, _ = a.at(key).(string)
	}
	return texts, pages
}

func TestOlderEntries(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice")
	alice := b.as("alice")
	var want []string // written faster than one a second, so that a second has many
	for i := range 60 {
		text := fmt.Sprintf("post %d", i)
		alice.post(text, "user")
		want = append([]string{text}, want...)
	}
	for _, c := range []*client{b.visitor(), alice} {
		for path, count := range map[string]int{"/alice.json": 25, "/index.json": 25, "/alice.json?count=7": 7, "/filter/everything.json?count=60": 60} {
			for _, key := range []string{"older_entries_url", "precise_older_entries_url"} {
				texts, pages := walk(t, c, path, key)
				if diff := cmp.Diff(want, texts); diff != "" {
					t.Errorf("%s by %s:\n%s", path, key, diff)
				}
				if least := (60 + count - 1) / count; pages != least {
					t.Errorf("%s by %s: %d pages, want %d", path, key, pages, least)
				}
			}
		}
	}
	second := b.visitor().get("/alice.json?page=2").ok()
	for key, want := range map[string]string{
		"older_entries_url":         `^/alice\.json\?page=3$`,
		"precise_older_entries_url": `^/alice\.json\?before=\d+%2C\d+&page=3&start_from=\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\dZ$`,
		"newer_entries_url":         `^/alice\.json$`,
	} {
		if got, _ := second.at(key).(string); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s is %q", key, got)
		}
	}

	// The same for people, by links.
	var seen []string
	path := "/alice"
	for path != "" {
		page := b.visitor().get(path).html()
		for _, m := range regexp.MustCompile(`<p>(post \d+)</p>`).FindAllStringSubmatch(page, -1) {
			seen = append(seen, m[1])
		}
		next := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(page)
		if path = ""; next != nil {
			path = strings.ReplaceAll(next[1], "&amp;", "&")
		}
	}
	if !slices.Equal(seen, want) {
		t.Errorf("links lead to %d posts: %v", len(seen), seen)
	}
}

func TestOldClientsPageByTime(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.as("alice")
	ids := []string{alice.post("oldest", "user"), alice.post("older", "user"), alice.post("newest", "user")}
	for i, at := range []string{"2016-06-18T18:08:14Z", "2016-06-18T18:08:15Z", "2016-06-18T18:08:16Z"} {
		const query = `with p as (update posts set fresh_at = $2 where id = $1) update timeline_entries set fresh_at = $2 where post_id = $1`
		if _, err := b.pool.Exec(t.Context(), query, ids[i], mustTime(t, at).UnixMilli()); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []string{"2016-06-18T18%3A08%3A16Z", "2016-06-18+18:08:16%2B00:00", "2016-06-18%2020:08:16+02:00"} {
		a := b.visitor().get("/filter/everything.json?page=2&start_from=" + from).ok()
		if len(a.at("entries").([]any)) != 2 || a.at("entries", 0, "text") != "older" {
			t.Errorf("from %s: %s", from, a.body)
		}
	}
}

func TestPostsOwnAddress(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.as("alice")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	post := alice.post("in two places", "user", "group:cooks")
	for path, want := range map[string]string{
		"/alice/" + post: "", "/cooks/" + post: "", "/cooks/" + post + ".json": "", "//alice/" + post: "",
		"/bobby/" + post: "/alice/" + post, "/any-name/" + post + ".json": "/alice/" + post + ".json",
	} {
		a := b.visitor().get(path)
		if got := a.header.Get("Location"); got != want || want == "" && a.status != 200 {
			t.Errorf("%s: %d to %q, want %q", path, a.status, got, want)
		}
	}
	b.as("bobby").send("POST", "/api/v1/posts/"+post+"/likes", nil).result("liked")
	if page := b.visitor().get("/alice/" + post + "/likes").html(); !strings.Contains(page, `href="/bobby"`) || !strings.Contains(page, `href="/cooks/`+post+`"`) {
		t.Errorf("the likes of a post, for people: %s", page)
	}
}

func TestHome(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	b.as("bobby").post("by a followed person", "user")
	b.as("carol").post("of a stranger", "user")
	alice := b.as("alice")
	alice.send("POST", "/api/v1/users/bobby/subscribers", nil).ok()
	alice.accept = "text/html"
	if page := alice.get("/").html(); !strings.Contains(page, "by a followed person") || strings.Contains(page, "of a stranger") {
		t.Error("home is not what is followed")
	}
	// A visitor sees the river of everything, and a way to sign in.
	page := b.visitor().get("/").html()
	for _, want := range []string{"by a followed person", "of a stranger", "/users/sign_in", "/users/sign_up"} {
		if !strings.Contains(page, want) {
			t.Errorf("the first page has no %q", want)
		}
	}
	// The first page offers the groups to which one can post.
	alice.accept = ""
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks & Co"}}).ok()
	alice.accept = "text/html"
	if page := alice.get("/").html(); !strings.Contains(page, `value="group:cooks"`) || !strings.Contains(page, "Cooks &amp; Co") {
		t.Error("home does not offer the group")
	}
}

func TestPagesKeepToTheirReader(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	b.as("alice").post("hello", "user")
	for _, c := range []*client{b.as("bobby"), b.browser("bobby")} {
		for _, path := range []string{"/alice", "/alice.json", "/", "/settings"} {
			a := c.get(path)
			if cache := a.header.Get("Cache-Control"); a.status != 200 || !strings.Contains(cache, "private") && cache != "no-store" {
				t.Errorf("%s: %d, to be kept as %q", path, a.status, cache)
			}
		}
	}
	visitor, bobby := b.visitor().get("/alice.json"), b.as("bobby").get("/alice.json")
	if visitor.at("river", "uuid") == bobby.at("river", "uuid") {
		t.Error("a signed-in person has the river of visitors")
	}
	if one, two := b.as("bobby").get("/alice.json"), b.as("bobby").get("/alice.json"); one.at("river", "uuid") == two.at("river", "uuid") {
		t.Error("a river's name outlives the token")
	}
	if again := b.visitor().get("/alice.json"); again.at("river", "uuid") != visitor.at("river", "uuid") {
		t.Error("visitors don't share a river")
	}
}

// askedFrom requests a page from an address, as a proxy hands it on.
func (b *bundle) askedFrom(address, path string) (status int, header http.Header, body string) {
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.http.URL+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("X-Forwarded-For", address)
	answer, err := b.http.Client().Do(request)
	if err != nil {
		b.t.Error(err)
		return 0, nil, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Error(err)
	}
	return answer.StatusCode, answer.Header, string(text)
}

func TestPageFarDownWaitsInItsClientsLine(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	b := setupWith(t, pgtest.New(t), web.Config{TrustProxy: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::1/128")}},
		river.Settings{Limits: river.Limits{Waiting: 1, Patience: 5 * time.Second}}, "anna")
	tx, err := b.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := tx.Exec(t.Context(), `lock table timeline_entries in access exclusive mode`); err != nil {
		t.Fatal(err)
	}
	type answer struct {
		status int
		header http.Header
		body   string
	}
	ask := func(address, path string) <-chan answer {
		c := make(chan answer, 1)
		go func() {
			var a answer
			a.status, a.header, a.body = b.askedFrom(address, path)
			c <- a
		}()
		return c
	}
	first := ask("2001:db8:1:2::1", "/filter/everything?order=top")
	for held := false; !held; {
		if err := b.pool.QueryRow(t.Context(), `select exists (select from pg_locks where relation = 'timeline_entries'::regclass and not granted
			and database = (select oid from pg_database where datname = current_database()))`).Scan(&held); err != nil {
			t.Fatal(err)
		}
	}
	// Of two more requests from its network one waits, until it has waited too long.
	second, third := ask("2001:db8:1:2::2", "/filter/everything.json?order=top"), ask("2001:db8:1:2::3", "/filter/everything.json?order=top")
	other := ask("2001:db8:1:3::1", "/filter/everything?order=top")
	one, two := <-second, <-third
	if one.status > two.status {
		one, two = two, one
	}
	for _, refused := range []struct {
		answer
		status int
		words  string
	}{
		{one, http.StatusTooManyRequests, "too many pages at once"},
		{two, http.StatusServiceUnavailable, "Try again in a moment"},
		{<-other, http.StatusServiceUnavailable, "Try again in a moment"},
	} {
		if refused.answer.status != refused.status || refused.header.Get("Retry-After") == "" || !strings.Contains(refused.body, refused.words) {
			t.Errorf("answered %d (Retry-After %q), want %d and %q: %s", refused.answer.status, refused.header.Get("Retry-After"), refused.status, refused.words, refused.body)
		}
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := <-first; a.status != http.StatusOK {
		t.Errorf("the page that came first: %d", a.status)
	}
}

func TestPageBelowTheTenThousandthEntryIsRefusedInWords(t *testing.T) {
	t.Parallel()
	b := setup(t, "anna")
	for _, path := range []string{"/filter/everything?page=401", "/anna?page=101&count=100", "/filter/everything.json?page=401", "/anna.json?page=1000000"} {
		status, _, body := b.askedFrom("", path)
		if status != http.StatusUnprocessableEntity || !strings.Contains(body, "below the 10,000th entry; follow the older links") && !strings.Contains(body, "Follow the “Older” links") {
			t.Errorf("%s: %d, %s", path, status, body)
		}
	}
	if status, _, _ := b.askedFrom("", "/filter/everything?page=400"); status != http.StatusOK {
		t.Errorf("page 400: %d", status)
	}
}

// TestSearchEnginesAreAsked lets an author with the status disallow-robots write a post. Every
// page that shows the post asks search engines not to keep the page: the author's page, the
// post's page, and pages that list the post among others.
func TestSearchEnginesAreAsked(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bert")
	alice, bert := b.as("alice"), b.browser("bert")
	b.as("bert").post("for everybody", "user")
	id := alice.post("not for search engines", "user")
	asked := func(path string) bool {
		t.Helper()
		return strings.Contains(bert.get(path).ok().body, `<meta name="robots" content="noindex"`)
	}
	pages := map[string]bool{"/alice": true, "/alice/" + id: true, "/filter/everything": true, "/bert": false}
	for path := range pages {
		if asked(path) {
			t.Errorf("%s: search engines are kept out before the owner asks for it", path)
		}
	}
	alice.send("PATCH", "/api/v1/users/1", object{"user": object{"status": "disallow-robots"}}).ok()
	for path, want := range pages {
		if asked(path) != want {
			t.Errorf("%s: asked to leave it alone: %v, want %v", path, !want, want)
		}
	}
}
