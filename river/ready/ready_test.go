package ready

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// monday is at eight o'clock.
var monday = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

// came returns the history of a person who came at these times.
func came(times ...time.Time) (h History) {
	for _, at := range times {
		quarter := timeline.QuarterOf(at)
		fresh := timeline.WeekOf(7, quarter)
		i := slices.IndexFunc(h, func(v timeline.VisitWeek) bool { return v.Week == fresh.Week })
		if i < 0 {
			h = append(h, fresh)
			i = len(h) - 1
		}
		h[i].Add(quarter)
	}
	return h
}

// daysBefore returns the times, so many days before monday, at hour and minute.
func daysBefore(hour, minute int, days ...int) (times []time.Time) {
	for _, d := range days {
		times = append(times, time.Date(2026, 11, 23-d, hour, minute, 0, 0, time.UTC))
	}
	return times
}

func TestExpects(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }
	working := []int{3, 4, 5, 6, 7, 10, 11, 12, 13, 14} // Fridays to Mondays
	about := slices.Concat(daysBefore(8, 2, 3), daysBefore(7, 58, 4), daysBefore(8, 14, 5), daysBefore(8, 1, 6))
	for _, tt := range []struct {
		name string
		came []time.Time
		at   time.Time
		want bool
	}{
		{"no history", nil, monday, false},
		{"each working day at eight", daysBefore(8, 3, working...), monday, true},
		{"a quarter earlier than ever", daysBefore(8, 3, working...), monday.Add(-15 * time.Minute), false},
		{"a quarter later than ever", daysBefore(8, 3, working...), monday.Add(15 * time.Minute), false},
		{"about eight: the quarter before", about, monday.Add(-15 * time.Minute), true},
		{"about eight: the quarter from eight", about, monday, true},
		{"about eight: half past seven", about, monday.Add(-30 * time.Minute), false},
		{"about eight: a quarter past", about, monday.Add(15 * time.Minute), false},
		{"the last two working days only", daysBefore(8, 3, 3, 4), monday, false},
		{"the last three working days only", daysBefore(8, 3, 3, 4, 5), monday, true},
		{"three of ten working days", daysBefore(8, 3, 5, 10, 14), monday, false},
		{"five of ten working days", daysBefore(8, 3, 3, 5, 10, 11, 14), monday, true},
		{"on working days, asked for a Saturday", daysBefore(8, 3, 3, 4, 5, 6, 7), monday.Add(day(5)), false},
		{"on weekends, asked for a Saturday", daysBefore(8, 3, 1, 2, 8, 9), monday.Add(day(5)), true},
		{"on weekends, asked for a Monday", daysBefore(8, 3, 1, 2, 8, 9), monday, false},
		{"on three Mondays of four", append(daysBefore(8, 3, 7, 14, 28), daysBefore(20, 0, 1, 2, 3, 4, 5, 6, 8, 9)...), monday, true},
		{"on two Mondays of four", append(daysBefore(8, 3, 7, 28), daysBefore(20, 0, 1, 2, 3, 4, 5, 6, 8, 9)...), monday, false},
		{"a habit that ended three weeks ago", daysBefore(8, 3, 17, 18, 19, 20, 24, 25, 26, 27), monday, false},
		{"there all night until after eight", slices.Concat(daysBefore(7, 30, working...), daysBefore(7, 45, working...), daysBefore(8, 0, working...)), monday, false},
		{"the beginning of such a night", slices.Concat(daysBefore(7, 30, working...), daysBefore(7, 45, working...), daysBefore(8, 0, working...)), monday.Add(-30 * time.Minute), true},
		{"just after midnight", daysBefore(0, 1, working...), monday.Add(-8 * time.Hour), true},
	} {
		if got := came(tt.came...).Expects(timeline.QuarterOf(tt.at)); got != tt.want {
			t.Errorf("%s: expected %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A desk is a store and a node that record the requests of a worker.
type desk struct {
	now      time.Time
	off      bool // the site's setting
	lives    bool
	err      error
	asked    int
	regulars []timeline.VisitWeek
	prepared []timeline.UserID
	recorded [][]timeline.VisitWeek
}

func (d *desk) RecordVisits(_ context.Context, _ string, weeks []timeline.VisitWeek) error {
	d.recorded = append(d.recorded, weeks)
	return nil
}

func (d *desk) Regulars(context.Context, string, int64) ([]timeline.VisitWeek, error) {
	d.asked++
	return d.regulars, nil
}

func (d *desk) Prepare(_ context.Context, key river.Key) (bool, error) {
	if d.err != nil || d.lives {
		return false, d.err
	}
	d.prepared = append(d.prepared, key.Viewer)
	return true, nil
}

func (d *desk) Site() timeline.SiteSettings {
	s := timeline.DefaultSite()
	s.Ready = s.Ready && !d.off
	return s
}

// newDesk returns a worker at a quarter to eight, and a desk with people who come at eight on
// each working day.
func newDesk(people ...timeline.UserID) (*Worker, *desk) {
	d := &desk{now: monday.Add(-15 * time.Minute)}
	for _, user := range people {
		for _, week := range came(daysBefore(8, 3, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14)...) {
			week.User = user
			d.regulars = append(d.regulars, week)
		}
	}
	return New(Config{Store: d, Rivers: d, Node: "a", Now: func() time.Time { return d.now }}), d
}

func (d *desk) steps(t *testing.T, w *Worker, n int) {
	t.Helper()
	for range n {
		if err := w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHomesAreBuiltFiveMinutesBefore: the homes of readers who come at eight are built from 7:55
// on, one in each step, with one request to the primary for each quarter of an hour.
func TestHomesAreBuiltFiveMinutesBefore(t *testing.T) {
	t.Parallel()
	w, d := newDesk(1, 2, 3)
	for d.now.Before(monday.Add(-5 * time.Minute)) {
		d.steps(t, w, 1)
		d.now = d.now.Add(time.Minute)
	}
	if len(d.prepared) != 0 {
		t.Errorf("before 7:55 the homes of %v are built", d.prepared)
	}
	d.steps(t, w, 2)
	if !slices.Equal(d.prepared, []timeline.UserID{1, 2}) {
		t.Errorf("in two steps the homes of %v are built, want those of 1 and 2", d.prepared)
	}
	d.err = river.ErrBusy
	d.steps(t, w, 3)
	d.err = nil
	d.steps(t, w, 3)
	if !slices.Equal(d.prepared, []timeline.UserID{1, 2, 3}) || d.asked != 2 {
		t.Errorf("after the node was busy the homes of %v are built, and the primary was asked %d times; want 1 to 3, and 2", d.prepared, d.asked)
	}
	w, d = newDesk(1)
	d.now, d.off = monday.Add(-5*time.Minute), true
	d.steps(t, w, 3)
	w.Visited(1)
	if err := w.Flush(t.Context()); err != nil || d.asked+len(d.prepared)+len(d.recorded) != 0 {
		t.Errorf("with the setting off: asked %d times, built %v, recorded %v", d.asked, d.prepared, d.recorded)
	}
}

// TestWrongGuessesPause: after a wrong guess, the worker does not guess the reader again for
// half a day, then for a day, and so on. It guesses a reader who comes again at once.
func TestWrongGuessesPause(t *testing.T) {
	t.Parallel()
	w, d := newDesk(1)
	key := river.Key{Viewer: 1, What: river.KindHome, TheirID: 1}
	guessed := func() bool {
		w.looked = 0
		n := len(d.prepared)
		at := d.now
		d.now = monday.Add(-5 * time.Minute) // so that the history expects the reader
		for u, p := range w.pauses {
			p.until = p.until.Add(d.now.Sub(at))
			w.pauses[u] = p
		}
		d.steps(t, w, 1)
		return len(d.prepared) > n
	}
	d.now = monday
	for wrong, want := range []time.Duration{12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 96 * time.Hour, 192 * time.Hour, 384 * time.Hour, 384 * time.Hour} {
		if !guessed() {
			t.Fatalf("after %d wrong guesses and the pause the reader is not guessed", wrong)
		}
		w.Came(key, false)
		if guessed() {
			t.Errorf("after %d wrong guesses the reader is guessed at once", wrong+1)
		}
		d.now = d.now.Add(want - time.Second)
		if guessed() {
			t.Errorf("after %d wrong guesses the reader is guessed before %v", wrong+1, want)
		}
		d.now = d.now.Add(time.Second)
	}
	w.Came(key, false)
	w.Came(key, true)
	if !guessed() {
		t.Error("a reader who came is not guessed again")
	}
}

// TestVisitsAreWrittenTogether: many visits of a quarter of an hour become one row, written
// by Flush and not before.
func TestVisitsAreWrittenTogether(t *testing.T) {
	t.Parallel()
	w, d := newDesk()
	for range 100 {
		w.Visited(1)
		w.Visited(2)
		w.Visited(0)
	}
	if len(d.recorded) != 0 {
		t.Error("a visit wrote to the primary")
	}
	flush := func() {
		t.Helper()
		if err := w.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	flush()
	w.Visited(1)
	flush()
	if len(d.recorded) != 1 || len(d.recorded[0]) != 2 || !d.recorded[0][0].Has(timeline.QuarterOf(d.now)) {
		t.Fatalf("recorded %v, want one row for each of two people", d.recorded)
	}
	d.now = d.now.Add(15 * time.Minute)
	w.Visited(1)
	flush()
	if len(d.recorded) != 2 || len(d.recorded[1]) != 1 {
		t.Errorf("in the next quarter: recorded %v", d.recorded[1:])
	}
}

// TestFailuresEndNothing: an error of a build is returned, and the next step goes on with the
// next reader.
func TestFailuresEndNothing(t *testing.T) {
	t.Parallel()
	w, d := newDesk(1, 2)
	d.now = monday.Add(-5 * time.Minute)
	d.err = errors.New("away")
	if err := w.Step(t.Context()); !errors.Is(err, d.err) {
		t.Errorf("a failed build: %v", err)
	}
	d.err = nil
	d.steps(t, w, 2)
	if !slices.Equal(d.prepared, []timeline.UserID{2}) {
		t.Errorf("after a failed build the homes of %v are built", d.prepared)
	}
}
