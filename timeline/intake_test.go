package timeline

import (
	"testing"
	"time"
)

// imports adds an imported feed of a person's.
func (s *site) imports(who, to string) *IntakeLease {
	s.t.Helper()
	feed := IntakeDocument{Title: "Blog"}
	l, err := s.AddIntake(s.t.Context(), s.user(who), NewIntake{To: to, Address: "https://blog.example/" + to, Feed: feed}, time.Minute)
	s.must(err)
	s.must(s.FinishIntake(s.t.Context(), *l, &feed, nil, "", time.Hour))
	return l
}

// look waits, takes the intake that is due then, and ends its look with a fault, or without one if fault
// is nil.
func (s *site) look(after time.Duration, fault *IntakeFault, stop bool) {
	s.t.Helper()
	s.wait(after)
	l, err := s.TakeIntake(s.t.Context(), time.Minute)
	s.must(err)
	if l == nil {
		s.t.Fatal("no intake is due")
	}
	if fault == nil {
		s.must(s.FinishIntake(s.t.Context(), *l, nil, nil, "", time.Hour))
	} else {
		s.must(s.FailIntake(s.t.Context(), *l, *fault, time.Hour, stop))
	}
}

// TestFailingIntakeIsToldOnce: a person gets a notice when an imported feed has been failing for a day, and
// no second one until the feed has worked again. There is no notice if the person has turned off notices
// of this kind.
func TestFailingIntakeIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	away, gone := &IntakeFault{Code: IntakeAway}, &IntakeFault{Code: IntakeGone}
	l := s.imports("anna", "user")
	s.look(2*time.Hour, away, false)
	s.look(20*time.Hour, away, false)
	s.hasNotices("anna")
	s.look(4*time.Hour, away, false)
	s.hasNotices("anna", "intake user")
	s.must(s.ReadNotices(t.Context(), s.user("anna"), 1<<62))
	s.look(30*time.Hour, away, false)
	s.look(30*24*time.Hour, away, true)
	s.hasNotices("anna", "(intake user)")
	s.must(s.EditIntake(t.Context(), s.user("anna"), l.ID, IntakeEdit{Pause: new(false)}))
	s.look(2*time.Hour, gone, true)
	s.hasNotices("anna", "(intake user)")
	s.must(s.deleteNotices("anna")) // as old notices are deleted
	s.must(s.EditIntake(t.Context(), s.user("anna"), l.ID, IntakeEdit{Pause: new(false)}))
	s.look(2*time.Hour, gone, true)
	s.hasNotices("anna")

	s.must(s.EditIntake(t.Context(), s.user("anna"), l.ID, IntakeEdit{Pause: new(false)}))
	s.look(2*time.Hour, nil, false)
	s.noticesChanged("a feed that ended", s.changesOf(func() { s.look(2*time.Hour, gone, true) }))
	s.hasNotices("anna", "intake user")
	s.must(s.EditIntake(t.Context(), s.user("anna"), l.ID, IntakeEdit{Pause: new(false)}))
	s.noticesChanged("a good look", s.changesOf(func() { s.look(2*time.Hour, nil, false) }))
	s.hasNotices("anna")
	s.look(2*time.Hour, gone, true)
	s.hasNotices("anna", "intake user")
	if p, err := s.NoticesOf(t.Context(), s.user("anna"), 0, 1); err != nil || *p.Notices[0].Intake != (NoticedIntake{l.ID, "Blog", IntakeStopped, IntakeGone, ""}) {
		t.Errorf("the notice is %+v, %v", p.Notices[0].Intake, err)
	}
	s.noticesChanged("the removal", s.changesOf(func() { s.must(s.RemoveIntake(t.Context(), s.user("anna"), l.ID)) }))
	s.hasNotices("anna")

	s.must(s.SetNoticeKinds(t.Context(), s.user("anna"), map[NoticeKind]bool{NoticeIntake: false}))
	s.imports("anna", "user_private")
	s.look(2*time.Hour, gone, true)
	s.hasNotices("anna")
	s.audit()
}

// TestTwoLooksInADayAreNotTold: two failed looks cause no notice, even if they are two days apart, because a
// server may answer that it wants to be asked again in two days. The third causes a notice.
func TestTwoLooksInADayAreNotTold(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	s.imports("anna", "user")
	for range 2 {
		s.look(48*time.Hour, &IntakeFault{Code: IntakeStatus}, false)
		s.hasNotices("anna")
	}
	s.look(48*time.Hour, &IntakeFault{Code: IntakeStatus}, false)
	s.hasNotices("anna", "intake user")
}

// TestIntakeIntoALostGroupIsNotTold: a person gets notices of a feed that they import into a group only while
// they may post there, and other people get none.
func TestIntakeIntoALostGroupIsNotTold(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	s.group("bert", NewGroup{Name: "rowing", Status: statusPublic, Posting: postingMembers})
	rowing := FeedName{Name: "rowing"}
	s.joins("anna", rowing)
	s.imports("anna", "group:rowing")
	s.look(2*time.Hour, &IntakeFault{Code: IntakeGone}, true)
	edit := func(e GroupEdit) { s.must(s.EditGroup(t.Context(), s.user("bert"), "rowing", e)) }
	for _, tt := range []struct {
		name       string
		lose, back func()
	}{
		{"is put out", func() { s.must(s.RemoveSubscriber(t.Context(), s.user("bert"), rowing, "anna")) }, func() { s.joins("anna", rowing) }},
		{"may not post", func() { edit(GroupEdit{Posting: new(postingAdmins)}) }, func() { edit(GroupEdit{Posting: new(postingMembers)}) }},
		{"is excluded", func() { s.must(s.Exclude(t.Context(), s.user("bert"), rowing, "anna")) }, func() {
			s.must(s.Readmit(t.Context(), s.user("bert"), rowing, "anna"))
			s.joins("anna", rowing)
		}},
	} {
		s.hasNotices("anna", "intake group")
		tt.lose()
		if told := s.noticeLines("anna"); len(told) > 0 {
			t.Errorf("anna %s and is told %q", tt.name, told)
		}
		if u := s.unread("anna"); len(u.Groups) != 1 || len(u.Places) != 1 {
			t.Errorf("the count depends on %v and %v", u.Groups, u.Places)
		}
		tt.back()
	}
	s.hasNotices("anna", "intake group")
	s.hasNotices("bert")
	s.audit()
}

// TestKnownItemIsNotPosted: an item that the intake has seen before is not posted and not counted, even
// if the same worker brings it. An item that was posted to a place is not posted there again by another
// intake.
func TestKnownItemIsNotPosted(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	item := IntakeItem{Key: IntakeKey{1}, Title: "Soup"}
	counts := func(intake, posts int) {
		t.Helper()
		all, err := s.Intakes(t.Context(), s.user("anna"))
		s.must(err)
		if n := one[int](s, `select count(*) from posts`); len(all) != 1 || all[0].Posts != intake || n != posts {
			t.Errorf("there are %d posts, and %+v", n, all)
		}
	}
	l := s.imports("anna", "user")
	for range 2 {
		s.must(s.PostItem(t.Context(), *l, "Blog", item))
		counts(1, 1)
	}
	s.must(s.RemoveIntake(t.Context(), s.user("anna"), l.ID))
	s.must(s.PostItem(t.Context(), *s.imports("anna", "user"), "Blog", item))
	counts(1, 1)
}
