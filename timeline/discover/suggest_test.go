package discover

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"amstel.dev/amstel/internal/sitetest"
	"amstel.dev/amstel/timeline"
)

func TestSuggest(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "viewer", "friend", "second", "popular", "known", "busy", "quiet", "hidden", "banned", "private", "gone", "asked", "hiding")
	d := New(s.Store)
	s.Group("popular", timeline.NewGroup{Name: "joined"})
	s.Group("popular", timeline.NewGroup{Name: "closed", Status: "private"})
	for _, f := range []string{"friend", "second"} {
		s.Follow("viewer", f)
		for _, who := range []string{"popular", "hidden", "banned", "gone", "asked"} {
			s.Follow(f, who)
		}
	}
	s.Follow("friend", "known")
	s.Follow("friend", "joined")
	s.Follow("friend", "closed")
	s.Follow("friend", "private")
	s.Follow("viewer", "hiding")
	s.Follow("hiding", "quiet") // a subscription that other people may not know of
	for range 3 {
		s.Post("busy")
	}
	s.Post("private")
	s.Clock = s.Clock.Add(200 * 24 * time.Hour) // there are suggestions even after a long time without posts
	s.Status("private", "private")
	s.Status("hiding", "fyeo")
	s.Status("asked", "protected")
	_, err := s.Subscribe(t.Context(), s.User("viewer"), timeline.FeedName{Name: "asked"}, timeline.SubscribeOptions{})
	s.Must(err)
	s.Must(s.HideUser(t.Context(), s.User("viewer"), "hidden", timeline.HiddenParts{Posts: true}))
	s.Must(s.Ban(t.Context(), s.User("banned"), "viewer"))
	s.Exec(suspend, s.User("gone"))
	suggests := func(when string, want ...string) Suggestions {
		t.Helper()
		found, err := d.Suggest(t.Context(), s.User("viewer"), 10)
		s.Must(err)
		var got []string
		for _, p := range found.People {
			got = append(got, fmt.Sprint(s.Named([]timeline.UserID{p.ID})[0], " ", p.Friends, " ", p.Posts))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s people %q, want %q", when, got, want)
		}
		return found
	}
	// The viewer has just requested one feed and followed others. These keep their places in the list.
	found := suggests("lately asked:", "popular 2 0", "asked 2 0", "known 1 0", "busy 0 3")
	if len(found.Groups) != 1 || found.Groups[0].Friends != 1 || found.Groups[0].Friend != s.User("friend") {
		t.Errorf("groups %v", found.Groups)
	}
	s.Follow("popular", "quiet")
	s.Follow("viewer", "popular")
	suggests("lately followed:", "popular 2 0", "asked 2 0", "known 1 0", "busy 0 3")
	s.Clock = s.Clock.Add(suggestLately + time.Second)
	suggests("later:", "known 1 0", "quiet 1 0", "busy 0 3")
	if found, err = d.Suggest(t.Context(), s.User("viewer"), 1); err != nil || len(found.People) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}
