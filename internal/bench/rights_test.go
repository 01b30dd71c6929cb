package bench

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/river"
)

// The numbers of a town are said with no help of the store, so the rules of all
// that is stored are held against them.
func TestTownIsSound(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	town := townOf(0.001)
	if err := town.found(t.Context(), copier{pool}); err != nil {
		t.Fatal(err)
	}
	faults, err := audit.Check(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
	const query = `
		select
			(select count(*) from subscriptions where user_id = 1),
			(select count(*) from posts where user_id = 2),
			(select count(*) from posts where user_id = 3),
			(select count(*) from comments where user_id = 3),
			(select count(*) from subscriptions s join timelines t on t.id = s.timeline_id where t.what = 'group' and t.their_id = 1)`
	var follows, star, leaver, said, members int
	if err := pool.QueryRow(t.Context(), query).Scan(&follows, &star, &leaver, &said, &members); err != nil {
		t.Fatal(err)
	}
	if follows != town.Subscriptions || star != town.StarPosts || leaver != town.LeaverPosts || said != town.LeaverComments || members != town.Members+1 {
		t.Errorf("%d subscriptions, %d and %d posts, %d comments, %d members; want %+v", follows, star, leaver, said, members, town)
	}
}

func TestTownIsAsLargeAsIsSaid(t *testing.T) {
	t.Parallel()
	want := town{
		Subscriptions: 2000, StarPosts: 50_000, Rivers: 1000, Open: 200, Members: 10_000, SquarePosts: 2000,
		LeaverPosts: 5000, LeaverComments: 20_000, FolkPosts: 20_000,
	}
	if got := townOf(1); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestRightsAreMeasured(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only, c.Scale = []string{Rights}, 0.001
	c.Notice = func(sentence string) { t.Log(sentence) } // which pages are wrong, and how
	missed, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	for _, name := range steps {
		r, there := found["rights."+name]
		if !there {
			t.Errorf("%s is not reported", name)
			continue
		}
		for _, part := range []string{"statement", "turn", "answer", "done"} {
			if r.Parts[part] <= 0 {
				t.Errorf("%s: no %s was measured: %+v", name, part, r)
			}
		}
		if strings.Contains(r.Of, "wrong") {
			t.Errorf("%s: %s", name, r.Of)
		}
		if r.OK == nil || *r.OK == slices.Contains(missed, r.Name) {
			t.Errorf("%s is ok=%v, and missed are %q", name, r.OK, missed)
		}
	}
	if len(found) != len(steps) {
		t.Errorf("%d records, want %d", len(found), len(steps))
	}
}

// steps are all that are measured of rights.
var steps = []string{
	"reader.unsubscribe", "reader.subscribe", "reader.ban", "reader.banned",
	"reader.unsubscribe.closed", "reader.subscribe.closed", "reader.ban.closed", "reader.banned.closed",
	"feed.private", "feed.public", "feed.flips", "feed.back",
	"group.expel", "group.private", "group.expel.private", "group.public",
	"account.delete", "account.workoff",
}

func TestLongestStatementIsKept(t *testing.T) {
	t.Parallel()
	var s statements
	s.note("one", time.Millisecond)
	s.note("two", 3*time.Millisecond)
	s.note("three", 2*time.Millisecond)
	if got, want := s.take(), (seen{count: 3, longest: 3 * time.Millisecond, text: "two"}); got != want {
		t.Errorf("seen %+v, want %+v", got, want)
	}
	if got := s.take(); got != (seen{}) {
		t.Errorf("taken, and yet %+v", got)
	}
}

func TestStatementsOfAPoolAreNoted(t *testing.T) {
	t.Parallel()
	s, pool := traced(t)
	if _, err := pool.Exec(t.Context(), `select 1 from pg_sleep(0.01)`); err != nil {
		t.Fatal(err)
	}
	if got := s.take(); got.longest < 10*time.Millisecond || !strings.Contains(got.text, "pg_sleep") {
		t.Errorf("seen %+v", got)
	}
	if err := inBatch(t.Context(), pool, `select 1`, `select 2 from pg_sleep(0.01)`, `select 3`); err != nil {
		t.Fatal(err)
	}
	if got := s.take(); got.longest < 10*time.Millisecond || got.text != "3 in a batch, the first: select 1" {
		t.Errorf("seen of a batch %+v", got)
	}
	if err := inBatch(t.Context(), pool, slices.Repeat([]string{`select from pg_sleep(0.001)`}, fewParts+1)...); err != nil {
		t.Fatal(err)
	}
	if got := s.take(); got.batch < fewParts*time.Millisecond || got.longest > got.batch || got.text != "" {
		t.Errorf("seen of a large batch %+v", got)
	}
}

func TestTurnsAreNoted(t *testing.T) {
	t.Parallel()
	var l looptime
	l.turned(river.Turn{Took: time.Millisecond})
	l.turned(river.Turn{Took: 2 * time.Millisecond})
	l.turned(river.Turn{Took: time.Millisecond})
	if most, count := l.take(); most != 2*time.Millisecond || count != 3 {
		t.Errorf("%v in %d turns", most, count)
	}
	ended, err := l.settled(t.Context())
	if err != nil || time.Since(ended) < silence {
		t.Errorf("worked off at %v (%v), too soon", ended, err)
	}
}

// A loop that nobody rings takes a turn every poll; one of them may be of any
// length.
func TestSilenceAfterAnyTurn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		every time.Duration
		took  time.Duration
		never bool
	}{
		{"a turn of nothing", poll, 0, false},
		{"a turn of seconds", poll, 4 * time.Second, false},
		{"a turn longer than a poll", poll, 20 * time.Second, false},
		{"a loop that is never done", silence / 2, time.Millisecond, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var l looptime
				l.turned(river.Turn{Took: test.took})
				polls := time.NewTicker(test.every)
				defer polls.Stop()
				over := make(chan struct{})
				defer close(over)
				go func() {
					for {
						select {
						case <-polls.C:
							l.turned(river.Turn{Took: time.Microsecond})
						case <-over:
							return
						}
					}
				}()
				_, err := l.settled(t.Context())
				if (err != nil) != test.never {
					t.Errorf("silent: %v", err)
				}
			})
		})
	}
}
