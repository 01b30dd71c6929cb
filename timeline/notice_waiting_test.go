package timeline

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// unreadOf returns the number of unread notices of a person.
func (s *site) unreadOf(name string) int {
	s.t.Helper()
	n, _, err := s.Unread(s.t.Context(), s.user(name))
	s.must(err)
	return n
}

// readAll marks all notices of a person as read.
func (s *site) readAll(name string) {
	s.t.Helper()
	p, err := s.NoticesOf(s.t.Context(), s.user(name), 0, 1)
	s.must(err)
	s.must(s.ReadNotices(s.t.Context(), s.user(name), p.Notices[0].ID))
}

// TestNoticeOfApplicants: however many people wait, an administrator has one notice, which is new again with each who comes, and
// gone with the last.
func TestNoticeOfApplicants(t *testing.T) {
	t.Parallel()
	s := newApprovalSite(t)
	ctx, anna := t.Context(), s.user("anna")
	apply := func(name string) {
		t.Helper()
		if err := s.applies(name, "I like bridges", ""); !errors.Is(err, ErrWaiting) {
			t.Fatalf("%s applies: %v", name, err)
		}
	}
	has := func(when string, want []NoticeKind, unread int) {
		t.Helper()
		if got := s.told("anna"); !slices.Equal(got, want) || s.unreadOf("anna") != unread {
			t.Errorf("%s the administrator has %v, %d unread; want %v, %d", when, got, s.unreadOf("anna"), want, unread)
		}
		if got := s.told("bert"); got != nil {
			t.Errorf("%s another member has %v", when, got)
		}
		s.audit()
	}
	one := []NoticeKind{NoticeApplicant}
	has("before", nil, 0)
	apply("carl")
	apply("dora")
	has("with two who wait", one, 1)
	s.readAll("anna")
	has("after reading", one, 0)
	apply("emil")
	has("with a third", one, 1)
	waiting := s.applicants()
	s.must(s.AcceptApplicant(ctx, anna, waiting["carl"].ID))
	s.must(s.RefuseApplicant(ctx, anna, waiting["dora"].ID, ""))
	has("with one left", one, 1)
	s.must(s.RefuseApplicant(ctx, anna, waiting["emil"].ID, ""))
	has("with none left", nil, 0)

	// One comes while the last of the others is decided about.
	apply("fred")
	last := s.applicants()["fred"].ID
	s.must(s.meanwhile(
		func(tx *txn) error {
			return s.apply(ctx, tx, person{Name: "gerd", Email: "gerd@example.org", Hash: "x", DisplayName: "Gerd", At: s.clock}, "I like boats")
		},
		func() error { return s.RefuseApplicant(ctx, anna, last, "") }))
	has("with one who came meanwhile", one, 1)

	// The list ends by itself.
	s.wait(applicantsKept + time.Hour)
	s.must(s.PrunePrimary(ctx, Ages{}))
	has("after a month", nil, 0)
}

// TestNoticeOfHeldPosts: the notice is gone when the last post that waits is published, deleted by an administrator, or by its author.
func TestNoticeOfHeldPosts(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna, bert := t.Context(), s.user("anna"), s.user("bert")
	s.exec(`update users set admin = name = 'anna'`)
	s.setSite(SiteEdit{"newcomers.days": "1"})
	for what, end := range map[string]func(PostID) error{
		"published":                   func(id PostID) error { return s.ReleasePost(ctx, anna, id) },
		"deleted by an administrator": func(id PostID) error { return s.RefusePost(ctx, anna, id, "") },
		"deleted by its author":       func(id PostID) error { return s.DeletePost(ctx, bert, id) },
	} {
		var held [2]PostID
		for i := range held {
			var err error
			held[i], err = s.CreatePost(ctx, bert, NewPost{To: []string{"user"}, Text: "see https://example.org/"})
			s.must(err)
		}
		for i, id := range held {
			if n := len(s.told("anna")); n != 1 {
				t.Errorf("before post %d of 2 is %s, %d notices", i+1, what, n)
			}
			s.must(end(id))
			s.audit()
		}
		if got := s.told("anna"); got != nil {
			t.Errorf("after the last post was %s: %v", what, got)
		}
	}
	if n := one[int](s, `select count(*) from notices where kind = 'held'`); n != 0 {
		t.Errorf("%d notices are left", n)
	}
}

// TestNoticeOfHeirs: the member who takes a group over is told, as long as they administer the group.
func TestNoticeOfHeirs(t *testing.T) {
	t.Parallel()
	s := newSite(t, "boss", "anna", "bert", "carl")
	ctx := t.Context()
	s.exec(`update users set admin = name = 'boss'`)
	s.group("anna", NewGroup{Name: "kitchen"})
	for _, name := range []string{"bert", "carl"} {
		s.wait(time.Minute)
		s.follow(name, "kitchen")
	}
	s.must(s.SetPassword(ctx, s.user("anna"), zoesPassword))
	s.must(s.DeleteAccount(ctx, s.user("anna"), zoesPassword))
	s.runAccountJobs()
	p, err := s.NoticesOf(ctx, s.user("bert"), 0, 10)
	s.must(err)
	if len(p.Notices) != 1 || p.Notices[0].Kind != NoticeHeir || p.Groups[GroupID(p.Notices[0].Feed.TheirID)] == nil || s.unreadOf("bert") != 1 {
		t.Errorf("the heir has %+v", p.Notices)
	}
	if got := s.told("carl"); got != nil {
		t.Errorf("another member has %v", got)
	}
	s.must(s.AddAdmin(ctx, s.user("bert"), "kitchen", "carl"))
	s.must(s.RemoveAdmin(ctx, s.user("carl"), "kitchen", "bert"))
	if got := s.told("bert"); got != nil {
		t.Errorf("one who administers the group no more has %v", got)
	}
	s.audit()
}
