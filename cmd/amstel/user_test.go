package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// fresh returns a new database of the newest schema, and the argument for the database.
func fresh(t *testing.T) (*pgxpool.Pool, string) {
	t.Helper()
	url := pgtest.URL(t)
	return pgtest.Open(t, url), "--database=" + url
}

// must runs a command, ends the test if the command fails, and returns its standard output.
func must(t *testing.T, args ...string) string {
	t.Helper()
	out, err, code := command(t.Context(), args...)
	if code != 0 {
		t.Fatalf("amstel %q: exit %d: %s", args, code, err)
	}
	return out
}

func TestUserCommands(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool, db := fresh(t)
	must(t, "user", "add", "anna", "--email=anna@example.org", "--password=eerste wachtwoord", db)
	must(t, "user", "add", "bob", "--email=bob@example.org", "--admin", db)
	must(t, "user", "add", "cleo", "--email=cleo@example.org", db)

	store := timeline.New(pool, timeline.Options{})
	anna, err := store.Authenticate(ctx, "anna", "eerste wachtwoord", timeline.Client{})
	if err != nil {
		t.Fatal(err)
	}
	admins := map[string]bool{}
	for _, name := range []string{"anna", "bob", "cleo"} {
		token := must(t, "user", "token", name, db)
		if !regexp.MustCompile(`^[a-f0-9-]+\n$`).MatchString(token) {
			t.Fatalf("user token prints %q", token)
		}
		who, err := store.Token(ctx, strings.TrimSpace(token))
		if err != nil || who.Name != name {
			t.Fatalf("the token of %s is that of %+v: %v", name, who, err)
		}
		admins[name] = who.Admin
	}
	if !admins["anna"] || !admins["bob"] || admins["cleo"] {
		t.Errorf("administrators: %v, want anna, the first account, and bob, added with --admin", admins)
	}

	must(t, "user", "password", "anna", "--password=tweede wachtwoord", db)
	if _, err := store.Authenticate(ctx, "anna", "eerste wachtwoord", timeline.Client{}); err == nil {
		t.Error("the old password still signs in")
	}
	if got, err := store.Authenticate(ctx, "anna", "tweede wachtwoord", timeline.Client{}); err != nil || got != anna {
		t.Errorf("the new password signs in %d: %v", got, err)
	}
	out, errs, code := commandReading(ctx, "derde wachtwoord\n", "user", "password", "anna", db)
	if code != 0 {
		t.Fatalf("the password from the standard input: exit %d: %s%s", code, out, errs)
	}
	if _, err := store.Authenticate(ctx, "anna", "derde wachtwoord", timeline.Client{}); err != nil {
		t.Errorf("the password from the standard input: %v", err)
	}
}

func TestUserCommandsRefuse(t *testing.T) {
	t.Parallel()
	_, db := fresh(t)
	must(t, "user", "add", "anna", "--email=anna@example.org", db)
	for _, tt := range []struct {
		name string
		args []string
		code int
		err  string
	}{
		{"a name that is taken", []string{"user", "add", "anna", "--email=other@example.org"}, exitFailed, "name"},
		{"an address that is taken", []string{"user", "add", "other", "--email=ANNA@example.org"}, exitFailed, "email"},
		{"a name that can't be", []string{"user", "add", "a b", "--email=ab@example.org"}, exitUsage, "name"},
		{"a short password", []string{"user", "add", "bob", "--email=bob@example.org", "--password=kort"}, exitUsage, "password"},
		{"no address", []string{"user", "add", "bob"}, exitUsage, "--email"},
		{"no name", []string{"user", "token"}, exitUsage, "<name>"},
		{"an unknown name", []string{"user", "token", "zoe"}, exitFailed, `there is no account "zoe"`},
		{"no password", []string{"user", "password", "anna"}, exitUsage, "password"},
		{"a common password", []string{"user", "password", "anna", "--password=Password1"}, exitUsage, "is one of the commonest passwords"},
		{"a common password of a new account", []string{"user", "add", "bob", "--email=bob@example.org", "--password=12345678"}, exitUsage, "is one of the commonest passwords"},
		{"the address as password", []string{"user", "password", "anna", "--password=anna@example.org"}, exitUsage, "is a name or an address"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, err, code := command(t.Context(), append(tt.args, db)...)
			if code != tt.code || !strings.Contains(err, tt.err) {
				t.Errorf("exit %d, wrote %q and %q, want %d and %q", code, out, err, tt.code, tt.err)
			}
		})
	}
}

// TestUserTokenScopesAndDays has the command make tokens. They have the scopes and the end that its flags say.
func TestUserTokenScopesAndDays(t *testing.T) {
	t.Parallel()
	pool, db := fresh(t)
	must(t, "user", "add", "anna", "--email=anna@example.org", db)
	store := timeline.New(pool, timeline.Options{})
	for _, tt := range []struct {
		args   []string
		scopes timeline.Scopes
		days   int
	}{
		{nil, timeline.ScopeRead | timeline.ScopeWrite, 0},
		{[]string{"--scope=read"}, timeline.ScopeRead, 0},
		{[]string{"--scope=write", "--scope=admin", "--days=30"}, timeline.ScopeWrite | timeline.ScopeAdmin, 30},
		{[]string{"--scope=read,write,admin", "--days=1"}, timeline.AllScopes, 1},
	} {
		before := time.Now()
		token := strings.TrimSpace(must(t, append([]string{"user", "token", "anna", db}, tt.args...)...))
		who, err := store.Token(t.Context(), token)
		if err != nil || who.Scopes != tt.scopes {
			t.Errorf("%v: %v has the scopes %v, want %v", tt.args, err, who.Scopes.Names(), tt.scopes.Names())
		}
		if tt.days == 0 && !who.Expires.IsZero() {
			t.Errorf("%v: the token ends at %v", tt.args, who.Expires)
		}
		if end := before.AddDate(0, 0, tt.days); tt.days > 0 && (who.Expires.Before(end.Add(-time.Second)) || who.Expires.After(end.Add(time.Hour))) {
			t.Errorf("%v: the token ends at %v, want %v", tt.args, who.Expires, end)
		}
	}
	for _, bad := range []string{"--scope=root", "--days=-1", "--days=never"} {
		if out, _, code := command(t.Context(), "user", "token", "anna", db, bad); code == 0 || out != "" {
			t.Errorf("%s: exit %d, %q", bad, code, out)
		}
	}
	all, err := store.Tokens(t.Context(), 1)
	if err != nil || len(all) != 4 {
		t.Errorf("anna has %d tokens, want the four that were right: %v", len(all), err)
	}
}
