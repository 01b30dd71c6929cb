package timeline

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// long skips a random or slow test in short mode.
func long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long")
	}
}

// A site is a store on a fresh database, with people whom tests call by name.
type site struct {
	*Store
	t      testing.TB
	people map[string]UserID
	clock  time.Time
	// pace is how far the clock advances each time it is read, and gone how far it has advanced.
	pace time.Duration
	gone atomic.Int64
}

// cheap is the cost of passwords in tests.
var cheap = pgtest.Argon

// newSite makes a site with the people, all of them public. Its clock stands
// still until [site.wait].
func newSite(t testing.TB, names ...string) *site {
	t.Helper()
	s := &site{t: t, people: make(map[string]UserID), clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	now := func() time.Time { return s.clock.Add(time.Duration(s.gone.Add(int64(s.pace)))) }
	s.Store = New(pgtest.New(t), Options{Now: now, Argon: cheap})
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
	id, err := makeUser(s.t.Context(), s.db.Pool, person{Name: name, DisplayName: name, Status: statusPublic, At: s.db.Now()})
	if err != nil {
		s.t.Fatalf("add %s: %v", name, err)
	}
	s.people[name] = id
	return id
}

// user returns the id of a person made by newSite or add.
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

// one returns the single value of a query.
func one[T any](s *site, query string, args ...any) T {
	s.t.Helper()
	var v T
	s.must(s.db.Pool.QueryRow(s.t.Context(), query, args...).Scan(&v))
	return v
}

// timeline returns the id of a person's timeline.
func (s *site) timeline(what What, name string) TimelineID {
	s.t.Helper()
	return one[TimelineID](s, `select id from timelines where what = $1 and their_id = $2`, what, s.user(name))
}

// everything returns the id of the timeline of everything.
func (s *site) everything() TimelineID {
	s.t.Helper()
	return one[TimelineID](s, `select id from timelines where what = 'everything' and their_id = 0`)
}

// changesOf runs f and returns the changes that f appended to the log, without ids.
func (s *site) changesOf(f func()) []Change {
	s.t.Helper()
	last := one[int64](s, `select coalesce(max(id), 0) from changes`)
	f()
	rows, err := s.db.Pool.Query(s.t.Context(), `
		select kind, coalesce(post_id, 0), coalesce(user_id, 0), coalesce(group_id, 0), timelines, moved, token
		from changes where id > $1 order by id`, last)
	s.must(err)
	changes, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c Change, err error) {
		err = row.Scan(&c.Kind, &c.Post, &c.User, &c.Group, &c.Timelines, &c.PlaceChanged, &c.Token)
		slices.Sort(c.Timelines)
		return c, err
	})
	s.must(err)
	return changes
}

// same compares the appended changes with the wanted ones. The order within one transaction does
// not matter. It leaves out changes of notices, which have tests of their own.
func (s *site) same(want, got []Change) {
	s.t.Helper()
	got = slices.DeleteFunc(got, func(c Change) bool { return c.Kind == ChangeNotice })
	order := func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.User, b.User), cmp.Compare(a.Group, b.Group), slices.Compare(a.Token, b.Token),
			cmp.Compare(a.Post, b.Post), slices.Compare(a.Timelines, b.Timelines))
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

// fingerprint returns a hash of the whole database, except for the traces of a refused try:
// failed sign-ins and the numbers drawn from sequences.
func (s *site) fingerprint(ctx context.Context) string {
	s.t.Helper()
	rows, err := s.db.Pool.Query(ctx, `
		select format('select coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '''') from %I t', tablename)
		from pg_tables where schemaname = 'public' and tablename not in ('throttles') order by tablename`)
	s.must(err)
	queries, err := pgx.CollectRows(rows, pgx.RowTo[string])
	s.must(err)
	var all string
	for _, query := range queries {
		all += one[string](s, query)
	}
	return all
}

// post publishes a post to some places, or to the author's own feed if to is empty.
func (s *site) post(author string, to ...string) PostID {
	s.t.Helper()
	if len(to) == 0 {
		to = []string{"user"}
	}
	id, err := s.CreatePost(s.t.Context(), s.user(author), NewPost{To: to, Text: "a post by " + author})
	s.must(err)
	return id
}

// comment comments on a post.
func (s *site) comment(author string, post PostID) CommentID {
	s.t.Helper()
	id, err := s.AddComment(s.t.Context(), s.user(author), post, NewComment{Text: "a comment by " + author})
	s.must(err)
	return id
}

// group makes a group.
func (s *site) group(creator string, g NewGroup) GroupID {
	s.t.Helper()
	id, err := s.CreateGroup(s.t.Context(), s.user(creator), g)
	s.must(err)
	return id
}

// follow subscribes a person, and accepts the request if Subscribe sent one.
func (s *site) follow(who, name string) {
	s.t.Helper()
	state, err := s.Subscribe(s.t.Context(), s.user(who), FeedName{Name: name}, SubscribeOptions{})
	s.must(err)
	if state == Subscribed {
		return
	}
	for _, person := range s.people {
		requests, err := s.Requests(s.t.Context(), person)
		s.must(err)
		for _, r := range requests {
			s.must(s.Accept(s.t.Context(), person, r.UUID))
		}
	}
}

// A state is what the row of a post has.
type state struct {
	Version, CommentsVersion int
	FreshAt                  int64
	Comments, Likes          int
}

func (s *site) state(id PostID) state {
	s.t.Helper()
	rows, err := s.db.Pool.Query(s.t.Context(), `
		select version, comments_version, fresh_at, comments_count, likes_count from posts where id = $1`, id)
	s.must(err)
	st, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[state])
	s.must(err)
	return st
}

// in returns the timelines of a post, sorted.
func (s *site) in(id PostID) []TimelineID {
	s.t.Helper()
	rows, err := s.db.Pool.Query(s.t.Context(), `select timeline_id from timeline_entries where post_id = $1 order by 1`, id)
	s.must(err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[TimelineID])
	s.must(err)
	return ids
}

// checkPosts fails the test unless each post meets the rules that hold after any number of writes.
func (s *site) checkPosts() {
	s.t.Helper()
	for what, query := range map[string]string{
		"a stored count is not the count": `
			select count(*) from posts p where
				comments_count <> (select count(*) from comments where post_id = p.id) or
				likes_count <> (select count(*) from likes where post_id = p.id) or
				favs_count <> (select count(*) from favs where post_id = p.id)`,
		"a comment's likes are not their count": `
			select count(*) from comments c where likes_count <> (select count(*) from comment_likes where comment_id = c.id)`,
		"fresh_at is not the time of the newest comment that bumps, or the publication's": `
			select count(*) from posts p where deleted_at is null and fresh_at <> (
				select (extract(epoch from coalesce(max(c.created_at), p.published_at)) * 1000)::bigint
				from comments c where c.post_id = p.id and c.bumps)`,
		"an entry's fresh_at is not its post's": `
			select count(*) from timeline_entries e join posts p on p.id = e.post_id where e.fresh_at <> p.fresh_at`,
		"latest_at is not an upper bound": `
			select count(*) from timeline_entries e join timelines t on t.id = e.timeline_id
			where e.fresh_at > t.latest_at
				and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group', 'user_likes', 'user_comments')`,
		"a timeline of a person's actions lacks a post, or holds one without an action": `
			with due as (
				select 'user_likes' as what, user_id, post_id from all_likes
				union select 'user_favs', user_id, post_id from all_favs
				union select 'user_comments', user_id, post_id from all_comments
				union select 'user_discussions', user_id, post_id from all_comments
				union select 'user_discussions', user_id, id from posts where deleted_at is null
				union select 'mentions', user_id, post_id from all_mentions
			), there as (
				select t.what, t.their_id, e.post_id from timeline_entries e join timelines t on t.id = e.timeline_id
				where t.what in ('user_likes', 'user_comments', 'user_favs', 'user_discussions', 'mentions')
			)
			select (select count(*) from (table due except table there) as missing) + (select count(*) from (table there except table due) as extra)`,
		"a deleted post is still somewhere": `
			select count(*) from timeline_entries e join posts p on p.id = e.post_id where p.deleted_at is not null`,
		"a subscription, a request or an invitation crosses a ban": `
			select count(*) from bans b join timelines t on t.their_id in (b.user_id, b.target_id) and t.what <> 'group'
			join (table subs) s on s.timeline_id = t.id and s.user_id in (b.user_id, b.target_id) and s.user_id <> t.their_id`,
		"an invitation is from across a ban": `
			select count(*) from bans b join invitations i
			on (i.user_id, i.from_id) in ((b.user_id, b.target_id), (b.target_id, b.user_id))`,
		"an excluded person is subscribed, asks or is invited": `
			select count(*) from timeline_excluded e join (table subs) s using (timeline_id, user_id)`,
		"a person is two of subscribed, asking and invited": `
			select count(*) from (select from (table subs) s group by user_id, timeline_id having count(*) > 1) as twice`,
		"an administrator is not subscribed": `
			select count(*) from group_admins a join timelines t on t.what = 'group' and t.their_id = a.group_id
			where not exists (select from subscriptions s where s.timeline_id = t.id and s.user_id = a.user_id)`,
		"a group has no administrator": `
			select count(*) from groups g where status <> 'deleted' and not exists (select from group_admins where group_id = g.id)`,
	} {
		const subs = `(
			select user_id, timeline_id from subscriptions
			union all select user_id, timeline_id from subscription_requests
			union all select user_id, timeline_id from invitations)`
		if n := one[int](s, strings.ReplaceAll(query, "(table subs)", subs)); n != 0 {
			s.t.Errorf("%s: %d times", what, n)
		}
	}
}
