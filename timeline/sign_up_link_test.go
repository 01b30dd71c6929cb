package timeline

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// TestSignUpLink: on a site that takes only people with a link, as many people sign up as the link says, and none after its end, its
// revocation, or the suspension of the person who made it.
func TestSignUpLink(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna, bert := t.Context(), s.user("anna"), s.user("bert")
	s.exec(`update users set admin = true where name = 'anna'`)
	register := func(who string) {
		t.Helper()
		_, err := s.SetSiteSettings(ctx, anna, SiteEdit{"registration": who})
		s.must(err)
	}
	signUp := func(name, link string) error {
		id, err := s.SignUp(ctx, NewUser{Name: name, Email: name + "@example.org", NoPassword: true, Stranger: &Client{}, Link: link})
		if err == nil {
			s.people[name] = id
		}
		return err
	}
	register(RegistrationLink)
	for name, numbers := range map[string][2]int{"no one": {0, 7}, "too many": {mostSignUpUses + 1, 7}, "no day": {1, 0}, "too long": {1, mostSignUpDays + 1}} {
		if _, err := s.NewSignUpLink(ctx, bert, numbers[0], numbers[1]); len(invalidFields(err)) != 1 {
			t.Errorf("a link for %s: %v", name, err)
		}
	}
	link, err := s.NewSignUpLink(ctx, bert, 2, 7)
	s.must(err)
	if err := signUp("carl", ""); !errors.Is(err, ErrByLink) {
		t.Errorf("a sign-up without a link: %v", err)
	}
	if err := signUp("carl", "another"); !slices.Equal(invalidFields(err), []string{"link"}) {
		t.Errorf("a sign-up with a link that is not: %v", err)
	}
	if err := signUp("anna", link); !errors.Is(err, ErrTaken) {
		t.Errorf("a sign-up with a taken name: %v", err)
	}
	s.must(signUp("carl", link))
	s.must(signUp("dora", link)) // the refused sign-ups used nothing
	if err := signUp("emil", link); !slices.Equal(invalidFields(err), []string{"link"}) {
		t.Errorf("a third sign-up with a link for two: %v", err)
	}
	links, came, err := s.SignUpLinks(ctx, bert, 10)
	s.must(err)
	if len(links) != 0 || !slices.Equal(came, []UserID{s.user("dora"), s.user("carl")}) {
		t.Errorf("the links are %+v, and by them came %v", links, came)
	}
	s.must(s.Ban(ctx, s.user("carl"), "bert"))
	if _, came, err = s.SignUpLinks(ctx, bert, 10); err != nil || !slices.Equal(came, []UserID{s.user("dora")}) {
		t.Errorf("after a ban, %v came, %v", came, err)
	}

	for name, end := range map[string]func(id int64){
		"revoked":                func(id int64) { s.must(s.RevokeSignUpLink(ctx, bert, id)) },
		"too old":                func(int64) { s.wait(7 * 24 * time.Hour) },
		"a suspended person's":   func(int64) { s.must(s.Suspend(ctx, bert)) },
		"for a site that closed": func(int64) { register(RegistrationClosed) },
	} {
		s.must(s.Restore(ctx, bert))
		register(RegistrationLink)
		link, err := s.NewSignUpLink(ctx, bert, 1, 7)
		s.must(err)
		if works, err := s.SignUpLinkWorks(ctx, link); err != nil || !works {
			t.Errorf("a new link works: %v, %v", works, err)
		}
		links, _, err := s.SignUpLinks(ctx, bert, 10)
		s.must(err)
		if err := s.RevokeSignUpLink(ctx, anna, links[0].ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("another's link was revoked: %v", err)
		}
		end(links[0].ID)
		if err := signUp("emil", link); err == nil {
			t.Errorf("someone signed up with a link that is %s", name)
		}
	}
	if err := s.Restore(ctx, bert); err != nil {
		t.Fatal(err)
	}
	register(RegistrationOpen)
	s.must(signUp("emil", ""))
	for range mostSignUpLinks {
		if _, err = s.NewSignUpLink(ctx, bert, 1, 7); err != nil {
			break // the links that still work count too
		}
	}
	if _, err = s.NewSignUpLink(ctx, bert, 1, 7); !slices.Equal(invalidFields(err), []string{"uses"}) {
		t.Errorf("one link more than may work: %v", err)
	}
}
