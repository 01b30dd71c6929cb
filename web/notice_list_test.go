package web_test

import (
	"strings"
	"testing"

	"amstel.dev/amstel/internal/racetest"
)

func TestNoticesAsPagesFormsAndJSON(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol := b.as("alice"), b.as("bobby"), b.as("carol")
	post := alice.post("what Alice <wrote>", "user")
	bobby.send("POST", "/api/v1/posts/"+post+"/likes.json", nil).ok()
	comment := bobby.comment(post, "what Bobby answered")
	own := alice.comment(post, "what Alice said to that")
	carol.send("POST", "/api/v1/posts/"+post+"/clike/"+own+".json", nil).ok()
	bobby.post("between us", "direct:alice")
	bobby.send("POST", "/api/v1/users/alice/subscribers.json", nil).ok()

	list := alice.get("/api/v1/notifications.json?count=3").ok()
	kinds := func(a answer) (all []string) {
		t.Helper()
		for _, n := range a.at("notifications").([]any) {
			all = append(all, at(n, "kind").(string))
		}
		return all
	}
	if got := strings.Join(kinds(list), " "); got != "subscriber direct comment_like" || list.at("unread") != 5.0 {
		t.Errorf("%s, %v unread", got, list.at("unread"))
	}
	like := list.at("notifications", 2)
	if at(like, "user_id") != nil || at(like, "comment_text") != "what Alice said to that" || at(like, "url") != "/alice/"+post+"#c"+own {
		t.Errorf("the like of a comment: %v", like)
	}
	for id := range list.at("users").(map[string]any) {
		if id == formatNumber(float64(b.ids["carol"])) {
			t.Error("the notice names the person who likes the comment")
		}
	}
	rest := alice.get(list.at("older_notifications_url").(string)).ok()
	if got := strings.Join(kinds(rest), " "); got != "comment like" || rest.at("older_notifications_url") != nil {
		t.Errorf("older: %s, %v", got, rest.body)
	}
	if n := rest.at("notifications", 0); at(n, "url") != "/alice/"+post+"#c"+comment || at(n, "text") != "what Alice <wrote>" {
		t.Errorf("the comment: %v", n)
	}
	for path, status := range map[string]int{
		"/api/v1/notifications.json?before=x": 422, "/api/v1/notifications.json?count=101": 422, "/notifications.json": 200, "/settings/notices.json": 200,
	} {
		if a := alice.get(path); a.status != status {
			t.Errorf("%s: %d, want %d", path, a.status, status)
		}
	}

	// The page of notices says each in words, and every page has their number.
	browser := b.browser("alice")
	for _, path := range []string{"/", "/settings", "/requests", "/notifications", "/no/such/page"} {
		if page := browser.get(path).body; !strings.Contains(page, `id="notices" data-unread="5"`) {
			t.Errorf("%s does not tell of 5", path)
		}
	}
	page := browser.get("/notifications").html()
	for _, words := range []string{
		"subscribed to you.", "sent you a direct message:", "<bdi>between us</bdi>", "likes your comment", "Someone",
		"commented on your post", "what Alice &lt;wrote&gt;", "what Bobby answered", "likes your post", `href="/alice/` + post + "#c" + comment + `"`, "is-unread",
	} {
		if !strings.Contains(page, words) {
			t.Errorf("the page does not have %q", words)
		}
	}
	if strings.Contains(page, "Carol") {
		t.Error("the page names the person who likes the comment")
	}
	browser.get("/alice/" + post).html() // which changes nothing
	upto := numberText(list.at("notifications", 1, "id"))
	if a := alice.send("POST", "/api/v1/notifications/read.json", object{"post": number(t, post)}).ok(); a.at("unread") != 2.0 {
		t.Errorf("after those of the post: %s", a.body)
	}
	browser.form("POST", "/api/v1/notifications/read.json", "upto", upto, "return_to", "/notifications").leadsTo("/notifications")
	if a := alice.get("/api/v1/notifications/unread.json").ok(); a.at("unread") != 1.0 {
		t.Errorf("after all but the newest: %s", a.body)
	}
	if page := browser.get("/").html(); !strings.Contains(page, `id="notices" data-unread="1"`) {
		t.Error("home does not tell of 1")
	}
	for _, body := range []any{object{}, object{"upto": "x"}, object{"upto": -1}, object{"post": []any{}}} {
		if a := alice.send("POST", "/api/v1/notifications/read.json", body); a.status != 422 {
			t.Errorf("%v: %d", body, a.status)
		}
	}
	if a := b.visitor().get("/api/v1/notifications.json"); a.status != 401 {
		t.Errorf("a visitor's notices: %d", a.status)
	}
}

func TestNoticesOfUnreadablePostsAreHidden(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	post := alice.post("mine", "user")
	bobby.send("POST", "/api/v1/posts/"+post+"/likes.json", nil).ok()
	bobby.post("between us", "direct:alice")
	for _, step := range []struct {
		method, path string
		body         any
		by           *client
		unread       string
	}{
		{"POST", "/api/v1/users/bobby/ban.json", nil, alice, "0"},
		{"DELETE", "/api/v1/users/bobby/ban.json", nil, alice, "2"},
		{"DELETE", "/api/v1/posts/" + post + "/likes.json", nil, bobby, "1"},
		{"POST", "/api/v1/users/alice/ban.json", nil, bobby, "0"},
	} {
		step.by.send(step.method, step.path, step.body).ok()
		if page := b.browser("alice").get("/").html(); !strings.Contains(page, `id="notices" data-unread="`+step.unread+`"`) {
			t.Errorf("after %s %s alice is not told of %s", step.method, step.path, step.unread)
		}
		if a := alice.get("/api/v1/notifications.json").ok(); formatNumber(float64(len(a.at("notifications").([]any)))) != step.unread || formatNumber(a.at("unread").(float64)) != step.unread {
			t.Errorf("after %s %s: %s", step.method, step.path, a.body)
		}
	}
}

// TestOpenPagesCountNotices checks that an open page gets each change of the count: new and deleted
// notices, read notices, and notices that the viewer may no longer see, whichever posts the page
// shows.
func TestOpenPagesCountNotices(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	post := bobby.post("Bobby's", "user")
	comment := alice.comment(post, "Alice's")
	page := alice.get("/alice").html()
	s, _, ok := alice.open(attribute(page, "data-page"), attribute(page, "data-river"), "html")
	if !ok {
		t.Fatal("refused")
	}
	var direct string
	for _, step := range []struct {
		name string
		do   func()
		want string // the notices, and the directs
	}{
		{"her comment is liked", func() {
			bobby.send("POST", "/api/v1/posts/"+post+"/clike/"+comment+".json", nil).ok()
		}, "1 0"},
		{"she is written to", func() { direct = bobby.post("between us", "direct:alice") }, "2 1"},
		{"the post goes where she does not read it", func() {
			bobby.send("PATCH", "/api/v1/posts/"+post+".json", object{"post": object{"timelines": []any{"user_private"}}}).ok()
		}, "1 1"},
		{"it comes back", func() {
			bobby.send("PATCH", "/api/v1/posts/"+post+".json", object{"post": object{"timelines": []any{"user"}}}).ok()
		}, "2 1"},
		{"bobby's feed is private", func() {
			bobby.send("PATCH", "/api/v1/users/"+formatNumber(float64(b.ids["bobby"]))+".json", object{"user": object{"status": "private"}}).ok()
		}, "1 1"},
		{"she is written to again", func() { bobby.comment(direct, "and more between us") }, "2 1"},
		{"in another direct, too", func() { bobby.post("between us, too", "direct:alice") }, "3 2"},
		{"she has read the directs", func() {
			alice.send("POST", "/api/v1/notifications/read.json", object{"directs": true}).ok()
		}, "0 0"},
		{"the feed opens again", func() {
			bobby.send("PATCH", "/api/v1/users/"+formatNumber(float64(b.ids["bobby"]))+".json", object{"user": object{"status": "public"}}).ok()
		}, "1 0"},
		{"she has read all", func() {
			alice.send("POST", "/api/v1/notifications/read.json", object{"upto": 1 << 40}).ok()
		}, "0 0"},
	} {
		step.do()
		frames := s.until(`{"type":"unread"`)
		notices, directs, _ := strings.Cut(step.want, " ")
		if !strings.HasSuffix(frames, `{"type":"unread","count":`+notices+`,"directs":`+directs+`}`) {
			t.Fatalf("%s: %s, want %s", step.name, frames[strings.LastIndex(frames, `{"type":"unread"`):], step.want)
		}
	}
}
