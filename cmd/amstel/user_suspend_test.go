package main

import (
	"errors"
	"strings"
	"testing"

	"amstel.dev/amstel/timeline"
)

func TestUserSuspend(t *testing.T) {
	long(t)
	t.Parallel()
	pool, db := fresh(t)
	store := timeline.New(pool, timeline.Options{})
	must(t, "user", "add", "first", "--email=first@example.org", db) // the administrator
	must(t, "user", "add", "anna", "--email=anna@example.org", db)
	token := strings.TrimSpace(must(t, "user", "token", "anna", db))
	for _, tt := range []struct {
		args      []string
		out, err  string
		code      int
		signedOut bool
	}{
		{[]string{"suspend", "anna"}, "anna is suspended", "", 0, true},
		{[]string{"suspend", "anna"}, "anna is suspended", "", 0, true},
		{[]string{"token", "anna"}, "", "amstel user restore anna", exitFailed, true},
		{[]string{"link", "anna", "--url=https://example.org"}, "", "amstel user restore anna", exitFailed, true},
		{[]string{"restore", "anna"}, "anna can sign in again", "", 0, false},
		{[]string{"suspend", "first"}, "", "only administrator", exitFailed, false},
		{[]string{"suspend", "zoe"}, "", `no account "zoe"`, exitFailed, false},
		{[]string{"restore", "zoe"}, "", `no account "zoe"`, exitFailed, false},
	} {
		out, said, code := command(t.Context(), append(append([]string{"user"}, tt.args...), db)...)
		if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(said, tt.err) {
			t.Errorf("%q: exit %d, %q and %q", tt.args, code, out, said)
		}
		if _, err := store.Token(t.Context(), token); errors.Is(err, timeline.ErrUnauthorized) != tt.signedOut {
			t.Errorf("after %q anna's token: %v", tt.args, err)
		}
	}
}
