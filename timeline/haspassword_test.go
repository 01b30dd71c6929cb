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
		t.Errorf("nobody: %v", err)
	}
}
