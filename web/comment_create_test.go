package web

import (
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestCommentWithoutAView: if the answer has no view of the post, its comment has no counts,
// because these would include likes by people across a ban.
func TestCommentWithoutAView(t *testing.T) {
	t.Parallel()
	shown := (&Server{}).commentAlone(nil, &timeline.Comment{ID: 5, Post: 7, User: 3, Text: "hoi", Likes: 4}, visitor{})
	if shown.ClikesCount != 0 || shown.ID != 5 || shown.Text != "hoi" {
		t.Errorf("%+v", shown)
	}
}
