package discover

import (
	"slices"
	"testing"

	"amstel.dev/amstel/internal/sitetest"
	"amstel.dev/amstel/timeline"
)

func TestComplete(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "anna", "annabel", "bert", "zoe")
	d := New(s.Store)
	for _, status := range []string{"public", "protected", "private"} {
		s.Group("anna", timeline.NewGroup{Name: "ann-" + status, Status: status})
	}
	s.Must(s.Ban(t.Context(), s.User("annabel"), "bert"))
	for _, tt := range []struct {
		who    string
		people []string
		groups int
	}{
		{"anna", []string{"anna", "annabel"}, 3},
		{"bert", []string{"anna"}, 2}, // not of the private group, and apart from annabel
		{"zoe", []string{"anna", "annabel"}, 2},
		{"annabel", []string{"anna", "annabel"}, 2},
	} {
		people, groups, err := d.Complete(t.Context(), s.User(tt.who), "ann", 10)
		s.Must(err)
		if got := s.Named(people); !slices.Equal(got, tt.people) || len(groups) != tt.groups {
			t.Errorf("%s is offered %q and %d groups, want %q and %d", tt.who, got, len(groups), tt.people, tt.groups)
		}
	}
	if _, _, err := d.Complete(t.Context(), s.User("zoe"), "!", 10); !sitetest.IsInvalid(err) {
		t.Errorf("without a letter: %v", err)
	}
}

func TestCompleteTag(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "anna", "bert")
	d := New(s.Store)
	say := func(who, text string, to ...string) timeline.PostID {
		t.Helper()
		post, err := s.CreatePost(t.Context(), s.User(who), timeline.NewPost{To: to, Text: text})
		s.Must(err)
		return post
	}
	say("anna", "#boats and #Bridges", "user")
	say("anna", "#bread for myself", "user_fyeo")
	gone := say("anna", "#brown", "user")
	s.Must(s.DeletePost(t.Context(), s.User("anna"), gone))
	theirs := say("bert", "#brass", "user")
	_, err := s.AddComment(t.Context(), s.User("anna"), theirs, timeline.NewComment{Text: "more #Brie, no#brush"})
	s.Must(err)
	for start, want := range map[string][]string{"BR": {"brie", "bread", "bridges"}, "bo": {"boats"}, "x": nil} {
		if tags, err := d.CompleteTag(t.Context(), s.User("anna"), start, 10); err != nil || !slices.Equal(tags, want) {
			t.Errorf("%q becomes %q, %v, want %q", start, tags, err, want)
		}
	}
	if tags, err := d.CompleteTag(t.Context(), s.User("anna"), "b", 2); err != nil || len(tags) != 2 {
		t.Errorf("%q, %v", tags, err)
	}
	if tags, err := d.CompleteTag(t.Context(), s.User("bert"), "", 10); err != nil || !slices.Equal(tags, []string{"brass"}) {
		t.Errorf("bert is offered %q, %v", tags, err)
	}
}
