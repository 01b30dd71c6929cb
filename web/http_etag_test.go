package web_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
)

// TestEveryJSONAnswerIsConfirmed walks all GET routes of the site as a member. Each JSON answer has an ETag,
// is confirmed by 304 while it stays the same, and is for no shared cache.
func TestEveryJSONAnswerIsConfirmed(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	post := alice.post("a red boat #amstel @bobby", "user")
	comment := bobby.comment(post, "of wood")
	alice.send("POST", "/api/v1/groups.json", object{"group": object{"name": "rowing"}}).ok()
	alice.send("POST", "/api/v1/lists.json", object{"name": "friends"}).ok()
	browser := b.session("alice")
	browser.accept = "application/json"

	// The values for the parameters of a route.
	filled := map[string]string{
		"post": post, "comment": comment, "lang": "en", "list": "friends", "year": "2026", "month": "11", "day": "20", "id": "1",
	}
	parameter := regexp.MustCompile(`\{([a-z]+)[^}]*\}`)
	confirmed := map[string]bool{}
	err := chi.Walk(b.site.Routes(), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method != http.MethodGet || strings.HasSuffix(route, "*") || strings.HasPrefix(route, "/live") || route == "/faye" || route == "/about/status" || route == "/api/openapi" { // what is never kept, and what is the same for all
			return nil
		}
		path := parameter.ReplaceAllStringFunc(route, func(part string) string {
			name := parameter.FindStringSubmatch(part)[1]
			switch {
			case name == "name" && strings.HasPrefix(route, "/api/v1/groups/"):
				return "rowing"
			case name == "name":
				return "alice"
			}
			return filled[name]
		})
		if route == "/s" || route == "/filter/people" || route == "/filter/groups" || strings.HasSuffix(route, "/completions") {
			path += "?q=boat"
		}
		if strings.HasSuffix(route, "/audience") {
			path += "?timelines=user"
		}
		for _, c := range []*client{browser, bobby, b.visitor()} {
			c.accept = "application/json"
			compareConfirmed(t, c, route, path, confirmed)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(confirmed) < 45 {
		t.Errorf("only %d routes have answered JSON: %v", len(confirmed), confirmed)
	}
	for _, route := range []string{
		"/", "/index", "/{name}", "/{name}/{post:[0-9]+}", "/{name}/{post:[0-9]+}/comments", "/{name}/{post:[0-9]+}/likes", "/filter/directs", "/list/{list}", "/s", "/{name}/subscribers",
		"/notifications", "/api/v1/notifications", "/api/v1/lists", "/api/v1/users/{name}", "/api/v1/groups/{name}", "/api/v1/tokens", "/api/v1/sessions", "/api/v1/site",
	} {
		if !confirmed[route] {
			t.Errorf("%s has not answered JSON", route)
		}
	}
}

// compareConfirmed requests a page twice, and checks the headers that let caches keep a JSON answer.
func compareConfirmed(t *testing.T, c *client, route, path string, confirmed map[string]bool) {
	t.Helper()
	c.header.Del("If-None-Match")
	first := c.get(path)
	if first.status != http.StatusOK || !strings.HasPrefix(first.header.Get("Content-Type"), "application/json") || !json.Valid([]byte(first.body)) {
		return
	}
	etag, kept, varies := first.header.Get("ETag"), first.header.Get("Cache-Control"), strings.Join(first.header.Values("Vary"), ", ")
	if etag == "" || !strings.Contains(kept, "no-cache") || strings.Contains(kept, "public") {
		t.Errorf("%s has the ETag %q, and is kept by %q", path, etag, kept)
	}
	for _, header := range []string{"Cookie", "Authorization", "X-API-Token", "Accept-Language", "Accept-Encoding", "Accept,"} {
		if !strings.Contains(varies+",", header) {
			t.Errorf("%s does not vary by %s: %s", path, header, varies)
		}
	}
	if personal := c.token != "" || c.header.Get("Cookie") != ""; personal && !strings.Contains(kept, "private") {
		t.Errorf("%s of a member is kept by %q", path, kept)
	}
	c.header.Set("If-None-Match", `"other", `+etag)
	again := c.get(path)
	c.header.Del("If-None-Match")
	if again.status != http.StatusNotModified || again.body != "" || again.header.Get("ETag") != etag {
		t.Errorf("%s again: %d with the ETag %q, %d bytes; want 304 and %q", path, again.status, again.header.Get("ETag"), len(again.body), etag)
	}
	if other := c.do("HEAD", path, "", nil); other.status != http.StatusOK || other.header.Get("ETag") != etag {
		t.Errorf("HEAD %s: %d %q", path, other.status, other.header.Get("ETag"))
	}
	confirmed[route] = true
}

// TestNoConfirmationAfterALoss checks that a client which has the ETag of a page is never told that it has the
// page still, once the page shows the client something else, or nothing.
func TestNoConfirmationAfterALoss(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	secret := alice.post("for a few eyes", "user")
	bobby.send("POST", "/api/v1/users/alice/subscribers.json", nil).ok()
	b.as("bobby").comment(secret, "I saw it")

	pages := []string{"/index.json", "/alice.json", "/alice/" + secret + ".json", "/alice/" + secret + "/comments.json", "/alice/" + secret + "/likes.json", "/filter/discussions.json", "/filter/everything.json", "/s.json?q=eyes", "/alice/subscribers.json"}
	held := func(c *client) map[string]answer {
		all := map[string]answer{}
		for _, path := range pages {
			if a := c.get(path); a.status == http.StatusOK {
				all[path] = a
			}
		}
		return all
	}
	compare := func(when string, c *client, before map[string]answer, reads bool) {
		t.Helper()
		for path, old := range before {
			c.header.Set("If-None-Match", old.header.Get("ETag"))
			now := c.get(path)
			c.header.Del("If-None-Match")
			whole := c.get(path)
			switch showed := strings.Contains(old.body, "eyes"); {
			case now.status == http.StatusNotModified && (whole.status != http.StatusOK || whole.header.Get("ETag") != old.header.Get("ETag")):
				t.Errorf("%s: %s is confirmed, and would be %d", when, path, whole.status)
			case now.status == http.StatusNotModified && showed && !reads:
				t.Errorf("%s: %s is confirmed, which showed the post", when, path)
			case strings.Contains(now.body+whole.body, "for a few eyes") && !reads:
				t.Errorf("%s: %s shows the post", when, path)
			}
		}
	}
	visitor := b.visitor()
	seen, open := held(bobby), held(visitor)
	if len(seen) != len(pages) || len(open) < 5 {
		t.Fatalf("bobby has %d pages, a visitor %d", len(seen), len(open))
	}
	compare("at first", bobby, seen, true)
	compare("at first", visitor, open, true)

	me := alice.get("/api/v1/whoami.json").id("user", "id")
	alice.send("PATCH", "/api/v1/users/"+me+".json", object{"user": object{"status": "private"}}).ok()
	compare("private", visitor, open, false)
	compare("private, for a subscriber", bobby, held(bobby), true)
	seen = held(bobby)
	alice.send("POST", "/api/v1/users/bobby/ban.json", nil).ok()
	compare("banned", bobby, seen, false)
	alice.send("DELETE", "/api/v1/users/bobby/ban.json", nil).ok()
	alice.send("PATCH", "/api/v1/users/"+me+".json", object{"user": object{"status": "public"}}).ok()
	seen, open = held(bobby), held(visitor)
	alice.send("DELETE", "/api/v1/posts/"+secret+".json", nil).ok()
	compare("deleted", bobby, seen, false)
	compare("deleted", visitor, open, false)
}
