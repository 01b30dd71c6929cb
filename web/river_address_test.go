package web_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestEveryKindOfRiverHasAPage reads each as JSON and as people do.
func TestEveryKindOfRiverHasAPage(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	dutch := alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "De brug gaat open #Canals", "timelines": []string{"user"}, "lang": "nl"}}).ok().id("post", "id")
	alice.post("of a private feed", "user_private")
	alice.post("only for alice", "user_fyeo")
	bobby.comment(dutch, "and @alice knows")
	bobby.post("I saw @alice", "user")
	alice.send("POST", "/api/v1/lists.json", object{"name": "Night watch"}).ok()
	day := time.Now().UTC().Format("2006/01/02")
	dashed := strings.ReplaceAll(day, "/", "-")
	for _, tt := range []struct {
		who              *client
		path, descriptor string
		texts            string // of the entries, joined
		title            string
	}{
		{alice, "/alice/private", "user_private:alice", "of a private feed", "Alice: private feed"},
		{alice, "/filter/fyeo", "user_fyeo", "only for alice", "For your eyes only"},
		{alice, "/filter/discussions", "discussions", "De brug gaat open #Canals|only for alice|of a private feed", "Discussions"},
		{bobby, "/filter/discussions", "discussions", "I saw @alice|De brug gaat open #Canals", "Discussions"},
		{alice, "/filter/mentions", "mentions", "I saw @alice|De brug gaat open #Canals", "Mentions"},
		{alice, "/list/Night%20watch", "list:Night watch", "", "List: Night watch"},
		{b.visitor(), "/alice/calendar/" + day, "day:alice:" + dashed, "De brug gaat open #Canals", "Alice: " + time.Now().UTC().Format("2 January 2006")},
		{alice, "/alice/calendar/" + day[:7], "day:alice:" + dashed[:7], "only for alice|of a private feed|De brug gaat open #Canals", "Alice: " + time.Now().UTC().Format("January 2006")},
		{b.visitor(), "/alice/calendar/2012", "day:alice:2012", "", "Alice: 2012"},
		{b.visitor(), "/filter/everything", "everything", "I saw @alice|De brug gaat open #Canals", "Everything"},
		{b.visitor(), "/filter/everything/nl", "everything:nl", "De brug gaat open #Canals", "Everything: Nederlands"},
		{b.visitor(), "/filter/best_of", "best_of", "", "Best of"},
		{alice, "/filter/best_of/nl?period=day", "best_of:nl:day", "", "Best of: Nederlands"},
		{b.visitor(), "/filter/most_faved?period=month", "most_faved:month", "", "Most favourited"},
		{b.visitor(), "/filter/most_faved?period=ever", "most_faved:ever", "", "Most favourited"},
		{b.visitor(), "/filter/best_of?period=rising", "best_of", "", "Best of"},
		{b.visitor(), "/s?q=%23canals", "hashtag:canals", "De brug gaat open #Canals", "#canals"},
	} {
		path, query, _ := strings.Cut(tt.path, "?")
		if query != "" {
			query = "?" + query
		}
		a := tt.who.get(path + ".json" + query).ok()
		what, _, _ := strings.Cut(tt.descriptor, ":")
		if a.at("river", "descriptor") != tt.descriptor || a.at("river", "what") != what || a.at("river", "is_single_post") != false {
			t.Errorf("%s is %v", tt.path, a.at("river"))
		}
		if signature, _ := a.at("river", "signature").(string); !strings.HasSuffix(signature, "/"+tt.descriptor) {
			t.Errorf("%s is signed %q", tt.path, signature)
		}
		var texts []string
		for _, e := range a.at("entries").([]any) {
			texts = append(texts, at(e, "text").(string))
		}
		if got := strings.Join(texts, "|"); got != tt.texts {
			t.Errorf("%s has %q, want %q", tt.path, got, tt.texts)
		}
		page := *tt.who
		page.accept = "text/html"
		shown := page.get(tt.path).html()
		title := regexp.MustCompile(`<title>(?:\(\d+\) )?([^<]*) · Amstel</title>`).FindStringSubmatch(shown)
		if title == nil || title[1] != tt.title {
			t.Errorf("%s is called %q, want %q", tt.path, title, tt.title)
		}
		if !strings.Contains(shown, `data-live="true"`) || strings.Count(shown, "<h1") != 1 {
			t.Errorf("%s is not live, or has not one heading", tt.path)
		}
	}

	// A ranking links to all of its periods, and marks its own.
	for asked, current := range map[string]string{"": "Rising", "?period=rising": "Rising", "?period=week": "Week", "?period=ever": "All time"} {
		page := *b.visitor()
		page.accept = "text/html"
		shown := page.get("/filter/best_of" + asked).html()
		_, shown, _ = strings.Cut(shown, `aria-label="Period"`)
		shown, _, _ = strings.Cut(shown, "</nav>")
		var offers []string
		for _, link := range regexp.MustCompile(`(?s)<a[^>]* href="([^"]*)"([^>]*)>(.*?)</a>`).FindAllStringSubmatch(shown, -1) {
			text := strings.TrimSpace(link[3])
			offers = append(offers, text+" "+link[1])
			if marked := strings.Contains(link[0], `aria-current="page"`); marked != (text == current) {
				t.Errorf("best of%s marks %s: %v", asked, text, marked)
			}
		}
		const best = "/filter/best_of"
		want := []string{"Rising " + best, "Day " + best + "?period=day", "Week " + best + "?period=week", "Month " + best + "?period=month", "All time " + best + "?period=ever"}
		if !slices.Equal(offers, want) {
			t.Errorf("best of%s offers %q, want %q", asked, offers, want)
		}
	}

	// A viewer's own pages lead visitors to sign in, and show other viewers nothing.
	for _, path := range []string{"/filter/fyeo", "/filter/discussions", "/filter/mentions", "/list/Night%20watch"} {
		if a := b.visitor().get(path + ".json"); a.status != 401 {
			t.Errorf("%s for a visitor: %d", path, a.status)
		}
	}
	if a := bobby.get("/list/Night%20watch.json"); a.status != 404 {
		t.Errorf("another person's list: %d", a.status)
	}
	if a := bobby.get("/alice/private.json"); a.status != 403 {
		t.Errorf("a private feed, for a person who may not read it: %d", a.status)
	}
	for path, code := range map[string]string{"/filter/everything/la.json": "no_such_language", "/filter/everything/xx.json": "no_such_language", "/alice/calendar/2024/02/30.json": "not_found"} {
		if a := alice.get(path); a.status != 404 || a.at("code") != code {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// TestLanguageOfUnreadablePostsAnswersLikeAnUnusedOne checks that a viewer gets the same answer for a language
// with unreadable posts alone as for a language without posts.
func TestLanguageOfUnreadablePostsAnswersLikeAnUnusedOne(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.as("alice")
	alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "geheim", "timelines": []string{"user_private"}, "lang": "fy"}}).ok()
	for _, c := range []*client{b.visitor(), b.as("bobby")} {
		hidden, never := c.get("/filter/everything/fy.json"), c.get("/filter/everything/la.json")
		if hidden.status != 404 || hidden.body != never.body {
			t.Errorf("%d %s, as against %s", hidden.status, hidden.body, never.body)
		}
	}
}

// TestPageOfAnUnreadableTagAnswersLikeAnUnusedOne: the page of a tag in unreadable posts alone
// equals the page of an unused tag.
func TestPageOfAnUnreadableTagAnswersLikeAnUnusedOne(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	b.as("alice").post("#secret", "user_private")
	own := regexp.MustCompile(`data-(river|epoch|counter|position)="[^"]*"`)
	for _, c := range []*client{b.visitor(), b.as("bobby")} {
		pages := make(map[string]string)
		for _, tag := range []string{"secret", "never"} {
			c.accept = ""
			a := c.get("/s.json?by=tag&q=%23" + tag).ok()
			if a.at("river", "descriptor") != "hashtag:"+tag || a.at("river", "what") != "hashtag" || len(a.at("entries").([]any)) != 0 {
				t.Errorf("%s: %s", tag, a.body)
			}
			c.accept = "text/html"
			pages[tag] = strings.ReplaceAll(own.ReplaceAllString(c.get("/s?by=tag&q=%23"+tag).html(), ""), tag, "TAG")
		}
		if diff := cmp.Diff(pages["never"], pages["secret"]); diff != "" {
			t.Errorf("the page reveals that a post has the tag (-never +used):\n%s", diff)
		}
	}
	if page := b.browser("alice").get("/s?q=%23secret").html(); !strings.Contains(page, "river-hashtag") {
		t.Error("a person who may read the post does not get the tag's page")
	}
}

// TestBoundsAndOrders asks for parts of a page by posts, and in other orders.
func TestBoundsAndOrders(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	var ids []string
	for _, text := range []string{"one", "two", "three", "four", "five"} {
		ids = append(ids, alice.post(text, "user"))
	}
	alice.comment(ids[1], "up") // two stands at the top
	texts := func(c *client, path string) (all []string) {
		t.Helper()
		for path != "" {
			a := c.get(path).ok()
			for _, e := range a.at("entries").([]any) {
				all = append(all, at(e, "text").(string))
			}
			path, _ = a.at("precise_older_entries_url").(string)
		}
		return all
	}
	for query, want := range map[string][]string{
		"":                                {"two", "five", "four", "three", "one"},
		"count=2":                         {"two", "five", "four", "three", "one"},
		"order=fresh":                     {"two", "five", "four", "three", "one"},
		"order=created&count=2":           {"five", "four", "three", "two", "one"},
		"since_id=" + ids[2] + "&count=1": {"two", "five", "four"},
		"since_id=" + ids[1]:              nil,
		"max_id=" + ids[3] + "&count=2":   {"four", "three", "one"},
		"max_id=" + ids[4] + "&since_id=" + ids[2]:                       {"five", "four"},
		"order=created&max_id=" + ids[1]:                                 {"two", "one"},
		"order=created&since_id=" + ids[1]:                               {"five", "four", "three"},
		"order=created&since_id=" + ids[0] + "&max_id=" + ids[2]:         {"three", "two"},
		"order=created&count=1&max_id=" + ids[3] + "&since_id=" + ids[1]: {"four", "three"},
	} {
		if diff := cmp.Diff(want, texts(b.visitor(), "/alice.json?"+query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	// By number, too, a bound post bounds.
	if a := b.visitor().get("/alice.json?count=2&page=2&max_id=" + ids[4]).ok(); a.at("entries", 0, "text") != "three" || a.at("newer_entries_url") != "/alice.json?count=2&max_id="+ids[4] {
		t.Errorf("the second page: %s", a.body)
	}
	// Reading on from below a post continues there, even if the post moves.
	first := b.visitor().get("/alice.json?count=1&since_id=" + ids[0]).ok()
	alice.comment(ids[0], "up, too")
	if got := texts(b.visitor(), first.at("precise_older_entries_url").(string)); len(got) != 3 {
		t.Errorf("after the post below was commented on: %v", got)
	}
	for query, field := range map[string]string{"since_id=99": "since_id", "max_id=99": "max_id", "max_id=" + alice.post("mine alone", "user_fyeo"): "max_id"} {
		if a := bobby.get("/alice.json?" + query); a.status != 422 || a.at("fields", field) != "is no post that you can read" {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}
	// Other orders are not live.
	alice.accept = "text/html"
	for path, live := range map[string]string{"/": "true", "/?order=created": "false", "/?order=top": "false", "/?order=fresh": "true", "/?exclude_replies=1": "true"} {
		if page := alice.get(path).html(); !strings.Contains(page, `data-live="`+live+`"`) {
			t.Errorf("%s is not live %s", path, live)
		}
	}
}

// TestRepliesAreLeftOut reads a home without the posts that only friends' comments and likes
// brought.
func TestRepliesAreLeftOut(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.send("POST", "/api/v1/users/bobby/subscribers", nil).ok()
	bobby.post("of a friend", "user")
	carols := b.as("carol").post("of a stranger", "user")
	bobby.comment(carols, "well said")
	for query, want := range map[string]int{"": 2, "?exclude_replies=0": 2, "?exclude_replies=1": 1, "?exclude_replies=true&count=1": 1} {
		a := alice.get("/index.json" + query).ok()
		if got := a.at("entries").([]any); len(got) != min(want, 2) || want == 1 && at(got[0], "text") != "of a friend" {
			t.Errorf("%q: %s", query, a.body)
		}
	}
}

// TestLanguageOfAPost chooses the language of a post, changes it, and leaves it to detection.
func TestLanguageOfAPost(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice")
	alice := b.browser("alice")
	if page := alice.get("/").html(); strings.Contains(page, `name="post[lang]"`) {
		t.Error("languages are offered before there is any")
	}
	alice.form("POST", "/api/v1/posts.json", "post[text]", "hoi", "post[timelines][]", "user", "post[lang]", "nl", "return_to", "/")
	entry := func() answer { return b.visitor().get("/alice.json").ok() }
	id := entry().id("entries", 0, "id")
	if entry().at("entries", 0, "lang") != "nl" {
		t.Fatalf("%s", entry().body)
	}
	page := alice.get("/").html()
	if !strings.Contains(page, `<option value="nl" lang="nl">Nederlands</option>`) || !regexp.MustCompile(`class="text bem-post__text"[^>]* lang="nl"`).MatchString(page) {
		t.Error("the language is neither offered nor said of the text")
	}
	edit := alice.get("/alice/" + id + "/edit").html()
	if !strings.Contains(edit, `<option value="nl" lang="nl" selected>Nederlands</option>`) {
		t.Error("the form does not show it")
	}
	alice.form("POST", "/api/v1/posts/"+id+".json", "_method", "PATCH", "post[lang]", "fy", "post[was][lang]", "nl", "post[text]", "hoi", "post[was][text]", "hoi")
	if entry().at("entries", 0, "lang") != "fy" {
		t.Errorf("corrected: %s", entry().body)
	}
	refused := alice.form("POST", "/api/v1/posts/"+id+".json", "_method", "PATCH", "post[lang]", "xx", "post[text]", "hoi")
	if refused.status != 422 || !strings.Contains(refused.body, "Choose one of the options.") {
		t.Errorf("no language: %d %s", refused.status, refused.body)
	}
	b.as("alice").send("PATCH", "/api/v1/posts/"+id+".json", object{"post": object{"lang": ""}}).ok()
	if got := entry().at("entries", 0, "lang"); got != nil {
		t.Errorf("left to be told of three letters: %v", got)
	}
	me := formatNumber(float64(b.ids["alice"]))
	alice.form("POST", "/api/v1/users/"+me+".json", "_method", "PATCH", "user[lang]", "ru", "return_to", "/settings")
	if page := alice.get("/settings").html(); !strings.Contains(page, `<option value="ru" lang="ru" selected>Русский</option>`) {
		t.Error("the setting is not shown")
	}
	b.as("alice").post("ok", "user")
	if got := entry().at("entries", 0, "lang"); got != "ru" {
		t.Errorf("as the setting says: %v", got)
	}
}
