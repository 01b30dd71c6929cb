package timeline

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// newApprovalSite makes a site that sends mail, with the administrator Anna and the member Bert, where administrators accept
// new people.
func newApprovalSite(t *testing.T) *site {
	t.Helper()
	s := newMailSite(t, "anna", "bert")
	s.exec(`update users set admin = name = 'anna'`)
	_, err := s.SetSiteSettings(t.Context(), s.user("anna"), SiteEdit{"registration": RegistrationApproval})
	s.must(err)
	return s
}

// applies signs up a stranger of a network of their own.
func (s *site) applies(name, about, link string) error {
	s.t.Helper()
	s.wait(time.Second)
	from := clientFrom(int(s.clock.Unix()) % 60000)
	_, err := s.SignUp(s.t.Context(), NewUser{Name: name, Email: name + "@example.org", Password: zoesPassword, Stranger: &from, About: about, Link: link})
	return err
}

// applicants returns the applicants who wait, by name.
func (s *site) applicants() map[string]Applicant {
	s.t.Helper()
	all, err := s.Applicants(s.t.Context(), s.user("anna"), 1000)
	s.must(err)
	found := make(map[string]Applicant)
	for _, a := range all {
		found[a.Name] = a
	}
	return found
}

// enters tries to sign in by the right password.
func (s *site) enters(login string) error {
	s.t.Helper()
	_, err := s.SignIn(s.t.Context(), login, zoesPassword, clientFrom(7), true, "")
	return err
}

// TestApplicants: a stranger waits, and has no account until an administrator accepts; a refused one reads why.
func TestApplicants(t *testing.T) {
	t.Parallel()
	s := newApprovalSite(t)
	ctx, anna := t.Context(), s.user("anna")
	if err := s.applies("carl", " ", ""); !isErr(err, errInvalid) {
		t.Errorf("an applicant who gives no reason: %v", err)
	}
	for _, name := range []string{"carl", "dora"} {
		if err := s.applies(name, "I like bridges", ""); !errors.Is(err, ErrWaiting) {
			t.Fatalf("%s applies: %v, want %v", name, err, ErrWaiting)
		}
	}
	for _, name := range []string{"carl", "anna"} {
		if err := s.applies(name, "me too", ""); !errors.Is(err, ErrTaken) {
			t.Errorf("another applicant called %s: %v, want %v", name, err, ErrTaken)
		}
	}
	if n := one[int](s, `select count(*) from users`); n != 2 {
		t.Errorf("%d people", n)
	}
	for _, login := range []string{"carl", "carl@example.org"} {
		if err := s.enters(login); !errors.Is(err, ErrWaiting) {
			t.Errorf("%s signs in: %v, want %v", login, err, ErrWaiting)
		}
	}
	if _, err := s.SignIn(ctx, "carl", "wrong horse", clientFrom(8), true, ""); !errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrWaiting) {
		t.Errorf("a wrong password: %v", err)
	}
	if o, err := s.Overview(ctx, anna); err != nil || o.Applicants != 2 {
		t.Errorf("the overview is %+v, %v", o, err)
	}
	waiting := s.applicants()
	if a := waiting["carl"]; a.About != "I like bridges" || a.DisplayName != "carl" || a.CreatedAt.IsZero() {
		t.Errorf("the applicant is %+v", a)
	}

	for what, try := range map[string]func() error{
		"list":   func() error { _, err := s.Applicants(ctx, s.user("bert"), 10); return err },
		"accept": func() error { return s.AcceptApplicant(ctx, s.user("bert"), waiting["carl"].ID) },
		"refuse": func() error { return s.RefuseApplicant(ctx, s.user("bert"), waiting["carl"].ID, "") },
	} {
		if err := try(); !errors.Is(err, ErrForbidden) {
			t.Errorf("to %s by a member: %v, want %v", what, err, ErrForbidden)
		}
	}
	s.must(s.AcceptApplicant(ctx, anna, waiting["carl"].ID))
	s.must(s.RefuseApplicant(ctx, anna, waiting["dora"].ID, "spam"))
	for _, id := range []int64{waiting["carl"].ID, waiting["dora"].ID} {
		if err := errors.Join(s.AcceptApplicant(ctx, anna, id), s.RefuseApplicant(ctx, anna, id, "")); !errors.Is(err, ErrNotFound) {
			t.Errorf("to decide twice: %v, want %v", err, ErrNotFound)
		}
	}
	if err := s.enters("carl"); err != nil {
		t.Errorf("the accepted one signs in: %v", err)
	}
	if n := one[int](s, `select count(*) from mails where kind in ('accepted', 'confirm') and address = 'carl@example.org'`); n != 2 {
		t.Errorf("%d mails for the accepted one", n)
	}
	refused, is := errors.AsType[*RefusedError](s.enters("dora"))
	if !is || refused.Reason != "spam" {
		t.Errorf("the refused one signs in: %v", refused)
	}
	journal, err := s.Journal(ctx, anna, 10)
	s.must(err)
	if len(journal) != 2 || journal[0].Act != ActRefuse || journal[0].Reason != "@dora: spam" || journal[1].Act != ActAccept || journal[1].By != anna {
		t.Errorf("the journal has %+v", journal)
	}
	if n := one[int](s, `select count(*) from notices`); n != 0 {
		t.Errorf("%d notices tell of it", n)
	}

	s.wait(applicantsKept)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if err := s.enters("dora"); !errors.Is(err, ErrUnauthorized) || errors.As(err, new(*RefusedError)) {
		t.Errorf("the refused one signs in after a month: %v", err)
	}
	if err := s.applies("dora", "again", ""); !errors.Is(err, ErrWaiting) {
		t.Errorf("the refused one applies after a month: %v", err)
	}
	s.audit()
}

// TestApplicantsWithLinks: a link of an administrator lets a person in at once; that of a member says who invited them.
func TestApplicantsWithLinks(t *testing.T) {
	t.Parallel()
	s := newApprovalSite(t)
	ctx := t.Context()
	link := func(name string) string {
		secret, err := s.NewSignUpLink(ctx, s.user(name), 1, 1)
		s.must(err)
		return secret
	}
	if err := s.applies("carl", "", link("anna")); err != nil {
		t.Errorf("with a link of an administrator: %v", err)
	}
	of := link("bert")
	if err := s.applies("dora", "", of); !errors.Is(err, ErrWaiting) {
		t.Errorf("with a link of a member: %v, want %v", err, ErrWaiting)
	}
	if a := s.applicants()["dora"]; a.InvitedBy != s.user("bert") {
		t.Errorf("the applicant is %+v", a)
	}
	if err := s.applies("eva", "", of); !errors.Is(err, ErrSignUpLink) {
		t.Errorf("with a used link: %v, want %v", err, ErrSignUpLink)
	}
	if err := s.applies("dora", "", link("anna")); !errors.Is(err, ErrTaken) {
		t.Errorf("a name that an applicant has: %v, want %v", err, ErrTaken)
	}
}

// TestApplicantsAreBounded: no more than so many wait, whoever decided ones are.
func TestApplicantsAreBounded(t *testing.T) {
	t.Parallel()
	s := newApprovalSite(t)
	s.exec(fmt.Sprintf(`
		insert into applicants (name, email, password_hash, display_name, about, created_at)
		select 'bot' || n, 'bot@example.org', '', 'bot', 'me', now() from generate_series(1, %d) n`, mostApplicants))
	if err := s.applies("carl", "me", ""); !errors.Is(err, ErrThrottled) {
		t.Errorf("one too many: %v, want %v", err, ErrThrottled)
	}
	s.must(s.RefuseApplicant(t.Context(), s.user("anna"), s.applicants()["bot7"].ID, ""))
	if err := s.applies("carl", "me", ""); !errors.Is(err, ErrWaiting) {
		t.Errorf("after a decision: %v, want %v", err, ErrWaiting)
	}
	// The account of a person has the address that an applicant gave as well.
	s.exec(`update users set email = 'bot@example.org', password_hash = (select password_hash from applicants where name = 'carl') where name = 'bert'`)
	if err := s.enters("bot@example.org"); err != nil {
		t.Errorf("a person with the address of an applicant: %v", err)
	}
}
