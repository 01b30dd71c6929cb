package web_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// framesFor returns all frames that follow a sub, up to the socket's end, or up to the frame
// after the hello if the sub is granted.
func (c *client) framesFor(t *testing.T, sub string) string {
	t.Helper()
	w := c.wire(t)
	defer w.conn.Close()
	w.text(sub)
	var all strings.Builder
	for {
		op, payload, err := w.next()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "%x %s\n", op, payload)
		if op == opClose || op == opText && !strings.HasPrefix(string(payload), `{"type":"hello"`) {
			return all.String()
		}
	}
}

// polled is the same for a poll.
func (c *client) polled(uuid, page string) string {
	c.b.t.Helper()
	query := url.Values{"river": {uuid}, "page": {page}}
	a := c.get("/live/changes?" + query.Encode())
	return strconv.Itoa(a.status) + " " + a.body
}

// TestForeignRiverAnswersLikeAMissingOne: a client sends the name of a river of another viewer,
// of another page or of an ended session, or a made-up name. All get the same answer.
func TestForeignRiverAnswersLikeAMissingOne(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby := b.as("alice"), b.as("bobby")
	private := alice.post("for alice alone", "user_fyeo")
	b.as("carol").send("PATCH", "/api/v1/users/"+strconv.FormatInt(int64(b.ids["carol"]), 10), object{"user": object{"status": "private"}}).ok()
	const madeUp = "01234567-89ab-8def-8123-456789abcdef"
	browser := b.browser("alice")
	ended := browser.uuidOf("/alice.json")
	browser.form("POST", "/users/sign_out").leadsTo("/")
	names := map[string]string{
		"another's home":         alice.uuidOf("/index.json"),
		"another's of a page":    alice.uuidOf("/alice.json"),
		"another's directs":      alice.uuidOf("/filter/directs.json"),
		"another's post":         alice.uuidOf("/alice/" + private + ".json"),
		"a session's that ended": ended,
		"everybody's of a page":  b.visitor().uuidOf("/alice.json"),
		"one's own of a page":    bobby.uuidOf("/bobby.json"),
		"in capitals":            strings.ToUpper(bobby.uuidOf("/alice.json")),
		"no uuid":                "river",
		"a long name":            strings.Repeat("a", 20_000),
	}
	for who, c := range map[string]*client{"a person": bobby, "a visitor": b.visitor()} {
		for _, page := range []string{
			"/", "/index", "/alice", "/alice/comments", "/carol", "/no-such-name", "/alice/" + private, "/alice/4711", "/filter/directs", "/filter/fyeo",
			"/list/close-friends", "/s?q=%23amstel", "/alice/calendar/2026",
		} {
			socket, poll := c.framesFor(t, subOf(madeUp, page, nil)), c.polled(madeUp, page)
			if !strings.HasPrefix(socket, "8 ") || !strings.HasPrefix(poll, "4") {
				t.Errorf("%s is told of %s: %s and %s", who, page, socket, poll)
			}
			for kind, name := range names {
				if name == c.nameOf(page) {
					continue
				}
				if got := c.framesFor(t, subOf(name, page, nil)); got != socket {
					t.Errorf("%s with a name of %s at %s is told %q, with one that is made up %q", who, kind, page, got, socket)
				}
				if got := c.polled(name, page); got != poll {
					t.Errorf("%s polling with a name of %s at %s is told %q, with one that is made up %q", who, kind, page, got, poll)
				}
			}
		}
	}
}

// nameOf is the name of the page's river for the client; empty: it has none.
func (c *client) nameOf(path string) string {
	c.b.t.Helper()
	path, query, _ := strings.Cut(path, "?")
	if path == "/" {
		path = "/index"
	}
	a := c.get(path + ".json?" + query)
	if a.status != 200 {
		return ""
	}
	uuid, _ := a.at("river", "uuid").(string)
	return uuid
}

// TestUnreadablePostsInHaveAnswerLikeMissingOnes: a page claims posts that its reader may not
// read, or that are not on the page. The answer is the same as for missing posts.
func TestUnreadablePostsInHaveAnswerLikeMissingOnes(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "dora")
	alice, bobby, dora := b.as("alice"), b.as("bobby"), b.as("dora")
	b.as("dora").send("POST", "/api/v1/users/bobby/ban", nil).ok()
	bobby.send("POST", "/api/v1/users/alice/subscribers", nil).ok()
	var shown []string
	for i := range 5 {
		shown = append(shown, alice.post("for everybody "+strconv.Itoa(i), "user"))
	}
	gone := alice.post("gone soon", "user")
	taken := alice.post("private soon", "user")
	bobby.get("/alice.json").ok() // the river has both, for a moment
	bobby.get("/index.json").ok()
	b.warden(t, gone, taken)
	posts := map[string]string{
		"one's own eyes'":         alice.post("for alice alone", "user_fyeo"),
		"a private feed's":        alice.post("for friends", "user_private"),
		"a direct":                alice.post("for carol", "direct:carol"),
		"who bans":                dora.post("not for bobby", "user"),
		"another page's":          b.as("carol").post("by carol", "user"),
		"deleted":                 gone,
		"not to be seen any more": taken,
	}
	// The tags of the entries, as their readers get them.
	tags := make(map[string]string)
	for _, who := range []*client{alice, dora, b.as("carol")} {
		for _, page := range []string{"/index.json", "/alice.json", "/dora.json", "/carol.json"} {
			list, _ := who.get(page).ok().at("entries").([]any)
			for _, e := range list {
				tags[numberText(at(e, "id"))], _ = at(e, "tag").(string)
			}
		}
	}
	if len(tags) < len(posts) {
		t.Fatalf("of too few posts the tag is known: %v", tags)
	}
	const never = "1234567890123456"
	for _, page := range []string{"/alice", "/index", "/alice?count=2", "/alice?page=2&count=2", "/alice?max_id=" + shown[2], "/alice/" + shown[0], "/alice?order=created"} {
		path, query, _ := strings.Cut(page, "?")
		uuid := bobby.uuidOf(path + ".json?" + query)
		ask := func(post, tag string, among ...string) string {
			have := []any{[]any{json.RawMessage(post), tag}}
			for _, other := range among {
				have = append(have, []any{json.RawMessage(other), "x"})
			}
			text := bobby.framesFor(t, subOf(uuid, page, object{"have": have}))
			_, text, granted := strings.Cut(text, "\n") // the hello has a rising counter
			if !granted || text == "" {
				t.Fatalf("%s has no answer for %v", page, have)
			}
			text = counters.ReplaceAllString(text, "")
			return strings.ReplaceAll(text, post, never)
		}
		for _, among := range [][]string{nil, {shown[4]}, shown} {
			for kind, post := range posts {
				want := ask(never, "x", among...)
				for _, tag := range []string{"x", "", tags[post]} {
					if got := ask(post, tag, among...); got != want {
						t.Errorf("%s with %d others: of a post that is %s it is told %s, of none %s", page, len(among), kind, got, want)
					}
				}
			}
		}
	}
}

// counters go on by themselves.
var counters = regexp.MustCompile(`"(from|to|counter|position)":[0-9]+,`)

// warden deletes one post of alice, and moves another into her private sub-feed.
func (b *bundle) warden(t *testing.T, gone, taken string) {
	t.Helper()
	alice := b.as("alice")
	alice.send("DELETE", "/api/v1/posts/"+gone, nil).ok()
	alice.send("PATCH", "/api/v1/posts/"+taken, object{"post": object{"timelines": []string{"user_private"}}}).ok()
}
