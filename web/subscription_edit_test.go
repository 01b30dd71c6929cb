package web_test

import (
	"testing"
)

func TestFollowing(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol")
	alice, bobby, carol := b.as("alice"), b.as("bobby"), b.as("carol")
	if a := bobby.send("POST", "/api/v1/users/alice/subscribers.json", nil).ok(); a.at("result") != "subscribed" {
		t.Error(a.body)
	}
	alice.post("for all", "user")
	if a := bobby.get("/index.json"); at(a.json(), "entries", 0, "text") != "for all" {
		t.Error("the home page lacks the post of a followed person")
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
		t.Errorf("another person accepts: %d", a.status)
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
			t.Errorf("%s of a person who banned: %d %s", path, a.status, a.body)
		}
	}
	alice.send("DELETE", "/api/v1/users/bobby/ban.json", nil).ok()
	if a := bobby.get("/api/v1/users/alice.json"); a.status != 200 {
		t.Errorf("after the ban: %d", a.status)
	}
}
