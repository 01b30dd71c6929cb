package timeline

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestPrunePrimary(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	anna := s.user("anna")
	// The rows of the log have the database's time, so the site uses the same clock.
	s.clock = time.Now()
	old := s.post("anna")
	kept := s.post("anna")
	for _, id := range []PostID{old, kept} {
		s.comment("bert", id)
		s.must(s.Like(ctx, s.user("bert"), id))
		_, err := s.db.Pool.Exec(ctx, `insert into hidden_posts (user_id, post_id) values ($1, $2)`, s.user("bert"), id)
		s.must(err)
	}
	short, err := s.NewSession(ctx, anna, false, "")
	s.must(err)
	_, err = s.NewSession(ctx, anna, true, "")
	s.must(err)
	_, err = s.NewLink(ctx, anna)
	s.must(err)
	_, err = s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: "x", UUID: newUUID()})
	s.must(err)
	_, _ = s.Authenticate(ctx, "anna", "wrong", Client{})
	s.must(s.DeletePost(ctx, anna, old))
	head, err := s.Sequence(ctx)
	s.must(err)

	counts := func() map[string]int {
		got := make(map[string]int)
		for _, table := range []string{"change_log", "posts", "hidden_posts", "sessions", "sign_in_links", "throttles", "submissions"} {
			got[table] = one[int](s, `select count(*) from `+table)
		}
		return got
	}
	before := counts()
	s.must(s.PrunePrimary(ctx, Ages{}))
	for table, n := range counts() {
		if n != before[table] {
			t.Errorf("%s: %d rows went at once", table, before[table]-n)
		}
	}
	s.wait(26 * time.Hour)
	s.same([]Change{{Kind: ChangeSession, User: anna, Token: digest(short)}}, s.changesOf(func() {
		s.must(s.PrunePrimary(ctx, Ages{}))
	}))
	after := counts()
	for table, want := range map[string]int{
		"change_log": 1, "posts": before["posts"] - 1, "hidden_posts": 1, "sessions": 1,
		"sign_in_links": 0, "throttles": 0, "submissions": 1,
	} {
		if after[table] != want {
			t.Errorf("%s: %d rows after a day, want %d", table, after[table], want)
		}
	}
	if got := one[int64](s, `select position from change_log`); got != head {
		t.Errorf("position %d is left of the log, want the newest, %d", got, head)
	}
	if err := one[int](s, `select count(*) from posts where id = $1`, old); err != 0 {
		t.Error("the deleted post's row is there")
	}
	// The log continues from the same position.
	s.post("anna")
	if next, err := s.Sequence(ctx); err != nil || next <= head {
		t.Errorf("the head is %d, %v; was %d", next, err, head)
	}
	s.checkPosts()
}

// TestPruneNotices: notices are deleted 90 days after they were read, or a year after they were written.
// Nodes are told to count again if a count changes.
func TestPruneNotices(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert", "cleo")
	ctx := t.Context()
	const day = 24 * time.Hour
	post := s.post("anna")
	s.must(s.Like(ctx, s.user("bert"), post))
	s.must(s.ReadNotices(ctx, s.user("anna"), aboveAll))
	s.wait(30 * day)
	s.comment("bert", post)
	s.wait(59 * day)
	told := func(when string, whose []UserID, anna ...string) {
		t.Helper()
		var of []UserID
		for _, c := range s.changesOf(func() { s.must(s.PrunePrimary(ctx, Ages{})) }) {
			of = append(of, c.User)
		}
		if !slices.Equal(of, whose) {
			t.Errorf("%s it is noted of %d, want %d", when, of, whose)
		}
		s.hasNotices("anna", anna...)
	}
	told("after 89 days", nil, "(bert like)", "bert comment")
	s.wait(2 * day)
	told("after 91 days", nil, "bert comment")
	s.must(s.ReadNotices(ctx, s.user("anna"), aboveAll)) // long after the notice was written
	s.wait(89 * day)
	told("89 days after it was read", nil, "(bert comment)")
	s.wait(2 * day)
	told("91 days after it was read", nil)

	s.must(s.Like(ctx, s.user("cleo"), post))
	own := s.post("cleo")
	s.must(s.Like(ctx, s.user("bert"), own))
	s.wait(290 * day)
	s.must(s.ReadNotices(ctx, s.user("cleo"), aboveAll))
	s.wait(74 * day)
	told("after 364 days", nil, "cleo like")
	s.wait(2 * day)
	told("after 366 days", []UserID{s.user("anna")})
	left := func(want int) {
		t.Helper()
		if n := one[int](s, `select count(*) from notices`); n != want {
			t.Errorf("%d notices are left, want %d", n, want)
		}
	}
	left(0)
	s.checkPosts()

	const many = `
		with posts as (
			insert into posts (id, user_id, text, places, published_at, updated_at, fresh_at)
			select i, $1, 'x', '{}', $3, $3, i from generate_series(1, $4) i
			returning id
		)
		insert into notices (user_id, kind, by_id, post_id, created_at) select $1, 'like', $2, id, $3 from posts`
	_, err := s.db.Pool.Exec(ctx, many, s.user("cleo"), s.user("bert"), s.clock, 2*pruneNoticesChunk)
	s.must(err)
	s.wait(364 * day)
	told("before many are old", nil)
	left(2 * pruneNoticesChunk)
	s.wait(2 * day)
	told("when many are old", []UserID{s.user("cleo"), s.user("cleo")})
	left(0)
}

// TestPruneLogByPrefix: rows of the log are not in the order of their times. A row is deleted
// only if all rows before it are deleted too.
func TestPruneLogByPrefix(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	ctx := t.Context()
	const query = `
		insert into change_log (position, nonce, change_id, kind, timelines, moved, at)
		select i, gen_random_uuid(), i, 'card', '{}', false, $1::timestamptz - case when i in (3, 6) then '1 hour'::interval else '2 days' end
		from generate_series(1, 8) as i`
	_, err := s.db.Pool.Exec(ctx, query, s.clock)
	s.must(err)
	_, err = s.db.Pool.Exec(ctx, `update log_head set position = 8`)
	s.must(err)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if first, n := one[int](s, `select min(position) from change_log`), one[int](s, `select count(*) from change_log`); first != 3 || n != 6 {
		t.Errorf("%d rows from %d are left, want 6 from 3", n, first)
	}
}

func TestRunOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	ctx := t.Context()
	tick := s.clock
	var runs, claims atomic.Int64
	var wg sync.WaitGroup
	for range 8 { // nodes
		wg.Go(func() {
			ran, err := s.RunOnce(ctx, "prune", tick, func(context.Context) error { runs.Add(1); return nil })
			if err != nil {
				t.Error(err)
			}
			if ran {
				claims.Add(1)
			}
		})
	}
	wg.Wait()
	if runs.Load() != 1 || claims.Load() != 1 {
		t.Errorf("ran %d times, and %d nodes say so", runs.Load(), claims.Load())
	}
	broken := errors.New("broken")
	if ran, err := s.RunOnce(ctx, "prune", tick.Add(time.Hour), func(context.Context) error { return broken }); !ran || !errors.Is(err, broken) {
		t.Errorf("a job that fails: %v, %v", ran, err)
	}
	for _, want := range []bool{true, false} {
		ran, err := s.RunOnce(ctx, "prune", tick.Add(time.Hour), func(context.Context) error { return nil })
		if err != nil || ran != want {
			t.Errorf("after a failure: %v, %v; want %v", ran, err, want)
		}
	}
	if ran, err := s.RunOnce(ctx, "digest", tick, func(context.Context) error { return nil }); err != nil || !ran {
		t.Errorf("another job: %v, %v", ran, err)
	}
}
