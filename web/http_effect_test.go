package web_test

import (
	"strconv"
	"strings"
	"testing"
)

func TestAnswerHasTheRiverOnTheScreen(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.as("alice")
	// Otherwise a turn may overtake the build of the page, which then has no river at the first
	// write.
	if err := b.node.WaitApplied(t.Context()); err != nil {
		t.Fatal(err)
	}
	river := alice.get("/index.json").ok()
	uuid, signature := river.at("river", "uuid").(string), river.at("river", "signature").(string)
	for _, header := range []string{uuid, signature} {
		alice.header.Set("X-River-Signature", header)
		a := alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "on screen", "timelines": []string{"user"}}}).ok()
		for _, key := range []string{uuid, header} {
			if a.at("entries", key, "post", "text") != "on screen" || a.at("entries", key, "users", "1", "name") != "alice" || a.at("entries", key, "groups") == nil {
				t.Errorf("no entry under %s: %s", key, a.body)
			}
		}
		if a.at("epoch") != river.at("river", "epoch") || a.at("counter").(float64) <= river.at("river", "counter").(float64) {
			t.Errorf("epoch %v and counter %v after %v and %v", a.at("epoch"), a.at("counter"), river.at("river", "epoch"), river.at("river", "counter"))
		}
	}
	post := b.as("bobby").post("elsewhere", "user")
	a := alice.send("POST", "/api/v1/posts/"+post+"/comments.json", object{"comment": object{"text": "now in my river"}}).ok()
	if a.at("entries", uuid, "post", "comments", 0, "text") != "now in my river" {
		t.Error(a.body)
	}

	// Our own page wants HTML.
	alice.header.Set("X-Amstel-As", "html")
	a = alice.send("POST", "/api/v1/posts/"+post+"/likes.json", nil).ok()
	if html, _ := a.at("html", post).(string); !strings.HasPrefix(html, `<article class="entry`) || !strings.Contains(html, "Unlike") {
		t.Error(a.body)
	}
	own := alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "for a friend", "timelines": []string{"user"}}}).ok().id("post", "id")
	a = alice.send("DELETE", "/api/v1/posts/"+own+".json", nil).ok()
	if gone, _ := a.at("gone").([]any); len(gone) != 1 || numberText(gone[0]) != own || a.at("counter") == nil {
		t.Error(a.body)
	}

	// An answer tells nothing about another viewer's river.
	bobby := b.as("bobby")
	bobby.header.Set("X-River-Signature", uuid)
	if a := bobby.send("POST", "/api/v1/posts.json", object{"post": object{"text": "x", "timelines": []string{"user"}}}).ok(); len(a.at("entries").(object)) != 0 {
		t.Errorf("the answer has another person's river: %s", a.body)
	}
	// A made-up name counts as none.
	bobby.header.Set("X-River-Signature", "00000000-0000-0000-0000-000000000000/user:alice")
	bobby.send("POST", "/api/v1/posts.json", object{"post": object{"text": "y", "timelines": []string{"user"}}}).ok()
}

// TestPositionOfANodeThatIsBehindIsThatOfThePrimary: such a node does not know the position of a write, and asks for it.
func TestPositionOfANodeThatIsBehindIsThatOfThePrimary(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.session("alice")
	b.waits.late.Store(true)
	alice.post("one", "user")
	a := alice.send("POST", "/api/v1/posts.json", object{"post": object{"text": "two", "timelines": []string{"user"}}}).ok()
	head, err := b.store.Sequence(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if told := numberText(a.at("position")); told != strconv.FormatInt(head, 10) || head <= 1 {
		t.Errorf("the position is %s, the log goes to %d", told, head)
	}
}
