package faulttest

import (
	"sync/atomic"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestPoison makes the rendering of a post panic. Pages and sockets leave the post out and
// show all others. After a change of the post, with the cause gone, the post is shown again.
func TestPoison(t *testing.T) {
	t.Parallel()
	var bad atomic.Int64
	scenario, n := startScenario(t, pgtest.URL(t), Options{Poison: func(p timeline.PostID) bool { return int64(p) == bad.Load() }})
	scenario.WaitForWrites(30)
	scenario.CheckAll(n.Endpoint)
	everything := scenario.pages[1]
	for range 2 {
		id, err := scenario.Store.CreatePost(t.Context(), scenario.writers[0], timeline.NewPost{To: []string{"user"}, Text: "a post to be poisoned"})
		scenario.Must(err)
		scenario.Until("the new post is not shown", func() string {
			if !everything.Shows(id) {
				return "it is not shown"
			}
			return ""
		})
		bad.Store(int64(id))
		scenario.StartLoad()
		scenario.Must(scenario.Store.Like(t.Context(), scenario.writers[1], id))
		scenario.WaitForWrites(30)
		scenario.Until("the poisoned post is still shown", func() string {
			if everything.Shows(id) {
				return "it is shown"
			}
			return ""
		})
		scenario.CheckAll(n.Endpoint)
		if out := n.Rivers.Stats().Quarantined; out != 1 {
			t.Errorf("%d posts are left out", out)
		}
		bad.Store(0)
		_, err = scenario.Store.AddComment(t.Context(), scenario.writers[1], id, timeline.NewComment{Text: "an antidote"})
		scenario.Must(err)
		scenario.Until("the mended post is not shown", func() string {
			if !everything.Shows(id) {
				return "it is not shown"
			}
			return ""
		})
		scenario.WaitForWrites(10)
		scenario.CheckAll(n.Endpoint)
	}
	if out := n.Rivers.Stats().Quarantined; out != 0 {
		t.Errorf("%d posts are left out in the end", out)
	}
}
