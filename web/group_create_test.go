package web_test

import (
	"testing"
)

func TestNewGroupAndWhoami(t *testing.T) {
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
	// The client V asks for a person first, and for a group if no person has the name.
	for path, status := range map[string]int{
		"/api/v1/users/cooks.json": 404, "/api/v1/groups/alice.json": 404, "/api/v1/users/no_such_name": 404,
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
