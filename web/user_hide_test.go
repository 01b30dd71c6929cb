package web_test

import (
	"sync"
	"testing"

	"amstel.dev/amstel/timeline"
)

// A person's posts and comments are hidden separately: changing one never changes the other.
func TestHidingOnePartLeavesTheOther(t *testing.T) {
	long(t)
	t.Parallel()
	b := setup(t, "alice", "bobby")
	alice, both := b.as("alice"), timeline.HiddenParts{Posts: true, Comments: true}
	hides := func(when string, want timeline.HiddenParts) {
		t.Helper()
		hidden, err := b.store.Hidden(t.Context(), b.ids["alice"])
		if err != nil || hidden[b.ids["bobby"]] != want {
			t.Errorf("%s she hides %+v, %v; want %+v", when, hidden, err, want)
		}
	}
	one, two := b.as("alice"), b.as("alice")
	for range 10 {
		if err := b.store.ShowUser(t.Context(), b.ids["alice"], "bobby", both); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() { one.send("POST", "/api/v1/users/bobby/hide", nil).result("hidden") })
		wg.Go(func() { two.send("POST", "/api/v1/users/bobby/hide_comments", nil).result("hidden") })
		wg.Wait()
		hides("after both at once", both)
	}
	// While bobby bans alice, her list leaves bobby out; the hide itself is kept.
	b.as("bobby").send("POST", "/api/v1/users/alice/ban", nil).result("banned")
	alice.send("DELETE", "/api/v1/users/bobby/hide_comments", nil).result("shown")
	hides("across the ban", timeline.HiddenParts{})
	b.as("bobby").send("DELETE", "/api/v1/users/alice/ban", nil).result("unbanned")
	hides("after the ban", timeline.HiddenParts{Posts: true})
}
