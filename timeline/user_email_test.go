package timeline

import (
	"errors"
	"testing"
	"time"
)

// kinds returns the kinds of the waiting mails, with their addresses, and marks them as sent.
func (s *site) kinds() map[string]string {
	s.t.Helper()
	found := make(map[string]string)
	for {
		lease, err := s.TakeMail(s.t.Context(), time.Minute)
		s.must(err)
		if lease == nil {
			return found
		}
		found[string(lease.Kind)+" "+lease.Name] = lease.Address
		s.must(s.FinishMail(s.t.Context(), *lease, 0))
	}
}

// email returns a person's address.
func (s *site) email(name string) Email {
	s.t.Helper()
	e, err := s.Email(s.t.Context(), s.user(name))
	s.must(err)
	return e
}

// confirm makes a link for an address of a person, and uses it.
func (s *site) confirm(name, address string) error {
	s.t.Helper()
	secret, err := s.NewEmailLink(s.t.Context(), s.user(name), address)
	if err != nil {
		return err
	}
	return s.ConfirmEmail(s.t.Context(), secret)
}

func wantKinds(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	same := len(got) == len(want)
	for kind, address := range want {
		same = same && got[kind] == address
	}
	if !same {
		t.Errorf("%s: the mails are %v, want %v", what, got, want)
	}
}

// TestNewAddressMustBeConfirmed follows a change of an address on a site with mail: both addresses are told, and the new one holds
// only when its link was used.
func TestNewAddressMustBeConfirmed(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna", "bert")
	ctx := t.Context()
	anna := s.user("anna")
	s.must(s.confirm("anna", "anna@example.org"))
	if got := s.email("anna"); got != (Email{Address: "anna@example.org", Confirmed: true, Wanted: ""}) {
		t.Fatalf("after the confirmation: %+v", got)
	}
	s.must(s.SetEmail(ctx, anna, "new@example.org"))
	wantKinds(t, "a new address", s.kinds(), map[string]string{"confirm anna": "new@example.org", "address anna": "anna@example.org"})
	if got := s.email("anna"); got != (Email{Address: "anna@example.org", Confirmed: true, Wanted: "new@example.org"}) {
		t.Errorf("before the confirmation: %+v", got)
	}
	s.must(s.MailConfirmation(ctx, anna))
	wantKinds(t, "once more", s.kinds(), map[string]string{"confirm anna": "new@example.org"})

	old, err := s.NewEmailLink(ctx, anna, "new@example.org")
	s.must(err)
	s.must(s.SetEmail(ctx, anna, "newer@example.org"))
	s.kinds()
	if err := s.ConfirmEmail(ctx, old); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a link of an address that is not wanted any more: %v", err)
	}
	if _, err := s.NewEmailLink(ctx, anna, "new@example.org"); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a new link of such an address: %v", err)
	}
	s.must(s.confirm("anna", "newer@example.org"))
	if got := s.email("anna"); got != (Email{Address: "newer@example.org", Confirmed: true, Wanted: ""}) {
		t.Errorf("after the second confirmation: %+v", got)
	}
	if err := s.confirm("anna", "newer@example.org"); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a link of a confirmed address: %v", err)
	}

	s.must(s.SetEmail(ctx, anna, "third@example.org"))
	late, err := s.NewEmailLink(ctx, anna, "third@example.org")
	s.must(err)
	s.wait(73 * time.Hour)
	if err := s.ConfirmEmail(ctx, late); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a link of three days ago: %v", err)
	}
	s.must(s.KeepEmail(ctx, anna))
	if got := s.email("anna"); got != (Email{Address: "newer@example.org", Confirmed: true, Wanted: ""}) {
		t.Errorf("with the present address kept: %+v", got)
	}
	s.kinds()
	s.must(s.MailConfirmation(ctx, anna))
	wantKinds(t, "nothing to confirm", s.kinds(), nil)
}

// TestAddressOfAnotherAccount: a person who wants the address of another account learns nothing; the owner of that account is told,
// once in a day.
func TestAddressOfAnotherAccount(t *testing.T) {
	t.Parallel()
	s := newMailSite(t, "anna", "bert")
	ctx := t.Context()
	for range 3 {
		s.must(s.SetEmail(ctx, s.user("anna"), "BERT@example.org"))
		s.must(s.MailConfirmation(ctx, s.user("anna")))
	}
	wantKinds(t, "a taken address", s.kinds(), map[string]string{"taken bert": "bert@example.org", "address anna": "anna@example.org"})
	s.must(s.SetEmail(ctx, s.user("anna"), "bert@example.org"))
	wantKinds(t, "again", s.kinds(), map[string]string{"address anna": "anna@example.org"})
	if got := s.email("anna"); got != (Email{Address: "anna@example.org", Confirmed: false, Wanted: "bert@example.org"}) {
		t.Errorf("the person is shown %+v", got)
	}
	var taken *TakenError
	if err := s.confirm("anna", "bert@example.org"); !errors.As(err, &taken) || s.email("bert").Address != "bert@example.org" {
		t.Errorf("the confirmation of a taken address: %v, and its owner has %+v", err, s.email("bert"))
	}
}

// TestNewAccountConfirmsItsAddress: signing up queues a mail, to the owner of the address if another account has it already.
func TestNewAccountConfirmsItsAddress(t *testing.T) {
	t.Parallel()
	s := newMailSite(t)
	signUp := func(name, email string) {
		t.Helper()
		id, err := s.SignUp(t.Context(), NewUser{Name: name, Email: email, Password: "correct horse", Stranger: &Client{}})
		s.must(err)
		s.people[name] = id
	}
	signUp("anna", "anna@example.org")
	wantKinds(t, "a new account", s.kinds(), map[string]string{"confirm anna": "anna@example.org"})
	signUp("bert", "Anna@example.org")
	wantKinds(t, "an account with a taken address", s.kinds(), map[string]string{"taken anna": "anna@example.org"})
	if got := s.email("bert"); got != (Email{}) {
		t.Errorf("the second account has the address %+v", got)
	}
	s.must(s.confirm("anna", "anna@example.org"))
	if got := s.email("anna"); !got.Confirmed {
		t.Errorf("after the confirmation: %+v", got)
	}
	s.must(s.SetEmail(t.Context(), s.user("anna"), "ANNA@example.org"))
	wantKinds(t, "the same address", s.kinds(), nil)
}

// TestAddressOfASiteWithoutMail changes at once, and is not confirmed.
func TestAddressOfASiteWithoutMail(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	_, err := s.db.Pool.Exec(t.Context(), `update users set email = 'anna@example.org', email_confirmed_at = now()`)
	s.must(err)
	s.must(s.SetEmail(t.Context(), s.user("anna"), "Anna@example.org"))
	if got := s.email("anna"); got != (Email{Address: "Anna@example.org", Confirmed: true, Wanted: ""}) {
		t.Errorf("the same address in other letters: %+v", got)
	}
	s.must(s.SetEmail(t.Context(), s.user("anna"), "new@example.org"))
	if got := s.email("anna"); got != (Email{Address: "new@example.org", Confirmed: false, Wanted: ""}) {
		t.Errorf("another address: %+v", got)
	}
}
