package timeline

import (
	"testing"
	"time"
)

// visited records a visit of a person now, as a node does.
func (s *site) visited(node, name string) {
	s.t.Helper()
	quarter := QuarterOf(s.db.Now())
	week := WeekOf(s.user(name), quarter)
	week.Add(quarter)
	s.must(s.RecordVisits(s.t.Context(), node, []VisitWeek{week}))
}

// regulars returns the people a node may expect now.
func (s *site) regulars(node string) map[UserID]int {
	s.t.Helper()
	weeks, err := s.Regulars(s.t.Context(), node, QuarterOf(s.db.Now()))
	s.must(err)
	found := make(map[UserID]int)
	for _, week := range weeks {
		found[week.User]++
	}
	return found
}

// TestVisitTimes: a visit is stored to the quarter of an hour, in one row for each person and week. The
// node that served the person's last visit expects the person at the same time on any day.
func TestVisitTimes(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora")
	s.clock = time.Date(2026, 11, 22, 23, 59, 0, 0, time.UTC) // a Sunday
	s.visited("a", "anna")
	s.wait(2 * time.Minute) // the first quarter of a week
	s.visited("a", "bert")
	s.visited("a", "bert")
	if rows := one[int](s, `select count(*) from visit_times`); rows != 2 {
		t.Errorf("%d rows, want one for each person", rows)
	}
	if got := s.regulars("a"); got[s.user("bert")] != 1 || len(got) != 1 {
		t.Errorf("just after midnight %v are found, want Bert alone", got)
	}
	s.wait(-2 * time.Minute)
	if got := s.regulars("a"); got[s.user("anna")] != 1 || len(got) != 1 {
		t.Errorf("just before midnight %v are found, want Anna alone", got)
	}
	s.wait(3 * 24 * time.Hour)
	if got := s.regulars("a"); got[s.user("anna")] != 1 {
		t.Errorf("on another day at that time %v are found, want Anna", got)
	}
	s.visited("b", "anna")
	if a, b := s.regulars("a"), s.regulars("b"); len(a) != 0 || b[s.user("anna")] != 2 {
		t.Errorf("after node b served her, a finds %v and b finds %v; want none, and Anna with two weeks", a, b)
	}
	weeks, err := s.Regulars(t.Context(), "b", QuarterOf(s.db.Now()))
	s.must(err)
	quarter := QuarterOf(s.db.Now())
	if last := weeks[len(weeks)-1]; !last.Has(quarter) || last.Has(quarter-1) || last.Has(quarter+1) {
		t.Errorf("the last week does not have the quarter of the visit alone: %v", last)
	}
}

// TestVisitTimesAreThePersons: no times are stored for a person who does not want it, for a deleted or
// suspended account, or on a site whose setting is off. No time is kept for longer than four weeks.
func TestVisitTimesAreThePersons(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newSite(t, "anna", "bert", "carl", "dora")
	rows := func(name string) int {
		return one[int](s, `select count(*) from visit_times where user_id = $1`, s.user(name))
	}
	for _, name := range []string{"anna", "bert", "carl", "dora"} {
		s.visited("a", name)
	}
	if keeps, err := s.KeepsVisits(ctx, s.user("anna")); !keeps || err != nil {
		t.Errorf("at first Anna's times are kept: %v, %v", keeps, err)
	}
	if changes := s.changesOf(func() { s.must(s.SetProfile(ctx, s.user("anna"), ProfileEdit{KeepsVisits: new(false)})) }); len(changes) != 0 {
		t.Errorf("the setting notes %v", changes)
	}
	s.visited("a", "anna")
	if keeps, err := s.KeepsVisits(ctx, s.user("anna")); keeps || err != nil || rows("anna") != 0 {
		t.Errorf("Anna wants no times kept, and %d rows are, %v, %v", rows("anna"), keeps, err)
	}
	s.must(s.SetProfile(ctx, s.user("anna"), ProfileEdit{KeepsVisits: new(true)}))
	if s.visited("a", "anna"); rows("anna") != 1 {
		t.Error("Anna wants them kept again, and they are not")
	}
	s.must(s.Suspend(ctx, s.user("bert")))
	if got := s.regulars("a"); got[s.user("bert")] != 0 || got[s.user("carl")] != 1 {
		t.Errorf("with Bert suspended %v are found", got)
	}
	s.exec(`delete from visit_times where user_id = $1`, s.user("bert"))
	if s.visited("a", "bert"); rows("bert") != 0 {
		t.Error("times of a suspended account are kept")
	}
	s.must(s.SetPassword(ctx, s.user("carl"), "correct horse"))
	s.endAccount(s.user("carl"))
	s.visited("a", "carl")
	s.runAccountJobs()
	if rows("carl") != 0 {
		t.Error("times of a deleted account are kept")
	}
	s.audit()
	s.wait(VisitWeeks * 7 * 24 * time.Hour)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if rows("dora") != 1 {
		t.Error("after four weeks the times of the first of them are gone")
	}
	s.wait(7 * 24 * time.Hour)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if rows("dora") != 0 {
		t.Error("after five weeks times are kept")
	}
	s.visited("a", "dora")
	_, err := s.ArrangeSite(ctx, SiteEdit{"ready": "off"})
	s.must(err)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if rows("dora") != 0 {
		t.Error("with the setting off times stay")
	}
}
