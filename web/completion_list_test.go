package web_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompletions(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "alison", "bobby")
	alice := b.as("alice")
	alice.send("POST", "/api/v1/groups", object{"group": object{"name": "kitchen", "display_name": "All in the kitchen", "status": "private"}}).ok()
	alice.post("about #boats", "user")
	a := alice.get("/api/v1/completions?q=AL").ok()
	offer := func(name, display string) object {
		return object{"name": name, "display_name": display, "avatar_url": "/system/avatars/" + name + ".png"}
	}
	want := object{
		"people": []any{offer("alice", "Alice"), offer("alison", "Alison")}, "groups": []any{offer("kitchen", "All in the kitchen")},
	}
	if diff := cmp.Diff(any(map[string]any{"people": want["people"], "groups": want["groups"]}), a.at()); diff != "" {
		t.Error(diff)
	}
	if a := b.as("bobby").get("/api/v1/completions?q=kit").ok(); len(a.at("groups").([]any)) != 0 {
		t.Errorf("a private group is offered to a person who is not in it: %s", a.body)
	}
	if a := alice.get("/api/v1/completions?q=%23BO").ok(); cmp.Diff(any([]any{"boats"}), a.at("tags")) != "" {
		t.Error(a.body)
	}
	if a := b.as("bobby").get("/api/v1/completions?q=%23bo").ok(); len(a.at("tags").([]any)) != 0 {
		t.Errorf("a hashtag of another person is offered: %s", a.body)
	}
	for query, status := range map[string]int{"": http.StatusUnprocessableEntity, "?q=%21": http.StatusUnprocessableEntity, "?q=%23%ff": http.StatusOK} {
		if a := alice.get("/api/v1/completions" + query); a.status != status {
			t.Errorf("%q answers %d, want %d", query, a.status, status)
		}
	}
	if a := b.visitor().get("/api/v1/completions?q=al"); a.status != http.StatusUnauthorized {
		t.Errorf("a visitor is answered %d", a.status)
	}
}
