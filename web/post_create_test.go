package web_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/web/page"
)

func TestPostLifeByAPI(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")

	made := alice.send("POST", "/api/v1/posts.json", object{"post": object{
		"text": "first", "timelines": []string{"user"}, "comments_disabled": "false", "nsfw": 0, "platform": "Test App", "attachment_ids": []int{},
	}}).ok()
	post := made.id("post", "id")
	for key, want := range (object{"text": "first", "my_change": true, "comments_disabled": false, "nsfw": false, "version": 1.0, "platform": "Test App"}) {
		if got := made.at("post", key); got != want {
			t.Errorf("the new post's %s is %v, want %v", key, got, want)
		}
	}
	if entries, is := made.at("entries").(object); !is || len(entries) != 0 {
		t.Errorf("entries without a river: %v", made.at("entries"))
	}

	// Both forms of address, with and without .json.
	if a := bobby.send("POST", "/api/v1/posts/"+post+"/likes", nil).ok(); a.at("result") != "liked" {
		t.Error(a.body)
	}
	if a := bobby.send("POST", "/api/v1/posts/alice/"+post+"/likes.json", nil).ok(); a.at("result") != "liked" {
		t.Error(a.body)
	}
	if page := b.visitor().get("/alice.json"); len(page.at("entries", 0, "likes").([]any)) != 1 {
		t.Error("a like given twice counts twice")
	}
	if a := bobby.send("DELETE", "/api/v1/posts/alice/"+post+"/likes.json", nil).ok(); a.at("result") != "unliked" {
		t.Error(a.body)
	}

	comment := bobby.send("POST", "/api/v1/posts/"+post+"/comments.json", object{"comment": object{"text": "frist"}}).ok()
	if comment.at("realm") != 0.0 || comment.at("user_id") != 2.0 || comment.at("can_edit") != true || comment.at("users", "2", "is_you") != true {
		t.Error(comment.body)
	}
	if _, there := comment.json()["external_id"]; !there {
		t.Error("no external_id")
	}
	id := comment.id("id")
	where := "/api/v1/posts/" + post + "/comments/" + id
	for _, method := range []string{"POST", "PATCH", "PUT"} {
		if a := bobby.send(method, where+".json", object{"comment": object{"text": "first by " + method}}).ok(); a.at("text") != "first by "+method || a.at("updated_at") == nil {
			t.Error(a.body)
		}
	}
	if a := alice.get("/api/v1/posts/alice/" + post + "/comments/" + id).ok(); a.at("text") != "first by PUT" || a.at("can_moderate") != true {
		t.Error(a.body)
	}
	if a := alice.send("POST", "/api/v1/posts/alice/"+post+"/clike/"+id+".json", nil).ok(); a.at("result") != "liked" {
		t.Error(a.body)
	}
	if page := b.visitor().get("/alice.json"); page.at("entries", 0, "comments", 0, "clikes_count") != 1.0 {
		t.Error(page.body)
	}
	if a := alice.send("DELETE", "/api/v1/posts/alice/"+post+"/clike/"+id+".json", nil).ok(); a.at("result") != "unliked" {
		t.Error(a.body)
	}

	if a := alice.send("PATCH", "/api/v1/posts/"+post+".json", object{"post": object{"text": "first, edited"}}).ok(); a.at("text") != "first, edited" || a.at("users", "1") == nil {
		t.Error(a.body)
	}
	if a := alice.send("PATCH", "/api/v1/posts/"+post+".json", object{"post": object{"comments_disable": 1}}).ok(); a.at("comments_disabled") != true {
		t.Error(a.body)
	}
	if a := bobby.send("POST", "/api/v1/posts/"+post+"/comments.json", object{"comment": object{"text": "late"}}); a.status != 403 {
		t.Errorf("a comment where comments are off: %d", a.status)
	}

	alice.send("DELETE", where, nil).ok() // moderated
	if page := b.visitor().get("/alice.json"); page.at("entries", 0, "comments_count") != 0.0 {
		t.Error(page.body)
	}
	alice.send("DELETE", "/api/v1/posts/"+post+".json", nil).ok()
	for _, c := range []*client{alice, bobby, b.visitor()} {
		if a := c.get("/alice/" + post + ".json"); a.status != 404 {
			t.Errorf("a deleted post: %d", a.status)
		}
		if a := c.get("/alice.json"); len(a.at("entries").([]any)) != 0 {
			t.Error("a deleted post is on its author's page")
		}
	}
}

func TestUUIDMakesOnce(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.as("alice")
	body := object{"post": object{"text": "once", "timelines": []string{"user"}}, "_uuid": "0f8fad5b-d9cb-469f-a165-70867728950e"}
	first := alice.send("POST", "/api/v1/posts.json", body).ok().id("post", "id")
	if again := alice.send("POST", "/api/v1/posts.json", body).ok().id("post", "id"); again != first {
		t.Errorf("made %s and %s", first, again)
	}
	comment := object{"comment": object{"text": "once"}, "_uuid": "7c9e6679-7425-40de-944b-e07fc1f90ae7"}
	one := alice.send("POST", "/api/v1/posts/"+first+"/comments.json", comment).ok().id("id")
	if two := alice.send("POST", "/api/v1/posts/"+first+"/comments.json", comment).ok().id("id"); one != two {
		t.Errorf("made %s and %s", one, two)
	}
	page := b.visitor().get("/alice.json")
	if n := len(page.at("entries").([]any)); n != 1 || page.at("entries", 0, "comments_count") != 1.0 {
		t.Error(page.body)
	}
	// A uuid belongs to its author: another author may use the same one.
	if other := b.as("bobby").send("POST", "/api/v1/posts.json", body).ok().id("post", "id"); other == first {
		t.Error("a uuid that another author used made no post")
	}
	if a := alice.send("POST", "/api/v1/posts.json", object{"post": body["post"], "_uuid": "nonsense"}); a.status != 422 {
		t.Errorf("a _uuid that is none: %d", a.status)
	}
}

// TestHomeOffersNewestGroups: the form of a home offers the groups joined last, and links to a
// form with all groups. A refused post keeps a group that is not among the newest.
func TestHomeOffersNewestGroups(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.as("alice")
	for i := range page.ShownGroups + 5 {
		alice.send("POST", "/api/v1/groups.json", object{"group": object{"name": fmt.Sprintf("club-%02d", i)}}).ok()
	}
	browser := b.browser("alice")
	offers := func(html string) (found []string) {
		for _, m := range regexp.MustCompile(`value="group:(club-\d+)"( checked)?`).FindAllStringSubmatch(html, -1) {
			found = append(found, m[1]+m[2])
		}
		return found
	}
	newest := []string{"club-09", "club-08", "club-07", "club-06", "club-05"}
	home := browser.get("/").html()
	if diff := cmp.Diff(newest, offers(home)); diff != "" || !strings.Contains(home, `href="/posts/new"`) {
		t.Errorf("the home offers (-want +got):\n%s", diff)
	}
	if got := offers(browser.get("/posts/new").html()); len(got) != page.ShownGroups+5 || got[0] != "club-00" {
		t.Errorf("the page of all places offers %q", got)
	}
	refused := browser.form("POST", "/api/v1/posts.json", "post[text]", " ", "post[timelines][]", "group:club-02", "return_to", "/")
	if diff := cmp.Diff(append(newest, "club-02 checked"), offers(refused.body)); diff != "" {
		t.Errorf("the refused post offers (-want +got):\n%s", diff)
	}
	b.visitor().get("/posts/new").leadsTo("/users/sign_in?return_to=%2Fposts%2Fnew")
}
