package web

import (
	"testing"

	"amstel.dev/amstel/timeline"
)

// What is known of a comment without a view of its post says nothing that would
// be of everybody, across bans as well.
func TestCommentWithoutAView(t *testing.T) {
	t.Parallel()
	shown := commentAlone(nil, &timeline.Comment{ID: 5, Post: 7, User: 3, Text: "hoi", Likes: 4}, visitor{})
	if shown.ClikesCount != 0 || shown.ID != 5 || shown.Text != "hoi" {
		t.Errorf("%+v", shown)
	}
}
