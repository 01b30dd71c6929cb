package timeline

import (
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

func TestSignUp(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	ctx := t.Context()
	id, err := s.SignUp(ctx, NewUser{Name: "anna", Email: "Anna@example.org", Password: "correct horse"})
	s.must(err)
	type card struct {
		Display, Status string
		Admin           bool
	}
	rows, err := s.db.Pool.Query(ctx, `select display_name, status, admin from users where id = $1`, id)
	s.must(err)
	got, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[card])
	s.must(err)
	if want := (card{"anna", "public", true}); got != want {
		t.Errorf("the first account is %v, want %v", got, want)
	}
	rows, err = s.db.Pool.Query(ctx, `select what || ' ' || access from timelines where their_id = $1 and what not in ('best_of', 'most_faved') order by 1`, id)
	s.must(err)
	timelines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	s.must(err)
	want := []string{
		"mentions owner", "user public", "user_comments public", "user_directs owner", "user_discussions owner",
		"user_favs owner", "user_fyeo owner", "user_likes public", "user_private private",
	}
	if diff := gocmp.Diff(want, timelines); diff != "" {
		t.Errorf("timelines (-want +got):\n%s", diff)
	}
	if second, err := s.SignUp(ctx, NewUser{Name: "bert", Email: "bert@example.org", NoPassword: true}); err != nil {
		t.Error(err)
	} else if one[bool](s, `select admin from users where id = $1`, second) {
		t.Error("the second account is an administrator too")
	}
}

func TestSignUpTaken(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	_, err := s.CreateGroup(ctx, s.user("anna"), NewGroup{Name: "kitchen", DisplayName: "Kitchen", Status: "public"})
	s.must(err)
	_, err = s.SignUp(ctx, NewUser{Name: "bert", Email: "bert@example.org", NoPassword: true})
	s.must(err)
	before := s.fingerprint(ctx)
	for _, tt := range []struct {
		why, word string
		u         NewUser
	}{
		{"a person's name", "name:", NewUser{Name: "anna", Email: "x@example.org"}},
		{"a group's name", "name:", NewUser{Name: "kitchen", Email: "x@example.org"}},
		{"an address in another case", "email:", NewUser{Name: "carl", Email: "BERT@example.org"}},
	} {
		tt.u.NoPassword = true
		if _, err := s.SignUp(ctx, tt.u); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), tt.word) {
			t.Errorf("%s: %v, want %v about %s", tt.why, err, ErrTaken, tt.word)
		}
	}
	if before != s.fingerprint(ctx) {
		t.Error("a refused sign-up left something")
	}
}

// invalidFields returns the fields of all invalid-input errors in a joined error.
func invalidFields(err error) (fields []string) {
	switch all := any(err).(type) {
	case *InvalidError:
		return []string{all.Field}
	case interface{ Unwrap() error }:
		return invalidFields(all.Unwrap())
	case interface{ Unwrap() []error }:
		for _, one := range all.Unwrap() {
			fields = append(fields, invalidFields(one)...)
		}
	}
	return fields
}

// TestSignUpTellsAllThatIsWrong: a person who signs up is told all faults at once. A stranger never learns
// that an e-mail address is taken, and a sign-up with faults does not count as a try.
func TestSignUpTellsAllThatIsWrong(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "gone")
	for _, change := range []string{`update users set email = 'anna@example.org' where name = 'anna'`, `update users set status = 'deleted' where name = 'gone'`} {
		_, err := s.db.Pool.Exec(t.Context(), change)
		s.must(err)
	}
	stranger := &Client{}
	for _, tt := range []struct {
		why   string
		u     NewUser
		wrong []string
		taken bool
	}{
		{"everything", NewUser{Name: "-", Email: "x", Password: "short", DisplayName: "a\nb"}, []string{"name", "email", "display_name", "password"}, false},
		{"a name that is taken, and a short password", NewUser{Name: "anna", Email: "anna@example.org", Password: "short"}, []string{"password"}, true},
		{"a free name, and a short password", NewUser{Name: "bert", Email: "x@example.org", Password: "short"}, []string{"password"}, false},
		{"an old account's name, which has no page", NewUser{Name: "gone", Email: "x@example.org", Password: "short"}, []string{"password"}, false},
	} {
		tt.u.Stranger = stranger
		_, err := s.SignUp(t.Context(), tt.u)
		wrong := invalidFields(err)
		if diff := gocmp.Diff(tt.wrong, wrong); diff != "" || errors.Is(err, ErrTaken) != tt.taken {
			t.Errorf("%s: %v\n%s", tt.why, err, diff)
		}
	}
	if n := one[int](s, `select count(*) from throttles`); n != 0 {
		t.Errorf("%d tries are counted, want none", n)
	}
}

func TestConcurrentSignUpsMakeOneAdministrator(t *testing.T) {
	t.Parallel()
	s := newSite(t, "imported")
	var wg sync.WaitGroup
	for _, name := range strings.Fields("ada bob cyd dan eva fay gus hal") {
		wg.Go(func() {
			if _, err := s.SignUp(t.Context(), NewUser{Name: name, Email: name + "@example.org", NoPassword: true}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := one[int](s, `select count(*) from users where admin`); n != 1 {
		t.Errorf("%d administrators after eight sign-ups at once, want 1", n)
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "gone")
	ctx := t.Context()
	group, err := s.CreateGroup(ctx, s.user("anna"), NewGroup{Name: "kitchen", DisplayName: "Kitchen", Status: "private"})
	s.must(err)
	_, err = s.db.Pool.Exec(ctx, `update users set status = 'deleted' where name = 'gone'`)
	s.must(err)
	for _, tt := range []struct {
		name string
		want Named
		err  error
	}{
		{"anna", Named{Name: "anna", User: s.user("anna")}, nil},
		{"Anna", Named{Name: "anna", User: s.user("anna")}, nil},
		{"kitchen", Named{Name: "kitchen", Group: group}, nil},
		{"gone", Named{}, ErrNotFound},
		{"zoe", Named{}, ErrNotFound},
		{"", Named{}, ErrNotFound},
		{"a\x00b", Named{}, ErrNotFound},
		{"\xff", Named{}, ErrNotFound},
	} {
		got, err := s.Lookup(ctx, tt.name)
		if !errors.Is(err, tt.err) || err == nil && got != tt.want {
			t.Errorf("Lookup(%q) is %v, %v; want %v, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

// TestClosedSiteTakesNoStrangers: a site that is closed to new people takes accounts of the operator alone, and its first
// person.
func TestClosedSiteTakesNoStrangers(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	s.exec(`update users set admin = true`)
	stranger := Client{Network: netip.MustParsePrefix("192.0.2.1/32")}
	signUp := func(name string, from *Client) error {
		_, err := s.SignUp(ctx, NewUser{Name: name, Email: name + "@example.org", Password: "correct horse", Stranger: from})
		return err
	}
	_, err := s.SetSiteSettings(ctx, s.user("anna"), SiteEdit{"registration": RegistrationClosed})
	s.must(err)
	if err := signUp("bert", &stranger); !errors.Is(err, ErrClosed) || !errors.Is(err, ErrForbidden) {
		t.Errorf("a stranger signs up: %v", err)
	}
	if n := one[int](s, `select count(*) from users where name = 'bert'`); n != 0 {
		t.Error("the refused account is there")
	}
	s.must(signUp("carl", nil))
	_, err = s.SetSiteSettings(ctx, s.user("anna"), SiteEdit{"registration": RegistrationOpen})
	s.must(err)
	s.must(signUp("bert", &stranger))
	_, err = s.SetSiteSettings(ctx, s.user("anna"), SiteEdit{"registration": RegistrationClosed})
	s.must(err)
	s.exec(`update users set admin = false`)
	s.must(signUp("dora", &stranger))
	if !one[bool](s, `select admin from users where name = 'dora'`) {
		t.Error("the first person of a site without administrators is none")
	}
}
