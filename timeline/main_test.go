package timeline

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// A site is a store on a fresh database, with people whom tests call by name.
type site struct {
	*Store
	t      testing.TB
	people map[string]UserID
	clock  time.Time
}

// cheap is what a password costs in tests.
var cheap = &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 8, KeyLength: 16}

// newSite makes a site with the people, all of them public. Its clock stands
// still until [site.wait].
func newSite(t testing.TB, names ...string) *site {
	t.Helper()
	s := &site{t: t, people: make(map[string]UserID), clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	s.Store = New(pgtest.New(t), Options{Now: func() time.Time { return s.clock }, Argon: cheap})
	for _, name := range names {
		s.add(name)
	}
	return s
}

// wait lets time pass.
func (s *site) wait(d time.Duration) { s.clock = s.clock.Add(d) }

// add makes a public person.
func (s *site) add(name string) UserID {
	s.t.Helper()
	id, err := makeUser(s.t.Context(), s.pool, person{Name: name, DisplayName: name, Status: statusPublic, At: s.now()})
	if err != nil {
		s.t.Fatalf("add %s: %v", name, err)
	}
	s.people[name] = id
	return id
}

// user is the id of a person made by newSite or add.
func (s *site) user(name string) UserID {
	s.t.Helper()
	id, known := s.people[name]
	if !known {
		s.t.Fatalf("there is no %s", name)
	}
	return id
}

// status sets a person's status.
func (s *site) status(name, status string) {
	s.t.Helper()
	s.must(s.SetProfile(s.t.Context(), s.user(name), ProfileEdit{Status: &status}))
}

func (s *site) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// one answers the single value of a query.
func one[T any](s *site, query string, args ...any) T {
	s.t.Helper()
	var v T
	s.must(s.pool.QueryRow(s.t.Context(), query, args...).Scan(&v))
	return v
}

// timeline is the id of a person's timeline.
func (s *site) timeline(what What, name string) TimelineID {
	s.t.Helper()
	return one[TimelineID](s, `select id from timelines where what = $1 and their_id = $2`, what, s.user(name))
}

// groupTimeline is the id of a group's timeline.
func (s *site) groupTimeline(id GroupID) TimelineID {
	s.t.Helper()
	return one[TimelineID](s, `select id from timelines where what = 'group' and their_id = $1`, id)
}

// everything is the id of the timeline of that name.
func (s *site) everything() TimelineID {
	s.t.Helper()
	return one[TimelineID](s, `select id from timelines where what = 'everything'`)
}

// changesOf runs f and answers what it appended to the log, without ids.
func (s *site) changesOf(f func()) []Change {
	s.t.Helper()
	last := one[int64](s, `select coalesce(max(id), 0) from changes`)
	f()
	rows, err := s.pool.Query(s.t.Context(), `
		select kind, coalesce(post_id, 0), coalesce(user_id, 0), coalesce(group_id, 0), timelines, moved, token
		from changes where id > $1 order by id`, last)
	s.must(err)
	changes, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c Change, err error) {
		err = row.Scan(&c.Kind, &c.Post, &c.User, &c.Group, &c.Timelines, &c.Moved, &c.Token)
		slices.Sort(c.Timelines)
		return c, err
	})
	s.must(err)
	return changes
}

// same compares what changed with what should have; the order of rows of one
// transaction does not matter.
func (s *site) same(want, got []Change) {
	s.t.Helper()
	order := func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.User, b.User), cmp.Compare(a.Group, b.Group), slices.Compare(a.Token, b.Token))
	}
	want = slices.Clone(want)
	for i := range want {
		want[i].Timelines = slices.Sorted(slices.Values(want[i].Timelines))
	}
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	normal := func(cs []Change) []Change {
		for i := range cs {
			if len(cs[i].Timelines) == 0 {
				cs[i].Timelines = nil
			}
		}
		return cs
	}
	if diff := gocmp.Diff(normal(want), normal(got)); diff != "" && len(want)+len(got) > 0 {
		s.t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// fingerprint is a hash of all that the database keeps, but for what a refused
// try may leave: failed sign-ins and the numbers that sequences gave out.
func (s *site) fingerprint(ctx context.Context) string {
	s.t.Helper()
	rows, err := s.pool.Query(ctx, `
		select format('select coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '''') from %I t', tablename)
		from pg_tables where schemaname = 'public' and tablename not in ('sign_in_failures') order by tablename`)
	s.must(err)
	queries, err := pgx.CollectRows(rows, pgx.RowTo[string])
	s.must(err)
	var all string
	for _, query := range queries {
		all += one[string](s, query)
	}
	return all
}
