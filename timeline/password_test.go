package timeline

import (
	"errors"
	"testing"
)

func TestHasPassword(t *testing.T) {
	t.Parallel()
	s := newSite(t, "imported")
	set, err := s.SignUp(t.Context(), NewUser{Name: "signed", Email: "signed@example.org", Password: "correct horse"})
	if err != nil {
		t.Fatal(err)
	}
	for user, want := range map[UserID]bool{s.user("imported"): false, set: true} {
		if got, err := s.HasPassword(t.Context(), user); err != nil || got != want {
			t.Errorf("user %d has a password: %v, %v; want %v", user, got, err, want)
		}
	}
	if _, err := s.HasPassword(t.Context(), 4711); !errors.Is(err, ErrNotFound) {
		t.Errorf("a visitor: %v", err)
	}
}

func TestSetPassword(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	ctx, anna := t.Context(), s.user("anna")
	session, err := s.NewSession(ctx, anna, true, "")
	s.must(err)
	other, err := s.NewSession(ctx, anna, false, "")
	s.must(err)
	token, err := s.NewToken(ctx, anna, TokenSpec{Name: "bot", Scopes: AllScopes})
	s.must(err)
	link, err := s.NewLink(ctx, anna)
	s.must(err)
	s.same([]Change{
		{Kind: ChangeSession, User: anna, Token: digest(session)},
		{Kind: ChangeSession, User: anna, Token: digest(other)},
	}, s.changesOf(func() { s.must(s.SetPassword(ctx, anna, "battery staple")) }))
	if _, err := s.Session(ctx, session); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("an old session: %v, want %v", err, ErrUnauthorized)
	}
	if _, err := s.UseLink(ctx, link, true, ""); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("an old link: %v, want %v", err, ErrUnauthorized)
	}
	if _, err := s.Token(ctx, token); err != nil {
		t.Errorf("a token: %v", err)
	}
	if _, err := s.Authenticate(ctx, "anna", "correct horse", Client{}); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("the old password: %v, want %v", err, ErrUnauthorized)
	}
	if _, err := s.Authenticate(ctx, "anna", "battery staple", Client{}); err != nil {
		t.Errorf("the new password: %v", err)
	}
	if err := s.SetPassword(ctx, 999, "battery staple"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the password of an unknown person: %v, want %v", err, ErrNotFound)
	}
}

func TestPasswordsThatAreGuessedFirstAreRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.url = "https://people-by-the-river.example"
	user := NewUser{Name: "hannah_b", Email: "boats_and_tea@example.org", DisplayName: "Hannah Berg", Password: "correct horse"}
	id, err := s.SignUp(t.Context(), user)
	s.must(err)
	for password, want := range map[string]string{
		"Baseball1":                   "common_password",
		"Hannah_B":                    "own_password",
		"hannah berg":                 "own_password",
		"boats_and_tea@example.org":   "own_password",
		"People-by-the-River.example": "own_password",
	} {
		other := NewUser{Name: user.Name, Email: user.Email, DisplayName: user.DisplayName, Password: password}
		_, signUp := s.SignUp(t.Context(), other)
		for action, err := range map[string]error{"set": s.SetPassword(t.Context(), id, password), "sign up": signUp} {
			if invalid, is := errors.AsType[*InvalidError](err); !is || invalid.Code != want {
				t.Errorf("%s %q: %v, want the code %s", action, password, err, want)
			}
		}
	}
	if _, err := s.Authenticate(t.Context(), user.Name, user.Password, Client{}); err != nil {
		t.Errorf("the first password: %v", err)
	}
}
