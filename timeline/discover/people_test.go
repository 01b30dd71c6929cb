package discover

import (
	"slices"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/sitetest"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// suspend suspends a person ($1).
const suspend = `update users set suspended_at = now() where id = $1`

func TestFind(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "anna", "annabel", "bert", "hanna", "zoe")
	d := New(s.Store)
	groups := map[string]timeline.GroupID{
		"rowing": s.Group("anna", timeline.NewGroup{Name: "rowing", DisplayName: "Rowing on the Amstel", Description: "boats and oars"}),
		"annals": s.Group("bert", timeline.NewGroup{Name: "annals", Status: "private"}),
	}
	s.Must(s.SetProfile(t.Context(), s.User("bert"), timeline.ProfileEdit{DisplayName: new("Bert O'Anson, Лодочник")}))
	s.Must(s.SetProfile(t.Context(), s.User("zoe"), timeline.ProfileEdit{Name: new("zoe2")}))
	s.Follow("zoe", "hanna")
	for _, tt := range []struct {
		who, text      string
		people, groups []string
	}{
		{"", "anna", []string{"anna", "annabel", "hanna"}, []string{"annals"}},
		{"", "@Anna", []string{"anna", "annabel", "hanna"}, []string{"annals"}},
		{"", "NABE", []string{"annabel"}, nil}, // any part of a name
		{"", "dочн", nil, nil},
		{"", "дочн", []string{"bert"}, nil}, // and of a display name
		{"", "the ams", nil, []string{"rowing"}},
		{"", "nn", nil, nil}, // a short text finds only beginnings
		{"", "a_n", nil, nil},
		{"", "50%", nil, nil},
		{"", "an", []string{"anna", "annabel", "bert"}, []string{"annals", "rowing"}}, // words of display names and descriptions too
		{"", "bert ans", []string{"bert"}, nil},
		{"", "лод", []string{"bert"}, nil},
		{"", "oar", nil, []string{"rowing"}},
		{"zoe", "han", []string{"hanna"}, nil},
		{"", "zoe", []string{"zoe"}, nil}, // an old name
		{"", "yan", nil, nil},
		{"", "a%_'\\:*&", []string{"anna", "annabel", "bert"}, []string{"annals", "rowing"}},
	} {
		people, found, err := d.Find(t.Context(), s.People[tt.who], tt.text, 10)
		s.Must(err)
		var names []string
		for _, id := range found {
			for name, group := range groups {
				if group == id {
					names = append(names, name)
				}
			}
		}
		if got := s.Named(people); !slices.Equal(got, tt.people) || !slices.Equal(names, tt.groups) {
			t.Errorf("%q finds %q and %q, want %q and %q", tt.text, got, names, tt.people, tt.groups)
		}
	}
	s.Must(s.Ban(t.Context(), s.User("anna"), "bert"))
	s.Exec(suspend, s.User("annabel"))
	for who, want := range map[string]int{"": 2, "bert": 1, "hanna": 2} {
		people, _, err := d.Find(t.Context(), s.People[who], "an", 10)
		s.Must(err)
		if len(people) != want {
			t.Errorf("%s finds %q, want %d", who, s.Named(people), want)
		}
	}
	for _, text := range []string{"", "@", "!!", "a\nb"} {
		if _, _, err := d.Find(t.Context(), 0, text, 10); !sitetest.IsInvalid(err) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestFindFindsLettersWrittenInParts: a name with decomposed letters (as in file names of a Mac) is found
// by composed letters.
func TestFindFindsLettersWrittenInParts(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, "anna")
	d := New(s.Store)
	s.Must(s.SetProfile(t.Context(), s.User("anna"), timeline.ProfileEdit{DisplayName: new("Zoe\u0308")}))
	if people, _, err := d.Find(t.Context(), 0, "zoë", 10); err != nil || len(people) != 1 {
		t.Errorf("by her display name %d are found, %v", len(people), err)
	}
}

// TestFindUsesItsIndexes looks for parts of names among 100,000 people: PostgreSQL finds them by
// indexes, and never reads all accounts.
func TestFindUsesItsIndexes(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 100,000 people")
	}
	t.Parallel()
	s := sitetest.New(t, "anna")
	d := New(s.Store)
	s.Exec(`insert into names (name, what, their_id) select 'p' || substr(md5(i::text), 1, 12), 'user', 1000 + i from generate_series(1, 100000) i`)
	s.Exec(`insert into users (id, name, display_name) overriding system value
		select 1000 + i, 'p' || substr(md5(i::text), 1, 12), initcap(substr(md5(i::text), 13, 7)) || ' ' || initcap(substr(md5(i::text), 20, 9))
		from generate_series(1, 100000) i`)
	s.Exec(`analyze users`)
	for _, text := range []string{"c4ca", "4ca42", "zzzz", "anna", "p8", "a0 b1"} {
		args, err := findArgs(s.User("anna"), text)
		s.Must(err)
		var plan []string
		s.Must(d.db().View(t.Context(), func(q primary.Querier) error {
			return primary.Read(t.Context(), q, &plan, "explain (analyze, timing off) "+findUsers, append(args, 10)...)
		}))
		whole := strings.Join(plan, "\n")
		if strings.Contains(whole, "Seq Scan on users") || !strings.Contains(whole, "users_") {
			t.Errorf("%q is looked for by\n%s", text, whole)
		}
		t.Log(text, plan[len(plan)-1])
	}
}
