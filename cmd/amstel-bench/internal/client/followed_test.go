package client

import (
	"strings"
	"testing"

	"amstel.dev/amstel/timeline"
)

func TestDiffers(t *testing.T) {
	t.Parallel()
	entries := func(n int) (all []Entry) {
		for i := range n {
			all = append(all, Entry{timeline.PostID(i + 1), "a"})
		}
		return all
	}
	changed, moved := entries(25), entries(25)
	changed[7].Tag = "b"
	moved[7], moved[8] = moved[8], moved[7]
	for _, tt := range []struct {
		name  string
		page  PageState
		river []Entry
		want  string
	}{
		{"alike", PageState{Shown: entries(25)}, entries(25), ""},
		{"its river goes on", PageState{Shown: entries(25)}, entries(60), ""},
		{"a short river", PageState{Shown: entries(3)}, entries(3), ""},
		{"empty", PageState{}, entries(25), "shows 0 entries of 25"},
		{"more than there is", PageState{Shown: entries(25)}, entries(24), "has 24"},
		{"an old state", PageState{Shown: changed}, entries(25), "another version of post 8"},
		{"another order", PageState{Shown: moved}, entries(25), "post 9 at place 7, where 8"},
		{"a fault", PageState{Shown: entries(25), Wrong: "twice"}, entries(25), "twice"},
	} {
		if got := unlike(tt.page, tt.river); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
