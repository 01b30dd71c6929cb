package faulttest

import (
	"sync/atomic"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestPoison: posts that can't be drawn are left out, by pages and by sockets, and
// everything else lives. One that has changed, and can be, is there again.
func TestPoison(t *testing.T) {
	t.Parallel()
	var bad atomic.Int64
	town, n := under(t, pgtest.URL(t), Options{Poison: func(p timeline.PostID) bool { return int64(p) == bad.Load() }})
	town.Busy(30)
	town.Right(n.Place)
	everybody := town.pages[1]
	for range 2 {
		id, err := town.Store.CreatePost(t.Context(), town.clerks[0], timeline.NewPost{To: []string{"user"}, Text: "a post to be poisoned"})
		town.Must(err)
		town.Until("the post does not come", func() string {
			if !everybody.Shows(id) {
				return "it is not shown"
			}
			return ""
		})
		bad.Store(int64(id))
		town.Begin()
		town.Must(town.Store.Like(t.Context(), town.clerks[1], id))
		town.Busy(30)
		town.Until("the post does not go", func() string {
			if everybody.Shows(id) {
				return "it is shown"
			}
			return ""
		})
		town.Right(n.Place)
		if out := n.Rivers.Stats().Quarantined; out != 1 {
			t.Errorf("%d posts are left out", out)
		}
		bad.Store(0)
		_, err = town.Store.AddComment(t.Context(), town.clerks[1], id, timeline.NewComment{Text: "an antidote"})
		town.Must(err)
		town.Until("the post does not come back", func() string {
			if !everybody.Shows(id) {
				return "it is not shown"
			}
			return ""
		})
		town.Busy(10)
		town.Right(n.Place)
	}
	if out := n.Rivers.Stats().Quarantined; out != 0 {
		t.Errorf("%d posts are left out in the end", out)
	}
}
