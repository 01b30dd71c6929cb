package timeline

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// TestOverview: an administrator of the site sees numbers of the whole site and all people, also across a ban, and no other
// person does.
func TestOverview(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna, bert := t.Context(), s.user("anna"), s.user("bert")
	s.exec(`update users set admin = true where name = 'anna'`)
	s.wait(10 * 24 * time.Hour)
	carl := s.add("carl")
	s.group("bert", NewGroup{Name: "cooks", DisplayName: "Cooks"})
	_, err := s.NewSession(ctx, bert, true, "")
	s.must(err)
	s.must(s.SendReport(ctx, carl, ReportDraft{Person: "bert", Reason: "x"}))
	s.must(s.Suspend(ctx, carl))
	s.must(s.Ban(ctx, bert, "anna"))
	o, err := s.Overview(ctx, anna)
	s.must(err)
	if o.People != 3 || o.Groups != 1 || o.New != 1 || o.Seen != 1 || o.Suspended != 1 || o.Reports != 1 || o.Jobs != 1 || o.Bytes == 0 {
		t.Errorf("the overview is %+v", o)
	}
	list := func(name string, before UserID, count int) (ids []UserID) {
		t.Helper()
		all, err := s.Accounts(ctx, anna, name, before, count)
		s.must(err)
		for _, one := range all {
			ids = append(ids, one.ID)
		}
		return ids
	}
	if got := list("", 0, 10); !slices.Equal(got, []UserID{carl, bert, anna}) {
		t.Errorf("the people are %v", got)
	}
	if got := list("", carl, 1); !slices.Equal(got, []UserID{bert}) {
		t.Errorf("below the newest is %v", got)
	}
	if got := list(" BE", 0, 10); !slices.Equal(got, []UserID{bert}) {
		t.Errorf("the people whose name begins with be are %v", got)
	}
	all, err := s.Accounts(ctx, anna, "", 0, 10)
	s.must(err)
	if !all[0].Suspended || all[1].SeenAt == nil || all[1].Reports != 1 || !all[2].Admin || all[2].SeenAt != nil {
		t.Errorf("the people are %+v", all)
	}
	if _, err := s.Overview(ctx, bert); !errors.Is(err, ErrForbidden) {
		t.Errorf("the overview for a person who is no administrator: %v", err)
	}
	if _, err := s.Accounts(ctx, bert, "", 0, 10); !errors.Is(err, ErrForbidden) {
		t.Errorf("all people for a person who is no administrator: %v", err)
	}
}

// TestFailedMails: administrators of the site read why mails failed, without the addresses of their readers.
func TestFailedMails(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna", "bert")
	ctx, anna, bert := t.Context(), s.user("anna"), s.user("bert")
	s.exec(`update users set admin = name = 'anna'`)
	add := func(state, fault string) {
		s.exec(`insert into mails (user_id, kind, address, state, fault, created_at, due_at, ended_at) values ($1, 'notices', 'bert@example.org', $2, $3, $4, $4, $4)`, bert, state, fault, s.clock)
	}
	add("failed", "long ago")
	s.wait(8 * 24 * time.Hour)
	add("failed", `550 5.1.1 <Bert@example.org>: no such user "bert@example.org"`)
	add("sent", "")
	s.wait(time.Minute)
	add("failed", "no answer")
	all, err := s.FailedMails(ctx, anna, 10)
	s.must(err)
	var said []string
	for _, f := range all {
		said = append(said, f.Fault)
		if f.User != bert || f.At.IsZero() {
			t.Errorf("a mail that failed is %+v", f)
		}
	}
	if want := []string{"no answer", `550 5.1.1 <…>: no such user "…"`}; !slices.Equal(said, want) {
		t.Errorf("the mails that failed say %q, want %q", said, want)
	}
	if one, err := s.FailedMails(ctx, anna, 1); err != nil || len(one) != 1 {
		t.Errorf("of at most 1 there are %d: %v", len(one), err)
	}
	if _, err := s.FailedMails(ctx, bert, 10); !errors.Is(err, ErrForbidden) {
		t.Errorf("another person reads them: %v", err)
	}
}
