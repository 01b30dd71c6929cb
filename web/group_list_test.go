package web_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestDirectoryCountsMembers: the directory shows how many members a group has now, also if
// another process lets them in. The count leaves out people across a ban from the viewer.
func TestDirectoryCountsMembers(t *testing.T) {
	t.Parallel()
	b := setup(t, "alice", "bobby", "carol", "david")
	for _, name := range []string{"kitchen", "garden"} {
		b.as("alice").send("POST", "/api/v1/groups", object{"group": object{"name": name}}).ok()
	}
	members := func(who *client) map[string]float64 {
		t.Helper()
		a, all := who.get("/filter/groups.json").ok(), make(map[string]float64)
		for i := range a.at("found_groups").([]any) {
			name := a.at("groups", formatNumber(a.at("found_groups", i, "id").(float64)), "name").(string)
			all[name] = a.at("found_groups", i, "members").(float64)
		}
		return all
	}
	shows := func(when string, who *client, kitchen, garden float64) {
		t.Helper()
		if diff := cmp.Diff(map[string]float64{"kitchen": kitchen, "garden": garden}, members(who)); diff != "" {
			t.Errorf("%s:\n%s", when, diff)
		}
	}
	shows("at first", b.visitor(), 1, 1)
	if _, err := b.store.Subscribe(t.Context(), b.ids["carol"], timeline.FeedName{Name: "garden"}, timeline.SubscribeOptions{}); err != nil {
		t.Fatal(err)
	}
	shows("after another process accepted a member", b.visitor(), 1, 2)
	b.as("bobby").send("POST", "/api/v1/groups/kitchen/subscribers", nil).ok()
	shows("after bobby came", b.visitor(), 2, 2)
	b.as("bobby").send("POST", "/api/v1/groups/garden/subscribers", nil).ok()
	shows("after bobby joined the other group", b.visitor(), 2, 3)
	b.as("david").send("POST", "/api/v1/users/bobby/ban", nil).ok()
	shows("across a ban", b.as("david"), 1, 2)
	shows("for others", b.visitor(), 2, 3)
	b.as("alice").send("POST", "/api/v1/groups", object{"group": object{"name": "cellar"}}).ok()
	if got := members(b.visitor()); got["cellar"] != 1 {
		t.Errorf("a new group: %v", got)
	}
}
