package timeline

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// reportSite makes a site with an administrator, a group with one of its own, and two people.
func reportSite(t *testing.T) *site {
	t.Helper()
	s := newSite(t, "anna", "bert", "carl", "dora")
	s.exec(`update users set admin = true where name = 'anna'`)
	return s
}

// reports returns the reports about which a person decides.
func (s *site) reports(name string, closed bool) []Report {
	s.t.Helper()
	p, err := s.Reports(s.t.Context(), s.user(name), closed, 0, 100)
	s.must(err)
	return p.Reports
}

// told returns the kinds of a person's notices, the newest first.
func (s *site) told(name string) (kinds []NoticeKind) {
	s.t.Helper()
	p, err := s.NoticesOf(s.t.Context(), s.user(name), 0, 100)
	s.must(err)
	for _, n := range p.Notices {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

// TestReportIsDecided reports a post twice and a comment, and checks which administrators decide, what each decision does, and
// who is told of it.
func TestReportIsDecided(t *testing.T) {
	t.Parallel()
	s := reportSite(t)
	ctx, anna, bert, carl, dora := t.Context(), s.user("anna"), s.user("bert"), s.user("carl"), s.user("dora")
	post := s.post("carl")
	comment := s.comment("carl", post)
	s.must(s.SendReport(ctx, bert, ReportDraft{Post: post, Reason: "spam"}))
	s.must(s.SendReport(ctx, bert, ReportDraft{Post: post, Reason: "really spam"})) // replaces the first
	s.must(s.SendReport(ctx, dora, ReportDraft{Post: post, Reason: "spam!"}))
	s.must(s.SendReport(ctx, dora, ReportDraft{Post: post, Comment: comment, Reason: "spam too"}))

	open := s.reports("anna", false)
	var reasons []string
	for _, r := range open {
		reasons = append(reasons, r.Reason)
	}
	if want := []string{"spam too", "spam!", "really spam"}; !slices.Equal(reasons, want) {
		t.Fatalf("the open reports say %q, want %q", reasons, want)
	}
	if open[0].Text != "a comment by carl" || open[1].Text != "a post by carl" || open[1].Author != carl {
		t.Errorf("the reports show %+v", open)
	}
	if kinds := s.told("anna"); !slices.Equal(kinds, []NoticeKind{NoticeReport, NoticeReport, NoticeReport}) {
		t.Errorf("the administrator is told %v", kinds)
	}
	if _, err := s.Reports(ctx, bert, false, 0, 10); !errors.Is(err, ErrForbidden) {
		t.Errorf("the reports for a person who administers nothing: %v", err)
	}
	if err := s.DecideReport(ctx, bert, open[0].ID, Decision{Act: ActDismiss}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a decision by a person who administers nothing: %v", err)
	}

	s.must(s.DecideReport(ctx, anna, open[0].ID, Decision{Act: ActDismiss}))
	s.must(s.DecideReport(ctx, anna, open[1].ID, Decision{Act: DecideDelete, Reason: "no advertising"}))
	if err := s.DecideReport(ctx, anna, open[2].ID, Decision{Act: ActWarn, Reason: "x"}); !errors.Is(err, ErrConflict) {
		t.Errorf("a report that was closed together with another one: %v", err)
	}
	if s.reads("carl", post) {
		t.Error("the author reads the deleted post")
	}
	if left := s.reports("anna", false); len(left) != 0 {
		t.Errorf("%d reports are open", len(left))
	}
	for name, want := range map[string][]NoticeKind{
		"anna": nil, "bert": {NoticeAnswer}, "dora": {NoticeAnswer, NoticeAnswer}, "carl": {NoticeModeration},
	} {
		if got := s.told(name); !slices.Equal(got, want) {
			t.Errorf("%s is told %v, want %v", name, got, want)
		}
	}
	p, err := s.NoticesOf(ctx, carl, 0, 10)
	s.must(err)
	if d := p.Notices[0].Decided; d == nil || d.Act != ActDeletePost || d.Reason != "no advertising" || d.By != 0 || d.Written.IsZero() {
		t.Errorf("the author is told %+v", d)
	}
	closed := s.reports("anna", true)
	if len(closed) != 3 || closed[1].Closed == nil || closed[1].Closed.Act != ActDeletePost || closed[1].Closed.By != anna || closed[1].Before != 0 {
		t.Errorf("the closed reports are %+v", closed)
	}
}

// TestReportToGroup: the administrators of a group decide about reports to them and take the post out of the group; those of
// the site have no such report. A person can't suspend another as an administrator of a group.
func TestReportToGroup(t *testing.T) {
	t.Parallel()
	s := reportSite(t)
	ctx, bert, carl := t.Context(), s.user("bert"), s.user("carl")
	s.group("bert", NewGroup{Name: "sluis", Posting: "anybody"})
	post := s.post("carl", "group:sluis")
	if err := s.SendReport(ctx, s.user("dora"), ReportDraft{Post: s.post("carl"), Group: "sluis", Reason: "x"}); !slices.Contains(invalidFields(err), "group") {
		t.Errorf("a report to a group that does not have the post: %v", err)
	}
	s.must(s.SendReport(ctx, s.user("dora"), ReportDraft{Post: post, Group: "sluis", Reason: "off topic"}))
	if got := s.reports("anna", false); len(got) != 0 {
		t.Errorf("the administrator of the site has %+v", got)
	}
	r := s.reports("bert", false)[0]
	if err := s.DecideReport(ctx, bert, r.ID, Decision{Act: ActSuspend}); !errors.Is(err, ErrForbidden) {
		t.Errorf("a suspension by an administrator of a group: %v", err)
	}
	s.must(s.DecideReport(ctx, bert, r.ID, Decision{Act: DecideDelete, Reason: "off topic"}))
	if got := one[string](s, `select string_agg(t.what, ',') from posts p join timelines t on t.id = any(p.places) where p.id = $1`, post); got != string(WhatUserFYEO) {
		t.Errorf("the post is in %q, want only its author's eyes", got)
	}
	if got := s.told("carl"); !slices.Equal(got, []NoticeKind{NoticeModeration}) {
		t.Errorf("the author is told %v", got)
	}
	entries, err := s.Journal(ctx, bert, 10)
	s.must(err)
	if len(entries) != 1 || entries[0].Act != ActTakeOut || entries[0].Post != post || entries[0].Group == 0 {
		t.Errorf("the journal of the group has %+v", entries)
	}
	if _, err := s.Journal(ctx, carl, 10); !errors.Is(err, ErrForbidden) {
		t.Errorf("the journal for a person who administers nothing: %v", err)
	}
}

// TestReportOfWhatAnAdministratorMayNotRead: the administrator sees no word of a private post, except what the person who reported passed
// on, and may delete the post nevertheless.
func TestReportOfWhatAnAdministratorMayNotRead(t *testing.T) {
	t.Parallel()
	s := reportSite(t)
	ctx, bert := t.Context(), s.user("bert")
	s.follow("bert", "carl")
	s.status("carl", statusPrivate)
	post := s.post("carl")
	if err := s.SendReport(ctx, s.user("dora"), ReportDraft{Post: post, Reason: "x"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a report of a post that its sender may not read: %v", err)
	}
	s.must(s.SendReport(ctx, bert, ReportDraft{Post: post, Reason: "threats"}))
	if r := s.reports("anna", false)[0]; r.Text != "" || r.Quote != "" || r.Author != 0 {
		t.Errorf("the administrator sees %+v", r)
	}
	s.must(s.SendReport(ctx, bert, ReportDraft{Post: post, Reason: "threats", Quote: true}))
	r := s.reports("anna", false)[0]
	if r.Text != "" || r.Quote != "a post by carl" {
		t.Errorf("of a report with its text the administrator sees %+v", r)
	}
	s.must(s.DecideReport(ctx, s.user("anna"), r.ID, Decision{Act: DecideDelete}))
	if s.reads("carl", post) {
		t.Error("the author reads the deleted post")
	}
}

// TestSuspensionForATime: a decision suspends for days, and the account is restored after them and not before. The person then
// reads why, and objects; the answer has the reason.
func TestSuspensionForATime(t *testing.T) {
	t.Parallel()
	s := reportSite(t)
	ctx, anna, carl := t.Context(), s.user("anna"), s.user("carl")
	s.must(s.SendReport(ctx, s.user("bert"), ReportDraft{Person: "carl", Reason: "insults people"}))
	r := s.reports("anna", false)[0]
	for _, days := range []int{-1, mostDays + 1} {
		if err := s.DecideReport(ctx, anna, r.ID, Decision{Act: ActSuspend, Days: days}); !slices.Contains(invalidFields(err), "days") {
			t.Errorf("%d days: %v", days, err)
		}
	}
	s.must(s.DecideReport(ctx, anna, r.ID, Decision{Act: ActSuspend, Days: 3, Reason: "insults"}))
	s.runAccountJobs()
	list, err := s.Suspensions(ctx, anna, 10)
	s.must(err)
	if len(list) != 1 || !list[0].Until.Equal(s.clock.AddDate(0, 0, 3)) {
		t.Fatalf("the suspensions are %+v", list)
	}
	s.wait(72*time.Hour - time.Second)
	s.must(s.EndSuspensions(ctx))
	if err := s.SendReport(ctx, carl, ReportDraft{Person: "bert", Reason: "x"}); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a report by a suspended person: %v", err)
	}
	s.wait(time.Second)
	s.must(s.EndSuspensions(ctx))
	s.runAccountJobs()
	p, err := s.NoticesOf(ctx, carl, 0, 10)
	s.must(err)
	if len(p.Notices) != 1 || p.Notices[0].Decided == nil || p.Notices[0].Decided.Act != ActSuspend || p.Notices[0].Decided.Reason != "insults" {
		t.Fatalf("afterwards the person is told %+v", p.Notices)
	}
	entry := p.Notices[0].Decided.ID
	if err := s.SendReport(ctx, s.user("dora"), ReportDraft{Objection: entry, Reason: "x"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("an objection to a decision about another person: %v", err)
	}
	s.must(s.SendReport(ctx, carl, ReportDraft{Objection: entry, Reason: "it was a joke"}))
	objection := s.reports("anna", false)[0]
	if objection.Objection != entry || objection.By != carl {
		t.Errorf("the objection is %+v", objection)
	}
	if err := s.DecideReport(ctx, anna, objection.ID, Decision{Act: ActSuspend}); !slices.Contains(invalidFields(err), "act") {
		t.Errorf("a suspension for an objection: %v", err)
	}
	s.must(s.DecideReport(ctx, anna, objection.ID, Decision{Act: ActDismiss, Reason: "jokes hurt too"}))
	p, err = s.NoticesOf(ctx, carl, 0, 10)
	s.must(err)
	if n := p.Notices[0]; n.Kind != NoticeAnswer || n.Decided.Reason != "jokes hurt too" || n.Decided.User != carl {
		t.Errorf("the answer to the objection is %+v", n)
	}
}

// TestReportIsRefused: bad reports change nothing.
func TestReportIsRefused(t *testing.T) {
	t.Parallel()
	s := reportSite(t)
	ctx, bert := t.Context(), s.user("bert")
	for name, test := range map[string]struct {
		draft ReportDraft
		is    func(error) bool
	}{
		"no reason":              {ReportDraft{Person: "carl", Reason: " \n"}, func(err error) bool { return slices.Contains(invalidFields(err), "reason") }},
		"a long reason":          {ReportDraft{Person: "carl", Reason: string(make([]rune, maxReport+1))}, func(err error) bool { return slices.Contains(invalidFields(err), "reason") }},
		"oneself":                {ReportDraft{Person: "bert", Reason: "x"}, func(err error) bool { return slices.Contains(invalidFields(err), "report") }},
		"nobody":                 {ReportDraft{Person: "zoe", Reason: "x"}, func(err error) bool { return errors.Is(err, ErrNotFound) }},
		"a post that is not":     {ReportDraft{Post: 1 << 40, Reason: "x"}, func(err error) bool { return errors.Is(err, ErrNotFound) }},
		"a person to a group":    {ReportDraft{Person: "carl", Group: "sluis", Reason: "x"}, func(err error) bool { return slices.Contains(invalidFields(err), "group") }},
		"a comment of no post":   {ReportDraft{Post: s.post("carl"), Comment: 1 << 40, Reason: "x"}, func(err error) bool { return errors.Is(err, ErrNotFound) }},
		"a decision that is not": {ReportDraft{Objection: 1 << 40, Reason: "x"}, func(err error) bool { return errors.Is(err, ErrNotFound) }},
	} {
		if err := s.SendReport(ctx, bert, test.draft); !test.is(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.must(s.Ban(ctx, s.user("dora"), "bert"))
	if err := s.SendReport(ctx, bert, ReportDraft{Person: "dora", Reason: "x"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a person who banned the sender: %v", err)
	}
	s.must(s.SendReport(ctx, s.user("dora"), ReportDraft{Person: "bert", Reason: "x"})) // whom the sender banned
	for range mostReports {
		s.must(s.SendReport(ctx, bert, ReportDraft{Post: s.post("carl"), Reason: "x"}))
	}
	if err := s.SendReport(ctx, bert, ReportDraft{Person: "carl", Reason: "x"}); !errors.Is(err, ErrThrottled) {
		t.Errorf("one report more than may be open: %v", err)
	}
	if n := one[int](s, `select count(*) from reports where by_id = $1`, bert); n != mostReports {
		t.Errorf("there are %d reports, want %d", n, mostReports)
	}
}

// TestReportOnAnAdministrator: an administrator neither learns of a report on themselves nor decides about it; another one does.
func TestReportOnAnAdministrator(t *testing.T) {
	t.Parallel()
	s := reportSite(t)
	ctx, anna := t.Context(), s.user("anna")
	s.exec(`update users set admin = true where name = 'bert'`)
	s.must(s.SendReport(ctx, s.user("carl"), ReportDraft{Person: "anna", Reason: "x"}))
	if told, list := s.told("anna"), s.reports("anna", false); len(told)+len(list) != 0 {
		t.Errorf("the reported administrator is told %v, and has %+v", told, list)
	}
	list := s.reports("bert", false)
	if told := s.told("bert"); len(list) != 1 || !slices.Equal(told, []NoticeKind{NoticeReport}) {
		t.Fatalf("the other administrator is told %v, and has %+v", told, list)
	}
	if err := s.DecideReport(ctx, anna, list[0].ID, Decision{Act: ActDismiss}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a decision by the reported administrator: %v", err)
	}
	s.must(s.DecideReport(ctx, s.user("bert"), list[0].ID, Decision{Act: ActDismiss}))
}
