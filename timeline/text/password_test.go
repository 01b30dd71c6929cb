package text

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	own := []string{"anna_karenina", "Anninka_K@Example.org", "amstel.example", ""}
	for _, tt := range []struct{ name, password, code string }{
		{"words", "correct horse", ""},
		{"seven characters", "s3v3n c", "too_short"},
		{"the commonest", "password", "common_password"},
		{"a common one with capitals", "SunShine", "common_password"},
		{"a common one with more", "sunshine over the canal", ""},
		{"the name", "Anna_Karenina", "own_password"},
		{"the name with more", "anna_karenina takes the train", ""},
		{"the address", "anninka_k@example.org", "own_password"},
		{"the address before the @", "anninka_k", "own_password"},
		{"the site", "Amstel.Example", "own_password"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code := ""
			if invalid, is := errors.AsType[*InvalidError](CheckPassword(tt.password, own...)); is {
				code = invalid.Code
			}
			if code != tt.code {
				t.Errorf("%q: %q, want %q", tt.password, code, tt.code)
			}
		})
	}
}

func TestCommonPasswordsCanBeFound(t *testing.T) {
	t.Parallel()
	all := commonPasswords()
	if len(all) != 10_000 || !slices.IsSorted(all) {
		t.Errorf("%d passwords, sorted: %v", len(all), slices.IsSorted(all))
	}
	for _, password := range all {
		if password != Lower(password) || len(password) < minPassword || strings.TrimSpace(password) == "" {
			t.Errorf("%q is never compared with a password", password)
		}
	}
}
