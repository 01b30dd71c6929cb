package timeline

import (
	"errors"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestSiteChanges: each setting that changes is recorded with who changed it; administrators read this, and no other person.
func TestSiteChanges(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	s.exec(`update users set admin = name = 'anna'`)
	_, err := s.SetSiteSettings(ctx, anna, SiteEdit{"registration": RegistrationLink, "quotas.token": "7", "lift": "on"})
	s.must(err)
	first := s.clock
	s.wait(time.Minute)
	_, err = s.ArrangeSite(ctx, SiteEdit{"rules": "Be kind.\r\nNo watches. "})
	s.must(err)
	if _, err := s.SetSiteSettings(ctx, anna, SiteEdit{"presence": "on", "lift": "perhaps"}); !isErr(err, errInvalid) {
		t.Errorf("a bad edit: %v", err)
	}
	all, err := s.SiteChanges(ctx, anna, 10)
	s.must(err)
	want := []SiteChange{
		{At: s.clock, Setting: "rules", Value: "Be kind.\nNo watches."},
		{At: first, By: anna, Setting: "quotas.token", Was: "5000", Value: "7"},
		{At: first, By: anna, Setting: "registration", Was: "open", Value: "link"},
	}
	if diff := gocmp.Diff(want, all); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	rules, since, err := s.SiteRules(ctx)
	s.must(err)
	if rules != "Be kind.\nNo watches." || !since.Equal(s.clock) {
		t.Errorf("the rules are %q since %s", rules, since)
	}
	for _, viewer := range []UserID{0, s.user("bert")} {
		if _, err := s.SiteChanges(ctx, viewer, 10); !errors.Is(err, ErrForbidden) && !errors.Is(err, ErrUnauthorized) {
			t.Errorf("viewer %d reads the changes: %v", viewer, err)
		}
	}
}

// TestNameAndRulesMakePagesAnew: what is on every page makes nodes build their pages again, and a change of wording does not.
func TestNameAndRulesMakePagesAnew(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, one := range []struct {
		edit SiteEdit
		anew bool
	}{
		{SiteEdit{"name": "Bridges"}, true},
		{SiteEdit{"name": " Bridges "}, false},
		{SiteEdit{"about": "We like bridges."}, false},
		{SiteEdit{"rules": "Be kind."}, true},
		{SiteEdit{"rules": "Be kind, always."}, false},
		{SiteEdit{"rules": " "}, true},
	} {
		uuid := s.uuid()
		_, err := s.ArrangeSite(t.Context(), one.edit)
		s.must(err)
		if anew := s.uuid() != uuid; anew != one.anew {
			t.Errorf("%v makes nodes start over: %t, want %t", one.edit, anew, one.anew)
		}
	}
}

// TestRulesToAgreeTo: a stranger who does not agree to the rules gets no account. The time of the agreement is kept, also of
// a person who first waits for an administrator.
func TestRulesToAgreeTo(t *testing.T) {
	t.Parallel()
	s := newApprovalSite(t)
	ctx, anna := t.Context(), s.user("anna")
	signUp := func(name string, agrees bool) error {
		s.wait(time.Minute)
		from := clientFrom(int(s.clock.Unix()) % 60000)
		_, err := s.SignUp(ctx, NewUser{Name: name, Email: name + "@example.org", Password: zoesPassword, Stranger: &from, About: "I like bridges", Agrees: agrees})
		return err
	}
	agreed := func(name string) *time.Time {
		return one[*time.Time](s, `select rules_agreed_at from users where name = $1`, name)
	}
	if err := signUp("early", true); !errors.Is(err, ErrWaiting) {
		t.Fatal(err)
	}
	s.must(s.AcceptApplicant(ctx, anna, s.applicants()["early"].ID))
	if at := agreed("early"); at != nil {
		t.Errorf("a person agreed at %s to rules that the site did not have", at)
	}
	_, err := s.ArrangeSite(ctx, SiteEdit{"rules": "Be kind."})
	s.must(err)
	if err := signUp("carl", false); !isErr(err, errInvalid) {
		t.Errorf("a stranger who does not agree: %v", err)
	}
	if err := signUp("carl", true); !errors.Is(err, ErrWaiting) {
		t.Fatal(err)
	}
	at := s.clock
	// Rules that come while a stranger signs up.
	u := NewUser{Name: "late", Stranger: &Client{}, About: "I like boats"}
	if _, err := s.signUp(ctx, u, person{Name: "late", Email: "late@example.org", Hash: "x", DisplayName: "Late", At: s.clock}); !isErr(err, errInvalid) {
		t.Errorf("a stranger who was asked before there were rules: %v", err)
	}
	s.wait(time.Hour)
	s.must(s.AcceptApplicant(ctx, anna, s.applicants()["carl"].ID))
	_, err = s.ArrangeSite(ctx, SiteEdit{"registration": RegistrationOpen})
	s.must(err)
	s.must(signUp("dora", true))
	for name, want := range map[string]time.Time{"carl": at, "dora": s.clock} {
		if got := agreed(name); got == nil || !got.Equal(want) {
			t.Errorf("%s agreed at %v, want %s", name, got, want)
		}
	}
	if _, err := s.SignUp(ctx, NewUser{Name: "emil", Email: "emil@example.org", NoPassword: true}); err != nil || agreed("emil") != nil {
		t.Errorf("the operator adds a person: %v", err)
	}
}
