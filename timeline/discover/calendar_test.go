package discover

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/sitetest"
	"amstel.dev/amstel/timeline"
)

// shown returns what a calendar has, in few words.
func shown(c Calendar) (days []string, before, after string) {
	name := func(at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return at.Format(time.DateOnly)
	}
	for _, d := range c.Days {
		days = append(days, name(d.Day)+" "+string(rune('0'+d.Posts)))
	}
	return days, name(c.Before), name(c.After)
}

func TestCalendarCountsWhatItsReaderMayRead(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := sitetest.New(t, "alice", "bobby", "carol")
	d := New(s.Store)
	alice, bobby, carol := s.User("alice"), s.User("bobby"), s.User("carol")
	write := func(day string, to ...string) timeline.PostID {
		at, err := time.Parse(time.DateTime, day)
		s.Must(err)
		s.Clock = at
		id, err := s.CreatePost(t.Context(), alice, timeline.NewPost{Text: "x", To: to})
		s.Must(err)
		return id
	}
	write("2024-02-29 23:59:59", "user")
	write("2024-03-01 00:00:00", "user")
	both := write("2024-03-01 12:00:00", "user", "user_private")
	write("2024-03-05 12:00:00", "user_private")
	write("2024-03-06 12:00:00", "user_fyeo")
	write("2024-03-07 12:00:00", "direct:bobby")
	write("2025-01-01 00:00:00", "user")
	const subscribe = `insert into subscriptions (user_id, timeline_id) values ($1, $2)`
	s.Exec(subscribe, bobby, s.Timeline(timeline.WhatUserPrivate, "alice"))

	march, april := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name          string
		viewer        timeline.UserID
		from, until   time.Time
		days          []string
		before, after string
	}{
		{"all of it, for everybody", 0, time.Time{}, time.Time{}, []string{"2024-02-29 1", "2024-03-01 2", "2025-01-01 1"}, "", ""},
		{"for a subscriber of the private feed", bobby, time.Time{}, time.Time{},
			[]string{"2024-02-29 1", "2024-03-01 2", "2024-03-05 1", "2025-01-01 1"}, "", ""},
		{"for herself, with what only she can read", alice, time.Time{}, time.Time{},
			[]string{"2024-02-29 1", "2024-03-01 2", "2024-03-05 1", "2024-03-06 1", "2025-01-01 1"}, "", ""},
		{"a month, with what is around it", carol, march, april, []string{"2024-03-01 2"}, "2024-02-29", "2025-01-01"},
		{"a month with nothing in it", 0, april, april.AddDate(0, 1, 0), nil, "2024-03-01", "2025-01-01"},
		{"the same, for a viewer who may read more", bobby, april, april.AddDate(0, 1, 0), nil, "2024-03-05", "2025-01-01"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := d.Calendar(t.Context(), tt.viewer, alice, tt.from, tt.until)
			s.Must(err)
			days, before, after := shown(got)
			if diff := cmp.Diff(tt.days, days); diff != "" || before != tt.before || after != tt.after {
				t.Errorf("around it %q and %q (-want +got):\n%s", before, after, diff)
			}
		})
	}

	// Deleted posts are not counted, and a closed page has no calendar.
	s.Must(s.DeletePost(t.Context(), alice, both))
	got, err := d.Calendar(t.Context(), 0, alice, march, april)
	s.Must(err)
	if days, _, _ := shown(got); !cmp.Equal(days, []string{"2024-03-01 1"}) {
		t.Errorf("after a post was deleted: %v", days)
	}
	s.Status("alice", "private")
	for viewer, want := range map[timeline.UserID]error{0: timeline.ErrForbidden, carol: timeline.ErrForbidden, bobby: nil, alice: nil} {
		if _, err := d.Calendar(t.Context(), viewer, alice, march, april); !errors.Is(err, want) {
			t.Errorf("of a private feed, for %d: %v, want %v", viewer, err, want)
		}
	}
	s.Must(s.Ban(t.Context(), alice, "carol"))
	if _, err := d.Calendar(t.Context(), carol, alice, march, april); !errors.Is(err, timeline.ErrNotFound) {
		t.Errorf("for a banned viewer: %v", err)
	}
	if _, err := d.Calendar(t.Context(), 0, 99, march, april); !errors.Is(err, timeline.ErrNotFound) {
		t.Errorf("of an unknown person: %v", err)
	}
}
