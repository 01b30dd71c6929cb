package web_test

import (
	"slices"
	"strings"
	"testing"
)

// result fails the test unless the answer is a success with this result.
func (a answer) result(want string) {
	a.t.Helper()
	if a.ok().at("result") != want {
		a.t.Errorf("the result is no %q: %s", want, a.body)
	}
}

// ids are the numbers of a list of the answer.
func (a answer) ids(path ...any) (ids []string) {
	a.t.Helper()
	list, _ := a.ok().at(path...).([]any)
	for _, id := range list {
		ids = append(ids, numberText(id))
	}
	return ids
}

func TestPrivateSubFeed(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david")
	alice, bobby, carol, david := b.as("alice"), b.as("bobby"), b.as("carol"), b.as("david")
	post := alice.post("for few", "user_private")
	reads := func(c *client) bool { return c.get("/alice/"+post+".json").status == 200 }

	bobby.send("POST", "/api/v1/users/alice/private/subscribers.json", nil).result("requested")
	requests := alice.get("/api/v1/subscription_requests").ok()
	if requests.at("subscription_requests", 0, "request", "what") != "user_private" {
		t.Error(requests.body)
	}
	if reads(bobby) {
		t.Error("a request lets read already")
	}
	alice.send("PUT", "/api/v1/subscription_requests/"+requests.at("subscription_requests", 0, "request", "uuid").(string), nil).ok()

	// By invitation, accepted and declined.
	alice.send("POST", "/api/v1/users/alice/private/invitations", object{"to": "@carol"}).result("invited")
	alice.send("POST", "/api/v1/users/alice/private/invitations", object{"to": "david"}).result("invited")
	waiting := carol.get("/api/v1/invitations.json").ok()
	if waiting.at("invitations", 0, "what") != "user_private" || waiting.at("invitations", 0, "from_id") != 1.0 ||
		waiting.at("invitations", 0, "their_id") != 1.0 || waiting.at("users", "1", "name") != "alice" || waiting.at("groups") == nil {
		t.Fatal(waiting.body)
	}
	if a := carol.get("/alice.json").ok(); a.at("users", "1", "private_feed", "you_are_invited") != true {
		t.Error(a.body)
	}
	if a := bobby.get("/api/v1/users/alice").ok(); a.at("private_feed", "you_are_subscribed") != true || a.at("you_are_subscribed") != nil {
		t.Error(a.body)
	}
	uuid := waiting.at("invitations", 0, "uuid").(string)
	if a := bobby.send("PUT", "/api/v1/invitations/"+uuid, nil); a.status != 404 {
		t.Errorf("another person's invitation is accepted: %d", a.status)
	}
	carol.send("PUT", "/api/v1/invitations/"+uuid+".json", nil).result("subscribed")
	david.send("DELETE", "/api/v1/invitations/"+david.get("/api/v1/invitations").at("invitations", 0, "uuid").(string), nil).result("ended")
	if !reads(bobby) || !reads(carol) || reads(david) {
		t.Errorf("bobby reads %v, carol %v, david %v", reads(bobby), reads(carol), reads(david))
	}
	// Whichever of a request and an invitation comes second makes the subscription.
	david.send("POST", "/api/v1/users/alice/private/subscribers", nil).result("requested")
	alice.send("POST", "/api/v1/users/alice/private/invitations", object{"to": "david"}).result("subscribed")
	if !reads(david) {
		t.Error("a person who asked and was invited is not a member")
	}

	// The owner removes one subscriber, and the other one leaves.
	alice.send("DELETE", "/api/v1/users/alice/private/subscribers/bobby", nil).result("removed")
	carol.send("DELETE", "/api/v1/users/alice/private/subscribers", nil).result("unsubscribed")
	if reads(bobby) || reads(carol) {
		t.Errorf("bobby reads %v, carol %v", reads(bobby), reads(carol))
	}
	if a := carol.send("DELETE", "/api/v1/users/alice/private/subscribers/david", nil); a.status != 403 {
		t.Errorf("a stranger removes a subscriber: %d", a.status)
	}
}

func TestForwardOnly(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.post("before", "user")
	bobby.send("POST", "/api/v1/users/alice/subscribers", object{"forward_only": true}).result("subscribed")
	alice.post("after", "user")
	if home := bobby.get("/index.json").ok(); strings.Contains(home.body, "before") || !strings.Contains(home.body, "after") {
		t.Errorf("forward only: %s", home.body)
	}
	if page := bobby.get("/alice.json").ok(); !strings.Contains(page.body, "before") {
		t.Error("the page of her feed is not whole")
	}
	if a := bobby.get("/api/v1/users/alice"); a.at("you_are_subscribed") != true || a.at("forward_only") != true || a.at("directs_from") != nil {
		t.Error(a.body)
	}
	if a := bobby.send("PATCH", "/api/v1/users/2", object{"user": object{"directs_from": "subscriptions"}}).ok(); a.at("user", "directs_from") != "subscriptions" {
		t.Error(a.body)
	}
	if a := bobby.send("PATCH", "/api/v1/users/alice/subscribers", object{"forward_only": false}).ok(); a.at("forward_only") != false {
		t.Error(a.body)
	}
	if home := bobby.get("/index.json"); !strings.Contains(home.body, "before") {
		t.Errorf("no longer forward only: %s", home.body)
	}
}

func TestExcluded(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.send("PATCH", "/api/v1/users/1", object{"user": object{"status": "protected"}}).ok()
	post := alice.post("for the others", "user")
	alice.send("POST", "/api/v1/users/bobby/exclusion", nil).result("excluded")
	if a := bobby.get("/alice/" + post + ".json"); a.status != 404 {
		t.Errorf("an excluded person reads a protected feed: %d", a.status)
	}
	if a := bobby.send("POST", "/api/v1/users/alice/subscribers", nil); a.status != 403 {
		t.Errorf("an excluded person subscribes: %d", a.status)
	}
	alice.send("PATCH", "/api/v1/users/1", object{"user": object{"status": "public"}}).ok()
	page := bobby.get("/alice/" + post + ".json").ok()
	if page.at("entries", 0, "can_comment") != false || page.at("entries", 0, "can_like") != nil || page.at("entries", 0, "can_fav") != nil {
		t.Errorf("an excluded person is offered to take part: %s", page.body)
	}
	for _, what := range []string{"comments", "likes", "favs"} {
		if a := bobby.send("POST", "/api/v1/posts/"+post+"/"+what, object{"comment": object{"text": "me too"}}); a.status != 403 {
			t.Errorf("an excluded person adds %s: %d", what, a.status)
		}
	}
	alice.send("DELETE", "/api/v1/users/bobby/exclusion", nil).result("readmitted")
	bobby.comment(post, "me too")
}

func TestHides(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol := b.as("alice"), b.as("bobby"), b.as("carol")
	one, two := alice.post("one", "user"), alice.post("two", "user")
	bobby.comment(one, "said")
	entry := func(post string) any { return carol.get("/alice/"+post+".json").ok().at("entries", 0) }
	if at(entry(one), "can_hide") != true || at(entry(one), "can_unhide") != nil {
		t.Errorf("before: %v", entry(one))
	}
	carol.send("POST", "/api/v1/posts/"+one+"/hide.json", nil).result("hidden")
	if at(entry(one), "can_unhide") != true || at(entry(one), "can_hide") != nil || at(entry(two), "can_unhide") != nil {
		t.Errorf("a hidden post: %v", entry(one))
	}
	carol.send("DELETE", "/api/v1/posts/alice/"+one+"/hide.json", nil).result("shown")
	carol.send("POST", "/api/v1/users/alice/hide", nil).result("hidden")
	carol.send("POST", "/api/v1/users/alice/hide_comments", nil).result("hidden")
	carol.send("POST", "/api/v1/users/bobby/hide_comments", nil).result("hidden")
	if at(entry(one), "can_unhide") != true || at(entry(two), "can_unhide") != true || at(entry(one), "comments", 0, "is_hidden") != true {
		t.Errorf("a hidden person: %v", entry(one))
	}
	if a := carol.get("/alice.json"); a.at("users", "1", "is_hidden") != true || a.at("users", "2", "is_hidden") != nil {
		t.Error(a.body)
	}
	carol.send("DELETE", "/api/v1/users/alice/hide", nil).result("shown")
	carol.send("DELETE", "/api/v1/users/bobby/hide_comments", nil).result("shown")
	if at(entry(one), "can_unhide") != nil || at(entry(one), "comments", 0, "is_hidden") != nil {
		t.Errorf("shown again: %v", entry(one))
	}
	if bobby.get("/alice/"+one+".json").at("entries", 0, "can_unhide") != nil {
		t.Error("a post that one person hid is hidden for another")
	}
}

func TestFavouritesAndLikesOfComments(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, bobby := b.as("alice"), b.as("bobby")
	post := alice.post("good", "user")
	comment := alice.comment(post, "is it not?")
	bobby.send("POST", "/api/v1/posts/alice/"+post+"/favs.json", nil).result("faved")
	bobby.send("POST", "/api/v1/posts/"+post+"/clike/"+comment, nil).result("liked")
	e := bobby.get("/filter/favs.json").ok()
	if e.at("entries", 0, "user_faved") != true || e.at("entries", 0, "fav_count") != 1.0 || e.at("river", "what") != "favs" ||
		e.at("entries", 0, "comments", 0, "user_liked") != true || e.at("entries", 0, "comments", 0, "can_like") != true {
		t.Error(e.body)
	}
	e = alice.get("/alice.json").ok()
	if e.at("entries", 0, "fav_count") != 1.0 || e.at("entries", 0, "user_faved") != nil || e.at("entries", 0, "can_fav") != true ||
		e.at("entries", 0, "comments", 0, "clikes_count") != 1.0 || e.at("entries", 0, "comments", 0, "user_liked") != nil {
		t.Error(e.body)
	}
	if len(alice.get("/filter/favs.json").at("entries").([]any)) != 0 {
		t.Error("a person has another person's favourites")
	}
	if c := bobby.get("/api/v1/posts/alice/" + post + "/comments/" + comment).ok(); c.at("user_liked") != true {
		t.Error(c.body)
	}
	if l := bobby.get("/alice/" + post + "/likes.json").ok(); l.at("can_fav") != true || l.at("user_faved") != true || l.at("fav_count") != 1.0 {
		t.Error(l.body)
	}
	alice.send("POST", "/api/v1/posts/"+post+"/favs", nil).result("faved") // one's own
	if l := alice.get("/alice/" + post + "/likes.json").ok(); l.at("can_fav") != true || l.at("user_faved") != true || l.at("can_like") != false || l.at("fav_count") != 2.0 {
		t.Error(l.body)
	}
	bobby.send("DELETE", "/api/v1/posts/"+post+"/favs", nil).result("unfaved")
	if len(bobby.get("/filter/favs.json").at("entries").([]any)) != 0 {
		t.Error("a favourite that was taken back is listed")
	}
}

func TestRunningAGroup(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david")
	alice, bobby, carol, david := b.as("alice"), b.as("bobby"), b.as("carol"), b.as("david")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks"}}).ok()
	bobby.send("POST", "/api/v1/groups/cooks/subscribers", nil).result("subscribed")
	carol.send("POST", "/api/v1/groups/cooks/subscribers", nil).result("subscribed")

	alice.send("POST", "/api/v1/groups/cooks/admins/bobby", nil).result("administrator")
	if got := carol.get("/api/v1/groups/cooks/admins.json").ids("admins"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("the administrators are %v", got)
	}
	if bobby.get("/cooks.json").at("groups", "1", "you_are_admin") != true {
		t.Error("an administrator is not told")
	}
	if a := carol.send("PATCH", "/api/v1/groups/cooks", object{"group": object{"display_name": "Mine"}}); a.status != 403 {
		t.Errorf("a member edits: %d", a.status)
	}
	a := bobby.send("PATCH", "/api/v1/groups/cooks", object{"group": object{"display_name": "The Cooks", "status": "private", "posting": "members", "joining": "request", "nsfw": true}}).ok()
	if a.at("display_name") != "The Cooks" || a.at("status") != "private" || a.at("nsfw") != true || a.at("posting") != "members" || a.at("joining") != "request" {
		t.Error(a.body)
	}

	post := carol.post("soup", "user", "group:cooks")
	last := carol.post("only here", "group:cooks")
	if a := alice.get("/cooks/" + post + ".json").ok(); !slices.Equal(a.at("entries", 0, "can_removefrom").([]any), []any{"cooks"}) {
		t.Error(a.body)
	}
	if a := carol.get("/cooks/" + post + ".json").ok(); !slices.Equal(a.at("entries", 0, "can_removefrom").([]any), []any{"cooks"}) {
		t.Error(a.body)
	}
	alice.send("DELETE", "/api/v1/posts/"+post+"/groups/cooks", nil).result("removed")
	if a := alice.get("/carol/" + post + ".json").ok(); !slices.Equal(a.at("entries", 0, "timelines").([]any), []any{"user"}) {
		t.Error(a.body)
	}
	alice.send("DELETE", "/api/v1/posts/"+last+"/groups/cooks.json", nil).result("removed")
	if alice.get("/carol/"+last+".json").status != 404 || carol.get("/carol/"+last+".json").at("entries", 0, "status") != "fyeo" {
		t.Error("a post that was removed from its last place is not its author's alone")
	}

	alice.send("DELETE", "/api/v1/groups/cooks/subscribers/carol", nil).result("removed")
	if a := carol.get("/cooks.json"); a.status != 403 {
		t.Errorf("an expelled person: %d", a.status)
	}
	alice.send("POST", "/api/v1/groups/cooks/exclusions/carol", nil).result("excluded")
	if a := carol.send("POST", "/api/v1/groups/cooks/subscribers", nil); a.status != 403 {
		t.Errorf("a blocked person asks: %d", a.status)
	}
	alice.send("DELETE", "/api/v1/groups/cooks/exclusions/carol", nil).result("readmitted")
	carol.send("POST", "/api/v1/groups/cooks/subscribers", nil).result("requested")
	alice.send("POST", "/api/v1/groups/cooks/invitations", object{"to": "david"}).result("invited")
	if w := david.get("/api/v1/invitations").ok(); w.at("invitations", 0, "what") != "group" || w.at("groups", "1", "name") != "cooks" || w.at("users", "1", "name") != "alice" {
		t.Error(w.body)
	}

	bobby.send("DELETE", "/api/v1/groups/cooks/admins/alice", nil).result("member")
	if a := bobby.send("DELETE", "/api/v1/groups/cooks/admins/bobby", nil); a.status != 409 {
		t.Errorf("the last administrator steps down: %d", a.status)
	}
	if a := alice.send("DELETE", "/api/v1/groups/cooks/subscribers/bobby", nil); a.status != 403 {
		t.Errorf("a member expels: %d", a.status)
	}
}

func TestMovingAPost(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby := b.as("alice"), b.as("bobby")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "cooks", "display_name": "Cooks", "status": "private"}}).ok()
	post := alice.post("soup", "user")
	a := alice.send("PATCH", "/api/v1/posts/"+post, object{"post": object{"timelines": []string{"group:cooks"}}}).ok()
	if a.at("is_public") != false || a.at("url") != "/cooks/"+post || !slices.Equal(a.at("timelines").([]any), []any{"group:cooks"}) {
		t.Error(a.body)
	}
	if a := bobby.get("/alice/" + post + ".json"); a.status != 404 {
		t.Errorf("a reader of the post's old place still reads it: %d", a.status)
	}
	alice.send("PATCH", "/api/v1/posts/"+post, object{"post": object{"timelines": []string{"user"}, "text": "soup for all"}}).ok()
	if a := bobby.get("/alice/" + post + ".json").ok(); a.at("entries", 0, "text") != "soup for all" {
		t.Error(a.body)
	}

	direct := alice.post("psst", "direct:bobby")
	if a := alice.get("/alice/" + direct + ".json").ok(); a.at("entries", 0, "can_add_recipients") != true || a.at("entries", 0, "can_leave") != nil {
		t.Error(a.body)
	}
	if a := alice.send("POST", "/api/v1/posts/"+direct+"/recipients", object{"to": "@carol"}).ok(); len(a.at("timelines").([]any)) != 2 {
		t.Error(a.body)
	}
	carol := b.as("carol")
	if a := carol.get("/alice/" + direct + ".json").ok(); a.at("entries", 0, "can_leave") != true || a.at("entries", 0, "can_add_recipients") != nil {
		t.Error(a.body)
	}
	carol.send("DELETE", "/api/v1/posts/"+direct+"/recipients", nil).result("left")
	if a := carol.get("/alice/" + direct + ".json"); a.status != 404 {
		t.Errorf("a recipient who left still reads: %d", a.status)
	}
	if a := bobby.get("/alice/" + direct + ".json"); a.status != 200 {
		t.Errorf("a recipient who stayed: %d", a.status)
	}
}
