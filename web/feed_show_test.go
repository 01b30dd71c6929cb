package web_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/feedtest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

// feedEndings are the ends of the addresses of feeds, and their media types.
var feedEndings = map[string]string{".atom": "application/atom+xml", ".rss": "application/rss+xml", ".feed.json": "application/feed+json"}

// privateFeed creates a private address for a page, and returns its path without an ending.
func (c *client) privateFeed(page string) string {
	c.b.t.Helper()
	made := c.send("POST", "/api/v1/feed_addresses.json", object{"feed_address": object{"page": page}}).ok()
	at, is := made.at("atom_url").(string)
	if !is || made.header.Get("Cache-Control") != "no-store" {
		c.b.t.Fatalf("the address is answered %s, kept by %q", made.body, made.header.Get("Cache-Control"))
	}
	_, path, _ := strings.Cut(strings.TrimSuffix(at, ".atom"), "/feed/")
	return "/feed/" + path
}

// itemsOf returns the items of a feed, as "post/7".
func itemsOf(t *testing.T, feed string) (ids []string) {
	t.Helper()
	for _, item := range feedtest.Read(t, feed).Items {
		_, id, _ := strings.Cut(item.GUID, ",2026:")
		ids = append(ids, id)
	}
	return ids
}

// TestFeedsOfEveryKind compares the feeds of all kinds of rivers with their pages as JSON, in three formats: those
// that visitors can open, and with private addresses those of a person.
func TestFeedsOfEveryKind(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby, visitor := b.session("alice"), b.session("bobby"), b.visitor()
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "rowing", "display_name": "Rowers & co"}}).ok()
	dutch := alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "De brug gaat open #Canals", "timelines": []string{"user", "group:rowing"}, "lang": "nl"}}).ok().id("post", "id")
	alice.post("of a private feed", "user_private")
	alice.post("only for alice", "user_fyeo")
	alice.post("between us", "direct:bobby")
	bobby.comment(dutch, "and @alice knows <b>")
	bobby.comment(dutch, "so do I")
	bobby.send("POST", "/api/v1/posts/"+dutch+"/likes", nil).ok()
	alice.send("POST", "/api/v1/posts/"+bobby.post("I saw @alice", "user")+"/favs", nil).ok()
	alice.send("POST", "/api/v1/lists.json", object{"name": "Night watch.atom"}).ok()
	alice.send("POST", "/api/v1/lists/"+alice.get("/api/v1/lists.json").id("lists", 0, "id")+"/members", object{"name": "bobby"}).ok()
	alice.send("POST", "/api/v1/users/bobby/subscribers", nil).ok()
	day := time.Now().UTC().Format("2006/01/02")
	all, seen := map[string]string{}, 0
	compare := func(who *client, page, feed string, reader *client) {
		t.Helper()
		path, query, _ := strings.Cut(page, "?")
		if query != "" {
			query = "?" + query
		}
		if path == "/" {
			path = "/index"
		}
		json, key, kind := who.get(path+".json"+query).ok(), "entries", "post/"
		if json.at("river", "is_single_post") == true {
			json, key, kind = who.get(path+"/comments.json").ok(), "comments", "comment/"
		}
		want := []string{}
		for _, id := range ids(json.at(key)) {
			want = append(want, kind+id)
		}
		if kind == "comment/" {
			slices.Reverse(want) // the newest first
		}
		seen += len(want)
		at, query, _ := strings.Cut(feed, "?")
		if query != "" {
			query = "?" + query
		}
		for ending, mediaType := range feedEndings {
			a := reader.get(at + ending + query).ok()
			if got := itemsOf(t, a.body); !slices.Equal(got, want) && len(got)+len(want) > 0 {
				t.Errorf("%s as %s has %v, want %v", page, ending, got, want)
			}
			if got := a.header.Get("Content-Type"); got != mediaType+"; charset=utf-8" {
				t.Errorf("%s%s is %q", page, ending, got)
			}
			if a.header.Get("Access-Control-Allow-Origin") != "*" || a.header.Get("Set-Cookie") != "" {
				t.Errorf("%s%s: %v", page, ending, a.header)
			}
			all[page+" as "+ending] = a.body
		}
	}
	for _, page := range []string{
		"/", "/alice", "/alice/photos", "/alice/comments", "/bobby/likes", "/rowing", "/rowing/photos", "/alice/calendar/" + day, "/alice/calendar/" + day[:4], "/alice/" + dutch, "/rowing/" + dutch,
		"/filter/everything", "/filter/everything/nl", "/filter/best_of", "/filter/best_of/nl?period=day", "/filter/most_faved?period=ever", "/s?q=%23canals", "/s?q=brug+from%3Aalice", "/alice?count=1", "/alice?order=created",
	} {
		feed := page
		if page == "/" {
			feed = "/index"
		}
		for _, reader := range []*client{visitor, alice} { // whose cookie makes no difference
			compare(visitor, page, feed, reader)
		}
	}
	for _, page := range []string{
		"/", "/user", "/alice", "/alice/private", "/filter/directs", "/filter/favs", "/filter/discussions", "/filter/mentions", "/filter/fyeo", "/list/Night%20watch.atom", "/s?q=us", "/s?q=%23canals", "/alice/" + dutch, "/filter/best_of?period=week", "/filter/everything",
	} {
		compare(alice, page, alice.privateFeed(page), visitor)
	}
	feedtest.Check(t, all)
	if seen < 60 {
		t.Errorf("only %d items were compared", seen)
	}

	// Pages that visitors can't open have a feed only by a private address.
	for path, status := range map[string]int{
		"/alice/private.atom": 403, "/filter/directs.atom": 404, "/user.rss": 401, "/nobody.atom": 404, "/settings.atom": 404, "/about.rss": 404, "/alice/subscribers.atom": 404, "/s.atom": 422, "/alice.atom?page=0": 422,
		"/feed/x.atom": 404, "/feed/" + strings.Repeat("x", 43) + ".rss": 404, "/feed/files/1/x/1/medium.jpg": 404, "/alice/1.atom": 404, "/list/Night%20watch.atom.rss": 303, "/static/amstel.css.atom": 404,
	} {
		for _, c := range []*client{visitor, alice} {
			if a := c.get(path); a.status != status && !(c == alice && status == 303 && a.status == 404) {
				t.Errorf("%s: %d, want %d", path, a.status, status)
			}
		}
	}
}

// TestFeedItems checks what an item says, and that a feed leads to its older pages.
func TestFeedItems(t *testing.T) {
	t.Parallel()
	s := newStudio(t, timeline.AttachmentLimits{}, nil, "alice", "bobby")
	alice, bobby := s.session("alice"), s.session("bobby")
	photo := s.readyFile(alice, file{"soup.jpg", "a bowl of soup", photo(t, 90)})
	long := strings.Repeat("word ", 40)
	alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "<script>alert(1)</script> @bobby #Soup https://a.example/?x=1&y=2 " + long, "timelines": []string{"user"}, "attachment_ids": []json.Number{photo}, "lang": "en"}}).ok()
	alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "shown on demand", "timelines": []string{"user"}, "nsfw": true}}).ok()
	site := s.http.URL
	feed := s.visitor().get("/alice.atom").ok()
	got := feedtest.Read(t, feed.body)
	base := strings.TrimSuffix(got.Link, "/alice")
	item := got.Items[1]
	for _, part := range []string{"&lt;script&gt;", `href="` + base + `/bobby"`, `href="` + base + `/s?q=%23soup"`, `href="https://a.example/?x=1&amp;y=2"`, `<img src="` + base + `/f/`, `alt="a bowl of soup"`} {
		if !strings.Contains(item.Content, part) {
			t.Errorf("%s is not in %s", part, item.Content)
		}
	}
	if strings.Contains(item.Content, "<script") || strings.Contains(item.Content, `href="/`) || strings.Contains(item.Content, `src="/`) {
		t.Errorf("the content has a script or a relative address: %s", item.Content)
	}
	if n := len([]rune(item.Title)); n > 81 || !strings.HasSuffix(item.Title, "…") || !strings.HasPrefix(item.Title, "<script>alert(1)") || item.Authors[0].Name != "Alice" || !slices.Equal(item.Categories, []string{"soup"}) {
		t.Errorf("%q by %v in %v", item.Title, item.Authors, item.Categories)
	}
	if len(item.Enclosures) != 1 || !strings.HasPrefix(item.Enclosures[0].URL, base+"/f/") || item.Enclosures[0].Type != "image/jpeg" {
		t.Fatalf("%d enclosures", len(item.Enclosures))
	}
	if shown := s.visitor().get(strings.TrimPrefix(item.Enclosures[0].URL, base)).ok(); shown.header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("the enclosure is %q", shown.header.Get("Content-Type"))
	}
	if demand := got.Items[0]; demand.Title != "Not safe for work" || !strings.Contains(demand.Content, "<details>") || !slices.Contains(demand.Categories, "nsfw") {
		t.Errorf("%q %s %v", demand.Title, demand.Content, demand.Categories)
	}

	// The address of a file of a private post is only in its feed, and stops working with the feed.
	secret := s.readyFile(alice, file{"secret.jpg", "", photoOf(t)})
	alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "for bobby", "timelines": []string{"direct:bobby"}, "attachment_ids": []json.Number{secret}}}).ok()
	private := bobby.privateFeed("/filter/directs")
	direct := feedtest.Read(t, s.visitor().get(private+".atom").ok().body).Items[0]
	if len(direct.Enclosures) != 1 || !strings.HasPrefix(direct.Enclosures[0].URL, base+"/feed/files/") || strings.Contains(direct.Content+direct.Enclosures[0].URL, strings.TrimPrefix(private, "/feed/")) {
		t.Fatalf("the enclosures of a direct: %s", direct.Content)
	}
	path := strings.TrimPrefix(direct.Enclosures[0].URL, base)
	if a := s.visitor().get(path); a.status != 200 || a.header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("%s: %d, kept by %q", path, a.status, a.header.Get("Cache-Control"))
	}
	parts := strings.Split(path, "/")
	other := "x"
	if parts[4][0] == 'x' {
		other = "y"
	}
	parts[4] = other + parts[4][1:]
	if a := s.visitor().get(strings.Join(parts, "/")); a.status != 404 {
		t.Errorf("with another key: %d", a.status)
	}
	bobby.send("DELETE", "/api/v1/feed_addresses/"+bobby.get("/api/v1/feed_addresses").id("feed_addresses", 0, "id"), nil).ok()
	for _, gone := range []string{path, private + ".atom", private + ".rss"} {
		if a := s.visitor().get(gone); a.status != 404 || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s after the address was revoked: %d", gone, a.status)
		}
	}

	// The older pages of a feed have the other posts, each once.
	for range 5 {
		alice.post("one of many", "user")
	}
	var ids []string
	for at := "/alice.feed.json?count=2"; at != ""; {
		a := s.visitor().get(at).ok()
		ids = append(ids, itemsOf(t, a.body)...)
		next, _ := a.at("next_url").(string)
		at = strings.TrimPrefix(next, base)
	}
	if slices.Sort(ids); len(ids) != 7 || len(slices.Compact(ids)) != 7 {
		t.Errorf("the pages of the feed have %v; the site is %s", ids, site)
	}
}

// photoOf returns a photo of another shade than others.
func photoOf(t *testing.T) []byte { return photo(t, 91) }

// TestFeedIsConfirmed holds when a reader that has a feed is told that it is current.
func TestFeedIsConfirmed(t *testing.T) {
	t.Parallel()
	ahead := new(atomic.Int64)
	b := setupOn(t, pgtest.New(t), web.Config{Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }}, "alice", "bobby")
	alice := b.session("alice")
	alice.post("one", "user")
	private := alice.privateFeed("/")
	for _, path := range []string{"/alice.atom", "/alice.feed.json", private + ".rss"} {
		post := alice.post("two", "user")
		c := b.visitor()
		ask := func(name, value string, status int, when string) answer {
			t.Helper()
			c.header = http.Header{name: {value}}
			a := c.get(path)
			if a.status != status || status == 304 && a.body != "" || a.header.Get("ETag") == "" || a.header.Get("Last-Modified") == "" {
				t.Errorf("%s with %s %q %s: %d %v", path, name, value, when, a.status, a.header)
			}
			return a
		}
		first := ask("Accept", "*/*", 200, "at first")
		want := map[bool]string{true: "public, no-cache", false: "private, no-cache"}[path[1] == 'a']
		if kept := first.header.Get("Cache-Control"); kept != want || first.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s is kept by %q, and varies by %q", path, kept, first.header.Get("Vary"))
		}
		etag := first.header.Get("ETag")
		ask("If-None-Match", etag, 304, "again")
		ask("If-Modified-Since", first.header.Get("Last-Modified"), 200, "within the second")
		ahead.Add(int64(20 * time.Second))
		modified := ask("Accept", "*/*", 200, "later").header.Get("Last-Modified")
		ask("If-Modified-Since", modified, 304, "later")
		ask("If-Modified-Since", "yesterday", 200, "later")
		alice.send("DELETE", "/api/v1/posts/"+post, nil).ok()
		if a := ask("If-None-Match", etag, 200, "after a deletion"); strings.Contains(a.body, ">two") || strings.Contains(a.body, "post/"+post) {
			t.Errorf("%s has the deleted post", path)
		}
		ask("If-Modified-Since", modified, 200, "after a deletion")
		ahead.Add(int64(20 * time.Second))
		ask("If-Modified-Since", modified, 200, "long after a deletion")
	}
}

// TestFeedEndsAtOnce checks that a feed shows nothing any more when the answer to the write is there that took the
// right away, also to readers that have what was shown before.
func TestFeedEndsAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby := b.session("alice"), b.session("bobby")
	me := alice.get("/api/v1/whoami").id("user", "id")
	status := func(to string) {
		t.Helper()
		alice.send("PATCH", "/api/v1/users/"+me, object{"user": object{"status": to}}).ok()
	}
	post := alice.post("for a few eyes", "user")
	bobby.comment(post, "with these eyes")
	bobby.send("POST", "/api/v1/users/alice/subscribers", nil).ok()
	open := []string{"/alice.atom", "/index.rss", "/filter/everything.feed.json", "/alice/" + post + ".atom", "/s.atom?q=eyes", "/alice/likes.rss"}
	own := []string{bobby.privateFeed("/") + ".atom", bobby.privateFeed("/alice") + ".feed.json", bobby.privateFeed("/filter/discussions") + ".rss", bobby.privateFeed("/alice/"+post) + ".atom"}
	tags := map[string]string{}
	compare := func(when string, paths []string, shown bool) {
		t.Helper()
		for _, path := range paths {
			c := b.visitor()
			c.header.Set("If-None-Match", tags[path])
			again := c.get(path)
			c.header.Del("If-None-Match")
			now := c.get(path)
			if has := strings.Contains(now.body, "eyes</p>") || strings.Contains(now.body, "eyes&lt;/p&gt;"); has != shown && path != "/alice/likes.rss" {
				t.Errorf("%s: %s is answered %d, and has the post: %v", when, path, now.status, has)
			}
			if !shown && again.status == http.StatusNotModified && strings.HasPrefix(path, "/alice") && path != "/alice/likes.rss" {
				t.Errorf("%s: %s is confirmed", when, path)
			}
			if now.status == http.StatusOK && (again.status == http.StatusNotModified) != (now.header.Get("ETag") == tags[path]) {
				t.Errorf("%s: %s is confirmed by %d, with %q of %q", when, path, again.status, tags[path], now.header.Get("ETag"))
			}
			tags[path] = now.header.Get("ETag")
		}
	}
	compare("public", open, true)
	compare("public", own, true)
	status("disallow-robots")
	if a := b.visitor().get("/alice.atom"); a.status != 200 || a.header.Get("X-Robots-Tag") != "noindex" {
		t.Errorf("disallow-robots: %d %v", a.status, a.header)
	}
	status("private")
	compare("private", open, false)
	compare("private", own, true)
	alice.send("DELETE", "/api/v1/users/alice/subscribers/bobby", nil).ok()
	compare("not a subscriber any more", own, false)
	status("public")
	compare("public again", open, true)
	compare("public again", own, true)
	alice.send("POST", "/api/v1/users/bobby/ban", nil).ok()
	compare("banned", own, false)
	compare("banned", open, true)
	alice.send("DELETE", "/api/v1/users/bobby/ban", nil).ok()
	compare("not banned any more", own, true)

	ask := func(path string) int { return b.visitor().get(path).status }
	if err := b.store.Suspend(t.Context(), b.ids["bobby"]); err != nil || ask(own[0]) != 404 {
		t.Errorf("of a suspended person: %d, %v", ask(own[0]), err)
	}
	if err := b.store.Restore(t.Context(), b.ids["bobby"]); err != nil || ask(own[0]) != 200 {
		t.Errorf("of a restored person: %d, %v", ask(own[0]), err)
	}
	bobby = b.session("bobby")
	bobby.send("DELETE", "/api/v1/users/"+bobby.get("/api/v1/whoami").id("user", "id"), object{"password": "password of bobby"}).ok()
	compare("of a deleted person", own, false)
	if ask(own[0]) != 404 {
		t.Errorf("of a deleted person: %d", ask(own[0]))
	}
	alice.send("DELETE", "/api/v1/posts/"+post, nil).ok()
	compare("deleted", open, false)
}

// TestFeedKeepsOverRenames: addresses lead on, private ones stay, and readers see no item twice.
func TestFeedKeepsOverRenames(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.session("alice")
	post := alice.post("here to stay", "user")
	alice.comment(post, "and so do I")
	alice.post("of a private feed", "user_private")
	alice.send("POST", "/api/v1/lists.json", object{"name": "friends"}).ok()
	list := alice.get("/api/v1/lists.json").id("lists", 0, "id")
	alice.send("POST", "/api/v1/lists/"+list+"/members", object{"name": "bobby"}).ok()
	b.session("bobby").post("of a list", "user")
	own := []string{alice.privateFeed("/alice/private"), alice.privateFeed("/list/friends"), alice.privateFeed("/alice"), alice.privateFeed("/alice/" + post)}
	id := regexp.MustCompile(`<(?:id|guid)[^>]*>([^<]*)<`)
	ids := func(path string) (all []string) {
		t.Helper()
		for _, found := range id.FindAllStringSubmatch(b.visitor().get(path).ok().body, -1) {
			all = append(all, found[1])
		}
		return all
	}
	var before [][]string
	for _, path := range own {
		before = append(before, ids(path+".atom"))
	}
	public := ids("/alice.atom")
	me := alice.get("/api/v1/whoami").id("user", "id")
	alice.send("PATCH", "/api/v1/users/"+me, object{"user": object{"name": "alicia"}}).ok()
	alice.send("PATCH", "/api/v1/lists/"+list, object{"name": "neighbours"}).ok()
	for i, path := range own {
		if now := ids(path + ".atom"); !slices.Equal(now, before[i]) || len(now) < 2 {
			t.Errorf("%s has %v, and had %v", path, now, before[i])
		}
	}
	for ending := range feedEndings {
		if a := b.visitor().get("/alice" + ending); a.status != 301 || a.header.Get("Location") != "/alicia"+ending {
			t.Errorf("/alice%s leads to %q with %d", ending, a.header.Get("Location"), a.status)
		}
		if a := b.visitor().get("/bobby/" + post + ending); a.status != 302 || a.header.Get("Location") != "/alicia/"+post+ending {
			t.Errorf("/bobby/%s%s leads to %q with %d", post, ending, a.header.Get("Location"), a.status)
		}
	}
	if now := ids("/alicia.atom"); !slices.Equal(now, public) {
		t.Errorf("the feed has %v, and had %v", now, public)
	}
}

// TestFeedAddresses: private addresses are made and revoked by forms without script, and by the API.
func TestFeedAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	b.as("alice").post("of a private feed", "user_private")
	shown := alice.get("/settings/feeds?page=/bobby").ok()
	for _, part := range []string{`<option value="/">`, `<option value="/filter/directs">`, `<option value="/bobby" selected>`} {
		if !strings.Contains(shown.body, part) {
			t.Errorf("the form has no %s", part)
		}
	}
	if sent := alice.form("POST", "/settings/feeds?form=feed", "feed_address[page]", "/alice/private"); sent.status != 303 || sent.header.Get("Location") != "/settings/feeds" {
		t.Fatalf("%d %s", sent.status, sent.body)
	}
	secrets := regexp.MustCompile(`value="([^"]*/feed/[^"]+)"`)
	made := alice.get("/settings/feeds").ok()
	found := secrets.FindAllStringSubmatch(made.body, -1)
	if len(found) != 3 || made.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d addresses are shown, kept by %q", len(found), made.header.Get("Cache-Control"))
	}
	for _, address := range found {
		_, path, _ := strings.Cut(address[1], "/feed/")
		if a := b.visitor().get("/feed/" + path); a.status != 200 || !strings.Contains(a.body, "of a private feed") {
			t.Errorf("%s: %d", address[1], a.status)
		}
	}
	if again := alice.get("/settings/feeds").ok(); secrets.MatchString(again.body) || !strings.Contains(again.body, "Alice: private feed") {
		t.Error("the address is shown twice, or not listed")
	}
	if bad := alice.form("POST", "/settings/feeds?form=feed", "feed_address[page]", "/nobody"); bad.status != 422 || !strings.Contains(bad.body, `class="problem"`) {
		t.Errorf("a page that there is not: %d", bad.status)
	}
	api := b.session("alice")
	for page, status := range map[string]int{
		"": 422, "/nobody": 422, "https://other.example/": 422, "//x": 422, "/about": 422, "/list/none": 422, "/s": 422, "/bobby/private": 403, "/alice/1": 404, "/filter/directs.json": 200, "/bobby.atom": 200,
	} {
		if a := api.send("POST", "/api/v1/feed_addresses", object{"feed_address": object{"page": page}}); a.status != status {
			t.Errorf("%q: %d %s, want %d", page, a.status, a.body, status)
		}
	}
	if a := b.as("alice").send("POST", "/api/v1/feed_addresses", object{"feed_address": object{"page": "/"}}); a.status != 403 || a.at("code") != "not_by_token" {
		t.Errorf("by a token: %d %s", a.status, a.body)
	}
	list := api.get("/api/v1/feed_addresses").ok()
	if got := ids(list.at("feed_addresses")); len(got) != 3 || strings.Contains(list.body, "/feed/") || list.at("feed_addresses", 1, "page") == "/filter/directs.json" {
		t.Errorf("the list is %s", list.body)
	}
	id := list.id("feed_addresses", 0, "id")
	if a := b.session("bobby").send("DELETE", "/api/v1/feed_addresses/"+id, nil); a.status != 404 {
		t.Errorf("another's: %d", a.status)
	}
	if a := alice.form("POST", "/api/v1/feed_addresses/"+id+".json", "_method", "DELETE", "return_to", "/settings/feeds"); a.status != 303 {
		t.Errorf("revoked by a form: %d %s", a.status, a.body)
	}
	if got := ids(api.get("/api/v1/feed_addresses").at("feed_addresses")); len(got) != 2 {
		t.Errorf("%v are left", got)
	}
}

// TestPagesNameTheirFeeds: pages that visitors can open have links to their feeds; of others a member is led to the settings.
func TestPagesNameTheirFeeds(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.browser("alice")
	post, hidden := b.as("alice").post("hoi #tea", "user"), b.as("alice").post("for me", "user_fyeo")
	visitor := b.visitor()
	visitor.accept = "text/html"
	link := regexp.MustCompile(`<link rel="alternate" type="(application/[a-z]+\+[a-z]+)" title="[^"]+" href="([^"]+)"`)
	for path, feed := range map[string]string{"/": "/index", "/alice": "/alice", "/alice/" + post: "/alice/" + post, "/s?q=%23tea": "/s?q=%23tea", "/filter/best_of?period=week": "/filter/best_of?period=week", "/alice?page=2": "/alice"} {
		body := visitor.get(path).ok().body
		found := link.FindAllStringSubmatch(body, -1)
		if len(found) != 3 {
			t.Errorf("%s has %d links to feeds", path, len(found))
		}
		at, query, _ := strings.Cut(feed, "?")
		for _, one := range found {
			ending, _, _ := strings.Cut(strings.TrimPrefix(one[2], at), "?")
			if a := visitor.get(one[2]); feedEndings[ending] != one[1] || !strings.HasSuffix(one[2], query) || a.status != 200 {
				t.Errorf("%s has the feed %q of the type %q: %d", path, one[2], one[1], a.status)
			}
			if !strings.Contains(body, `<a href="`+one[2]+`" type="`) {
				t.Errorf("%s has no link to %s for people", path, one[2])
			}
		}
	}
	for _, path := range []string{"/", "/filter/directs", "/alice/" + hidden} {
		body := alice.get(path).ok().body
		if link.MatchString(body) || !strings.Contains(body, `href="/settings/feeds?page=`) {
			t.Errorf("%s has a public feed, or leads to no private one", path)
		}
	}
}
