package discover

import (
	"slices"
	"testing"

	"amstel.dev/amstel/internal/sitetest"
	"amstel.dev/amstel/timeline"
)

func TestDirectory(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "anna", "bert", "carl")
	d := New(s.Store)
	small := s.Group("anna", timeline.NewGroup{Name: "small"})
	large := s.Group("anna", timeline.NewGroup{Name: "large", Status: "private", Description: "a large one"})
	s.Follow("bert", "large")
	s.Follow("carl", "large")
	all, err := d.Directory(t.Context(), 0, " ", nil, 0, 10)
	s.Must(err)
	if want := []ListedGroup{{large, 3}, {small, 1}}; !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
	second, err := d.Directory(t.Context(), 0, "", nil, 1, 10)
	s.Must(err)
	found, err := d.Directory(t.Context(), 0, "LAR", nil, 0, 10)
	s.Must(err)
	if !slices.Equal(second, all[1:]) || !slices.Equal(found, all[:1]) {
		t.Errorf("%v and %v", second, found)
	}
	s.Must(s.Ban(t.Context(), s.User("bert"), "carl"))
	sizes, err := d.GroupSizes(t.Context())
	s.Must(err)
	for _, held := range []GroupSizes{nil, sizes, sizes.Without(large)} {
		if all, err = d.Directory(t.Context(), s.User("bert"), "", held, 0, 1); err != nil || !slices.Equal(all, []ListedGroup{{large, 2}}) {
			t.Errorf("with the sizes %v: %v, %v", held, all, err)
		}
	}
	// The held sizes lack a group that was founded since.
	newer := s.Group("anna", timeline.NewGroup{Name: "newer"})
	s.Follow("carl", "small")
	s.Exec(`insert into jobs (kind, user_id) values ('delete account', $1)`, s.User("carl"))
	if all, err = d.Directory(t.Context(), 0, "", sizes, 0, 10); err != nil || !slices.Equal(all, []ListedGroup{{large, 3}, {small, 1}, {newer, 1}}) {
		t.Errorf("a new group among those that are held: %v, %v", all, err)
	}
	if all, err = d.Directory(t.Context(), 0, "", nil, 0, 10); err != nil || !slices.Equal(all, []ListedGroup{{large, 2}, {small, 1}, {newer, 1}}) {
		t.Errorf("without an account that is being deleted: %v, %v", all, err)
	}
}
