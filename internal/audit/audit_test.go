package audit_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/sample"
	"amstel.dev/amstel/timeline/importer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// samples is a template of databases with the sample imported.
var samples = pgtest.NewTemplate(func(ctx context.Context, pool *pgxpool.Pool) error {
	_, err := importer.Import(ctx, pool, sample.Reader(), importer.Options{Source: sample.Source})
	return err
})

// check returns the faults that the audit finds in a database.
func check(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	faults, err := audit.Check(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

func TestSoundDatabases(t *testing.T) {
	t.Parallel()
	for name, pool := range map[string]*pgxpool.Pool{"empty": pgtest.New(t), "sample": samples.New(t)} {
		if diff := cmp.Diff([]string(nil), check(t, pool)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestFaults makes a fault of each kind. The audit must report it in the wanted words.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("breaks a database in many ways")
	}
	t.Parallel()
	const borscht = `(select id from posts where text like 'Борщ%')`
	for _, tt := range []struct{ name, fault, want string }{
		{"a comment is not counted", `update posts set comments_count = comments_count - 1 where id = ` + borscht, "comments_count is 0, there are 1"},
		{"a like too many is counted", `update posts set likes_count = 1 where id = ` + borscht, "likes_count is 1, there are 0"},
		{"a favourite is not there", `update posts set favs_count = 1 where id = ` + borscht, "favs_count is 1, there are 0"},
		{"a comment's like is gone", `delete from comment_likes where user_id = (select id from users where name = 'chloe')`, "likes_count is 1, there are 0"},
		{"a comment's like is of another post", `update comment_likes set post_id = ` + borscht, "the comment is on post"},
		{"a post is fresher than its newest comment", `update posts set fresh_at = fresh_at + 1 where id = ` + borscht, "fresh_at is 1433525400001, should be 1433525400000"},
		{"a post is fresher than its entries", `update posts set fresh_at = fresh_at + 1 where id = ` + borscht, "fresh_at is 1433525400000, the post's 1433525400001"},
		{"a post is nowhere", `update posts set places = '{}' where id = ` + borscht, "places are {}"},
		{"places are not sorted", `update posts set places = array[places[2], places[1]] where cardinality(places) = 2 and user_id = (select id from users where name = 'anna')`, "places are {"},
		{"a filter timeline is a place", `update posts set places = places || (select max(id) from timelines where what = 'mentions') where id = ` + borscht, "places are {"},
		{"a post is in another's feed", `update posts set places = array[(select id from timelines where what = 'user' and their_id = 1)] where id = ` + borscht, "is in user of user 1"},
		{"a deleted post has comments", `update posts set deleted_at = now() where id = ` + borscht, "deleted, but has comments left"},
		{"a version is behind", `update posts set version = comments_version where id = ` + borscht, "version 1, comments_version 1"},
		{"a post is missing in its place", `delete from timeline_entries e using timelines t where t.id = e.timeline_id and t.what = 'group' and post_id = ` + borscht, "is missing in group of 2"},
		{"a post is missing in everything", `delete from timeline_entries e using timelines t where t.id = e.timeline_id and t.what = 'everything' and post_id = ` + borscht, "is missing in everything of 0"},
		{"a like's entry stayed", `delete from likes where user_id = (select id from users where name = 'dmitri')`, "should not be in user_likes of 4"},
		{"a comment's entry stayed", `delete from comments where text = 'И чеснок!'`, "should not be in user_comments of 2"},
		{"a direct is in everything", `insert into timeline_entries select t.id, p.id, p.fresh_at, p.fresh_at from timelines t, posts p where t.what = 'everything' and p.text like 'A surprise%'`, "should not be in everything"},
		{"an entry entered never", `update timeline_entries set entered_at = 0 where post_id = ` + borscht, "entered_at is 0"},
		{"a bound is too low", `update timelines set latest_at = 0 where what = 'group' and their_id = 2`, "group of 2: latest_at is 0, there is an entry of"},
		{"a name belongs to no account", `insert into names values ('lost-name', 'user', 99)`, "name lost-name: of user 99, which is not there"},
		{"a person has another's name", `update names set their_id = 2 where name = 'anna'`, "user 1: is called anna, a name of user 2"},
		{"a private feed is public", `update timelines set access = 'public' where what = 'user' and their_id = 2`, "user of 2: access is public, should be private"},
		{"a person has no directs", `delete from timelines where what = 'user_directs' and their_id = 8`, "user_directs of 8: access is none, because the timeline is missing, should be owner"},
		{"a timeline has no owner", `insert into timelines (what, their_id, access) values ('user_likes', 99, 'public')`, "user_likes of 99: has no owner"},
		{"a subscription crosses a ban", `insert into subscriptions (user_id, timeline_id) select 8, id from timelines where what = 'user' and their_id = 6`, "subscription of user 8 to user of 6: a ban is between them"},
		{"a subscription is to likes", `update subscriptions set timeline_id = (select id from timelines where what = 'user_likes' and their_id = 1) where user_id = 5 and timeline_id = (select min(timeline_id) from subscriptions where user_id = 5)`, "it can't be followed"},
		{"a person follows themselves", `insert into subscriptions (user_id, timeline_id) select 1, id from timelines where what = 'user' and their_id = 1`, "it is their own"},
		{"a request is of who is subscribed", `insert into subscription_requests (user_id, timeline_id) select user_id, timeline_id from subscriptions limit 1`, "they are subscribed"},
		{"an invitation is of who is subscribed", `insert into invitations (user_id, timeline_id, from_id) select user_id, timeline_id, 1 from subscriptions limit 1`, "they are subscribed"},
		{"an invitation crosses a ban", `insert into invitations (user_id, timeline_id, from_id) select 8, id, 6 from timelines where what = 'user_private' and their_id = 6`, "invitation of user 8 to user_private of 6: a ban is between them"},
		{"an invitation is to likes", `insert into invitations (user_id, timeline_id, from_id) select 2, id, 1 from timelines where what = 'user_likes' and their_id = 1`, "it can't be followed"},
		{"an invitation meets a request", `
			with t as (select id from timelines where what = 'user_private' and their_id = 1),
			r as (insert into subscription_requests (user_id, timeline_id) select 2, id from t)
			insert into invitations (user_id, timeline_id, from_id) select 2, id, 1 from t`, "they requested it too"},
		{"an excluded person is subscribed", `insert into timeline_excluded select timeline_id, user_id from subscriptions`, "it excludes them"},
		{"an exclusion is from the feed alone", `insert into timeline_excluded select id, 2 from timelines where what = 'user' and their_id = 1`, "exclusion of user 2 from user of 1: not from all three of feed, likes and comments"},
		{"a person is excluded from directs", `insert into timeline_excluded select id, 2 from timelines where what = 'user_directs' and their_id = 1`, "it has no excluded set"},
		{"a person is excluded from their own feed", `insert into timeline_excluded select id, 1 from timelines where what = 'user_private' and their_id = 1`, "it is their own"},
		{"a subscription is forward only since before it was made", `update subscriptions set since = 1433525400`, "forward only since 1433525400,"},
		{"a group has no administrator", `delete from group_admins where group_id = 2`, "group 2: has no administrator"},
		{"an administrator does not subscribe", `delete from subscriptions where timeline_id = (select id from timelines where what = 'group' and their_id = 2)`, "administers it, and does not subscribe to it"},
		{"an administrator is gone", `update users set status = 'deleted' where id in (select user_id from group_admins)`, "administers it, and deleted the account"},
		{"a person hides themselves", `insert into hidden_users values (1, 1)`, "user 1 hides user 1: it is the same person"},
		{"a person hides nothing of another", `insert into hidden_users values (1, 2, false, false)`, "user 1 hides user 2: neither posts nor comments"},
		{"a feed for own eyes only is read by its subscribers", `update users set status = 'fyeo' where id = 2`, "user of 2: access is private, should be owner"},
		{"a deleted person's feed is open", `update users set status = 'deleted' where id = 1`, "user of 1: access is public, should be closed"},
		{"a deleted person has a name to show", `update users set status = 'deleted' where id = 1`, "user 1: deleted, but has a name to show left"},
		{"a deleted person has comments", `update users set status = 'deleted' where id = (select min(user_id) from comments)`, "deleted and erased, but has comments left"},
		{"a direct is not its author's", `update posts set places = array(select id from timelines where what = 'user_directs' and their_id <> posts.user_id order by id limit 1) where text like 'A surprise%'`, "a direct message that is not in the author's own directs"},
		{"a person banned themselves", `insert into bans values (1, 1)`, "user 1 has a ban of their own account"},
		{"the log has a gap", `insert into change_log select p, gen_random_uuid(), p, 'viewer', null, 1, null, '{}', false, null, now() from unnest(array[1, 3]) p`, "change log: 2 rows from 1 to 3, the head is 0"},
		{"a change is logged and waits", `
			with one as (insert into changes (kind, user_id) values ('viewer', 1) returning id)
			insert into change_log select 0, gen_random_uuid(), id, 'viewer', null, 1, null, '{}', false, null, now() from one`, "2 times in the log"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			found(t, tt.fault, tt.want)
		})
	}
}

// found runs the statement of a fault, and fails the test unless the audit returns a sentence that
// contains want.
func found(t *testing.T, fault, want string) {
	t.Helper()
	pool := samples.New(t)
	tag, err := pool.Exec(t.Context(), fault)
	if err != nil {
		t.Fatal(err)
	}
	if tag.RowsAffected() == 0 {
		t.Fatal("the statement of the fault changes no row")
	}
	faults := check(t, pool)
	if !slices.ContainsFunc(faults, func(fault string) bool { return strings.Contains(fault, want) }) {
		t.Errorf("the audit finds %q, want %q", faults, want)
	}
}

func TestManyFaultsAreCutShort(t *testing.T) {
	t.Parallel()
	pool := samples.New(t)
	if _, err := pool.Exec(t.Context(), `update timeline_entries set entered_at = -1`); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := pool.QueryRow(t.Context(), `select count(*) from timeline_entries`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	faults := check(t, pool)
	last := faults[len(faults)-1]
	if len(faults) != 21 || !strings.HasPrefix(last, "when posts entered: ") || !strings.HasSuffix(last, " more") {
		t.Errorf("of %d faults the audit lists %q", n, faults)
	}
}
