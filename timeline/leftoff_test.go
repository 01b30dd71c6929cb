package timeline

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestLeftOffIsTheSameInGoAndSQL compares the rule of a visit in Go with the same rule in SQL. They must
// agree, because pages use the one and the primary uses the other.
func TestLeftOffIsTheSameInGoAndSQL(t *testing.T) {
	t.Parallel()
	type sight struct {
		minute int
		place  int64
	}
	// A place is the time of a post; ten places share a time.
	at := func(place int64) Cursor { return Cursor{place / 10 * 10, PostID(100 + place%10)} }
	for i, test := range []struct {
		name   string
		sights []sight
		// After the last sight: the highest place seen, and the place and time at which the
		// visit before ended; -1: no visit before.
		seen, was int64
		ended     int
	}{
		{"the first visit ever leaves nothing off", []sight{{0, 50}}, 50, -1, -1},
		{"a visit goes on with a look every half hour", []sight{{0, 50}, {30, 60}, {60, 70}}, 70, -1, -1},
		{"a look after more than half an hour begins another", []sight{{0, 50}, {31, 60}}, 60, 50, 0},
		{"the visit before ended where and when it was seen last", []sight{{0, 50}, {20, 60}, {60, 70}}, 70, 60, 20},
		{"loading the page again keeps the line where it is", []sight{{0, 50}, {60, 60}, {61, 70}, {80, 80}}, 80, 50, 0},
		{"a third visit forgets the first", []sight{{0, 50}, {60, 60}, {120, 70}}, 70, 60, 60},
		{"within a visit no place goes back", []sight{{0, 50}, {1, 40}}, 50, -1, -1},
		{"nor to another post of the same moment", []sight{{0, 55}, {1, 54}}, 55, -1, -1},
		{"it goes on to another post of the same moment", []sight{{0, 54}, {1, 55}}, 55, -1, -1},
		{"a visit begins where the page does, also farther down", []sight{{0, 50}, {60, 40}}, 40, 50, 0},
		{"what is told late, by another device, begins no visit", []sight{{60, 60}, {0, 50}, {80, 70}}, 70, -1, -1},
		{"and ends none sooner", []sight{{0, 50}, {60, 60}, {20, 55}, {85, 70}}, 70, 50, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, "anna")
			anna, page := s.user("anna"), fmt.Sprintf("user:%d", i)
			var want LeftOff
			for _, sight := range test.sights {
				moment := s.clock.Add(time.Duration(sight.minute) * time.Minute)
				want = want.See(at(sight.place), moment)
				s.must(s.RecordSeen(t.Context(), anna, page, at(sight.place), moment))
			}
			got, err := s.LeftOff(t.Context(), anna, page)
			s.must(err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the primary has it otherwise (-rule +primary):\n%s", diff)
			}
			if got.Seen != at(test.seen) {
				t.Errorf("seen up to %v, want %v", got.Seen, at(test.seen))
			}
			place, ended, ok := got.LastVisit(got.At)
			if ok != (test.was >= 0) || ok && (place != at(test.was) || !ended.Equal(s.clock.Add(time.Duration(test.ended)*time.Minute))) {
				t.Errorf("left off at %v, %v, %v; want %d, minute %d", place, ended, ok, test.was, test.ended)
			}
			// The next visit begins at the place that this visit has reached.
			place, ended, ok = got.LastVisit(got.At.Add(VisitGap + time.Millisecond))
			if !ok || place != at(test.seen) || !ended.Equal(got.At) {
				t.Errorf("the next visit has left off at %v, %v, %v", place, ended, ok)
			}
		})
	}
}

func TestLeftOffIsKeptOfTheNewestPages(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna, bert := t.Context(), s.user("anna"), s.user("bert")
	s.must(s.RecordSeen(ctx, bert, "home", Cursor{1, 1}, s.clock))
	changes := s.changesOf(func() {
		for i := range maxLeftOff + 3 {
			s.must(s.RecordSeen(ctx, anna, fmt.Sprintf("user:%d", i), Cursor{1, 1}, s.clock.Add(time.Duration(i)*time.Second)))
			s.must(s.RecordSeen(ctx, anna, "home", Cursor{1, 1}, s.clock.Add(time.Duration(i)*time.Second)))
		}
	})
	if len(changes) != 0 {
		t.Errorf("it is in the log: %v", changes)
	}
	if n := one[int](s, `select count(*) from left_off where user_id = $1`, anna); n != maxLeftOff {
		t.Errorf("%d pages are kept, want %d", n, maxLeftOff)
	}
	for page, kept := range map[string]bool{"home": true, "user:3": false, "user:4": true, fmt.Sprintf("user:%d", maxLeftOff+2): true} {
		l, err := s.LeftOff(ctx, anna, page)
		s.must(err)
		if kept != (l != LeftOff{}) {
			t.Errorf("of %s there is %+v", page, l)
		}
	}
	if l, err := s.LeftOff(ctx, bert, "home"); err != nil || l.Seen != (Cursor{1, 1}) {
		t.Errorf("Bert left off at %+v, %v", l, err)
	}
}

func TestLeftOffOfADeletedAccountIsNotKept(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	anna := s.user("anna")
	s.must(s.SetPassword(t.Context(), anna, zoesPassword))
	s.must(s.RecordSeen(t.Context(), anna, "home", Cursor{1, 1}, s.clock))
	s.endAccount(anna)
	s.runAccountJobs()
	s.must(s.RecordSeen(t.Context(), anna, "home", Cursor{2, 2}, s.clock)) // recorded by a node that had not stored the sight yet
	if n := one[int](s, `select count(*) from left_off`); n != 0 {
		t.Errorf("%d pages are kept of a deleted account", n)
	}
}
