package web_test

import (
	"strings"
	"testing"
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
	if page := b.anybody().get("/alice.json"); len(page.at("entries", 0, "likes").([]any)) != 1 {
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
	if page := b.anybody().get("/alice.json"); page.at("entries", 0, "comments", 0, "clikes_count") != 1.0 {
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
	if page := b.anybody().get("/alice.json"); page.at("entries", 0, "comments_count") != 0.0 {
		t.Error(page.body)
	}
	alice.send("DELETE", "/api/v1/posts/"+post+".json", nil).ok()
	for _, c := range []*client{alice, bobby, b.anybody()} {
		if a := c.get("/alice/" + post + ".json"); a.status != 404 {
			t.Errorf("a deleted post: %d", a.status)
		}
		if a := c.get("/alice.json"); len(a.at("entries").([]any)) != 0 {
			t.Error("a deleted post is on its author's page")
		}
	}
}

func TestAnswerHasTheRiverOnTheScreen(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice := b.as("alice")
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

	// Somebody else's river is not to be asked about.
	bobby := b.as("bobby")
	bobby.header.Set("X-River-Signature", uuid)
	if a := bobby.send("POST", "/api/v1/posts.json", object{"post": object{"text": "x", "timelines": []string{"user"}}}).ok(); len(a.at("entries").(object)) != 0 {
		t.Errorf("somebody else's river is told: %s", a.body)
	}
	// One that never was is as good as none.
	bobby.header.Set("X-River-Signature", "00000000-0000-0000-0000-000000000000/user:alice")
	bobby.send("POST", "/api/v1/posts.json", object{"post": object{"text": "y", "timelines": []string{"user"}}}).ok()
}

func TestUUIDMakesOnce(t *testing.T) {
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
	page := b.anybody().get("/alice.json")
	if n := len(page.at("entries").([]any)); n != 1 || page.at("entries", 0, "comments_count") != 1.0 {
		t.Error(page.body)
	}
	// The same uuid of somebody else's is another.
	if other := b.as("bobby").send("POST", "/api/v1/posts.json", body).ok().id("post", "id"); other == first {
		t.Error("somebody else's uuid made nothing")
	}
	if a := alice.send("POST", "/api/v1/posts.json", object{"post": body["post"], "_uuid": "nonsense"}); a.status != 422 {
		t.Errorf("a _uuid that is none: %d", a.status)
	}
}

func TestFollowing(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol := b.as("alice"), b.as("bobby"), b.as("carol")
	if a := bobby.send("POST", "/api/v1/users/alice/subscribers.json", nil).ok(); a.at("result") != "subscribed" {
		t.Error(a.body)
	}
	alice.post("for all", "user")
	if a := bobby.get("/index.json"); at(a.json(), "entries", 0, "text") != "for all" {
		t.Error("the home page does not have the post of somebody followed")
	}

	if a := alice.send("PATCH", "/api/v1/users/1.json", object{"user": object{"status": "private", "description": "quiet"}}).ok(); a.at("user", "status") != "private" {
		t.Error(a.body)
	}
	if a := carol.get("/alice.json"); a.status != 403 || a.at("code") != "forbidden" {
		t.Errorf("a private page: %d %s", a.status, a.body)
	}
	if a := carol.send("POST", "/api/v1/users/alice/subscribers", nil).ok(); a.at("result") != "requested" {
		t.Error(a.body)
	}
	if a := carol.get("/api/v1/users/alice").ok(); a.at("you_requested") != true || a.at("you_are_subscribed") != nil {
		t.Error(a.body)
	}
	requests := alice.get("/api/v1/subscription_requests.json").ok()
	if requests.at("subscription_requests", 0, "from_user", "name") != "carol" || requests.at("subscription_requests", 0, "request", "what") != "user" ||
		requests.at("subscription_requests", 0, "request", "their_id") != 1.0 {
		t.Fatal(requests.body)
	}
	uuid := requests.at("subscription_requests", 0, "request", "uuid").(string)
	if a := bobby.send("PUT", "/api/v1/subscription_requests/"+uuid, nil); a.status != 404 {
		t.Errorf("somebody else accepts: %d", a.status)
	}
	alice.send("PUT", "/api/v1/subscription_requests/"+uuid, nil).ok()
	if a := carol.get("/alice.json").ok(); at(a.json(), "entries", 0, "text") != "for all" || a.at("users", "1", "you_are_subscribed") != true {
		t.Error(a.body)
	}
	if a := alice.get("/alice/subscribers.json").ok(); len(a.at("subscribers").([]any)) != 2 || a.at("users", "3") == nil || a.at("banned_subscribers") == nil {
		t.Error(a.body)
	}
	if a := carol.get("/carol/subscriptions.json").ok(); a.at("subscriptions", 0) != 1.0 || a.at("group_subscriptions") == nil || a.at("groups") == nil {
		t.Error(a.body)
	}

	carol.send("DELETE", "/api/v1/users/alice/subscribers.json", nil).ok()
	if a := carol.get("/alice.json"); a.status != 403 {
		t.Errorf("after unsubscribing: %d", a.status)
	}
	if a := alice.send("POST", "/api/v1/users/bobby/ban.json", nil).ok(); a.at("result") != "banned" {
		t.Error(a.body)
	}
	for _, path := range []string{"/alice.json", "/api/v1/users/alice.json"} {
		if a := bobby.get(path); a.status != 404 {
			t.Errorf("%s of who banned: %d %s", path, a.status, a.body)
		}
	}
	alice.send("DELETE", "/api/v1/users/bobby/ban.json", nil).ok()
	if a := bobby.get("/api/v1/users/alice.json"); a.status != 200 {
		t.Errorf("after the ban: %d", a.status)
	}
}

func TestGroupsAndWhoIsWho(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	if a := alice.get("/api/v1/whoami.json").ok(); a.at("user", "name") != "alice" || a.at("user", "is_you") != true {
		t.Error(a.body)
	}
	a := alice.send("POST", "/api/v1/groups.json", object{"group": object{"name": "cooks", "display_name": "Cooks", "status": "private"}}).ok()
	if a.at("name") != "cooks" || a.at("status") != "private" || a.at("you_are_admin") != true || a.at("group", "id") != a.at("id") {
		t.Error(a.body)
	}
	if a := bobby.get("/api/v1/groups/cooks").ok(); a.at("display_name") != "Cooks" || a.at("you_are_admin") != nil {
		t.Error(a.body)
	}
	// V asks for a person first, and for a group when there is none.
	for path, status := range map[string]int{
		"/api/v1/users/cooks.json": 404, "/api/v1/groups/alice.json": 404, "/api/v1/users/nobody_here": 404,
		"/api/v1/users/alice": 200, "/cooks.json": 403,
	} {
		if a := bobby.get(path); a.status != status {
			t.Errorf("%s: %d, want %d", path, a.status, status)
		}
	}
	if a := bobby.send("POST", "/api/v1/groups/cooks/subscribers.json", nil).ok(); a.at("result") != "requested" {
		t.Error(a.body)
	}
	uuid := alice.get("/api/v1/subscription_requests").ok().at("subscription_requests", 0, "request", "uuid").(string)
	if a := alice.send("DELETE", "/api/v1/subscription_requests/"+uuid+".json", nil).ok(); a.at("result") != "rejected" {
		t.Error(a.body)
	}
	if a := bobby.get("/api/v1/groups/cooks"); a.at("you_requested") != nil {
		t.Error(a.body)
	}
	if a := alice.send("DELETE", "/api/v1/groups/cooks/subscribers.json", nil); a.status != 409 || a.at("code") != "conflict" {
		t.Errorf("the last administrator leaves: %d", a.status)
	}
}

func TestTokensByAPI(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice")
	alice := b.as("alice")
	secret, _ := b.session("alice").send("POST", "/api/v1/tokens.json", object{"token": object{"name": "my bot"}}).ok().at("token").(string)
	bot := b.anybody()
	bot.header.Set("Authorization", "Bearer "+secret)
	if a := bot.get("/api/v1/whoami").ok(); a.at("user", "name") != "alice" {
		t.Error(a.body)
	}
	list := alice.get("/api/v1/tokens").ok()
	if list.at("tokens", 0, "name") != "my bot" || strings.Contains(list.body, secret) {
		t.Error(list.body)
	}
	alice.send("DELETE", "/api/v1/tokens/"+list.id("tokens", 0, "id"), nil).ok()
	if a := bot.get("/api/v1/whoami"); a.status != 401 {
		t.Errorf("a revoked token: %d", a.status)
	}
	if a := alice.send("DELETE", "/api/v1/tokens/999", nil); a.status != 404 {
		t.Errorf("nobody's token: %d", a.status)
	}
}
