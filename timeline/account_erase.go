package timeline

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// ListenWork returns a bell that is rung when this store left something for
// [Store.WorkOff], and a function that takes it down.
func (s *Store) ListenWork() (bell <-chan struct{}, stop func()) { return s.work.hang() }

// WorkOff does a chunk of what the primary has still to finish, and says whether
// there is more that can be done now. Each chunk is one transaction with at most
// a hundred posts, and it does not matter who does the next one. Any number of
// processes may work at once, each on a job of its own.
func (s *Store) WorkOff(ctx context.Context) (more bool, err error) {
	defer primary.Wrap(&err, "work off")
	err = s.write(ctx, func(tx *txn) error {
		more, err = s.workOff(ctx, tx)
		return err
	})
	if err != nil {
		return false, err
	}
	s.db.Reached(pointWorkedOff)
	return more, nil
}

func (s *Store) workOff(ctx context.Context, tx *txn) (more bool, err error) {
	// What a person wrote just when he deleted his account may be committed
	// after all the rest was worked off. So a job that has nothing left to do
	// stays until every transaction that was under way then has ended, and
	// ends if there is still nothing.
	const query = `
		select id, user_id, step, upto, empty_at is not null from jobs
		where empty_at is null or not exists (
			select from pg_stat_activity a
			where a.datname = current_database() and a.backend_type = 'client backend' and a.xact_start < jobs.empty_at)
		order by id limit 1 for update skip locked`
	const on = `update jobs set step = $2, upto = $3 where id = $1`
	const empty = `update jobs set step = 0, upto = 0, empty_at = clock_timestamp() where id = $1`
	const finish = `delete from jobs where id = $1`
	var j job
	err = tx.QueryRow(ctx, query).Scan(&j.id, &j.user, &j.step, &j.upto, &j.settled)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	some, err := s.takeAway(ctx, tx, &j)
	s.db.Reached(pointTakenAway)
	switch {
	case err != nil:
	case some:
		_, err = tx.Exec(ctx, on, j.id, j.step, j.upto)
	case j.settled:
		_, err = tx.Exec(ctx, finish, j.id)
	default:
		_, err = tx.Exec(ctx, empty, j.id)
	}
	return err == nil, err
}

// A job is what is left of a person who deleted the account. How far it has come
// is no more than a hint where to look: in the end all is looked at again.
type job struct {
	id      int64
	user    UserID
	step    int
	upto    PostID // his posts up to there are deleted
	settled bool   // nothing was left, and nobody is under way any more who was then
}

// takeAway takes a chunk of what a person left away, and says whether there was
// any.
func (s *Store) takeAway(ctx context.Context, tx *txn, j *job) (some bool, err error) {
	takes := []func(context.Context, *txn, *job) (bool, error){
		takeNotices, s.takePosts, takeComments, takeLikes, takeFavs, takeCommentLikes, takePlaces,
	}
	traces := append(askings(), standings()...)
	for ; j.step < len(takes)+len(traces); j.step++ {
		if j.step < len(takes) {
			some, err = takes[j.step](ctx, tx, j)
		} else {
			some, err = tx.takeTraces(ctx, traces[j.step-len(takes)], j.user)
		}
		if some || err != nil {
			return some, err
		}
	}
	return false, nil
}

// takePosts deletes posts of the person's.
func (s *Store) takePosts(ctx context.Context, tx *txn, j *job) (bool, error) {
	const query = `
		select id from posts where user_id = $1 and deleted_at is null and id > $2 order by id limit 100 for no key update`
	var posts []PostID
	if err := primary.Read(ctx, tx, &posts, query, j.user, j.upto); err != nil || len(posts) == 0 {
		return false, err
	}
	j.upto = posts[len(posts)-1]
	return true, tx.erase(ctx, s.db.Now(), posts...)
}

// lockPosts locks posts in the order of their ids, and answers how fresh each
// of them is.
func lockPosts(ctx context.Context, tx primary.Querier, posts []PostID) (fresh map[PostID]int64, err error) {
	const query = `select id, fresh_at from posts where id = any($1) order by id for no key update`
	rows, err := tx.Query(ctx, query, posts)
	if err != nil {
		return nil, err
	}
	var id PostID
	var at int64
	fresh = make(map[PostID]int64, len(posts))
	_, err = pgx.ForEachRow(rows, []any{&id, &at}, func() error {
		fresh[id] = at
		return nil
	})
	return fresh, err
}

// left gathers which timelines posts left, from rows of both.
func left(to map[PostID][]TimelineID) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var post PostID
		var t TimelineID
		_, err := pgx.ForEachRow(rows, []any{&post, &t}, func() error {
			to[post] = append(to[post], t)
			return nil
		})
		return err
	}
}

// Traces of a person who deletes the account are rows that say how he and
// others stand to each other, and what is his alone. Each query takes up to a
// hundred rows of a kind away and answers, at least a row for each, whose sets
// change by it; 0 where nobody's do but his own. The limit is no parameter:
// PostgreSQL would plan for a tenth of the table.

// askings are the traces that wait for somebody's answer.
func askings() []string {
	return []string{
		`with gone as (
			delete from subscription_requests
			where (user_id, timeline_id) in (select user_id, timeline_id from subscription_requests where user_id = $1 limit 100)
			returning timeline_id
		)
		select 0 from gone
		union
		select t.their_id from gone join timelines t on t.id = gone.timeline_id and t.what <> 'group'
		union
		select a.user_id from gone
		join timelines t on t.id = gone.timeline_id and t.what = 'group'
		join group_admins a on a.group_id = t.their_id`,
		`delete from subscription_requests where id in (
			select r.id from timelines t join subscription_requests r on r.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user', 'user_private') limit 100)
		returning user_id`,
		`delete from invitations where id in (select id from invitations where user_id = $1 limit 100) returning 0`,
		`delete from invitations where id in (select id from invitations where from_id = $1 limit 100) returning user_id`,
		`delete from invitations where id in (
			select i.id from timelines t join invitations i on i.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user', 'user_private') limit 100)
		returning user_id`,
	}
}

// standings are the traces that stay until they are worked off.
func standings() []string {
	return []string{
		`delete from group_admins
		where (user_id, group_id) in (select user_id, group_id from group_admins where user_id = $1 limit 100)
		returning 0`,
		`delete from subscriptions
		where (user_id, timeline_id) in (select user_id, timeline_id from subscriptions where user_id = $1 limit 100)
		returning 0`,
		`delete from subscriptions where (user_id, timeline_id) in (
			select s.user_id, s.timeline_id from timelines t join subscriptions s on s.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user', 'user_private') limit 100)
		returning user_id`,
		`delete from timeline_excluded
		where (user_id, timeline_id) in (select user_id, timeline_id from timeline_excluded where user_id = $1 limit 100)
		returning 0`,
		`delete from timeline_excluded where (user_id, timeline_id) in (
			select x.user_id, x.timeline_id from timelines t join timeline_excluded x on x.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user', 'user_private', 'user_likes', 'user_comments') limit 100)
		returning user_id`,
		`delete from bans
		where (user_id, target_id) in (select user_id, target_id from bans where user_id = $1 limit 100)
		returning target_id`,
		`delete from bans
		where (user_id, target_id) in (select user_id, target_id from bans where target_id = $1 limit 100)
		returning user_id`,
		`delete from hidden_posts
		where (user_id, post_id) in (select user_id, post_id from hidden_posts where user_id = $1 limit 100)
		returning 0`,
		`delete from hidden_users
		where (user_id, target_id) in (select user_id, target_id from hidden_users where user_id = $1 limit 100)
		returning 0`,
		`delete from hidden_users
		where (user_id, target_id) in (select user_id, target_id from hidden_users where target_id = $1 limit 100)
		returning user_id`,
		`delete from list_members where (list_id, timeline_id) in (
			select m.list_id, m.timeline_id from lists l join list_members m on m.list_id = l.id where l.user_id = $1 limit 100)
		returning 0`,
		`delete from lists where id in (select id from lists where user_id = $1 limit 100) returning 0`,
		`delete from list_members m using lists l
		where l.id = m.list_id and (m.list_id, m.timeline_id) in (
			select m.list_id, m.timeline_id from timelines t join list_members m on m.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user', 'user_private', 'user_likes', 'user_comments') limit 100)
		returning l.user_id`,
		`delete from muted
		where (user_id, timeline_id) in (select user_id, timeline_id from muted where user_id = $1 limit 100)
		returning 0`,
		`delete from muted where (user_id, timeline_id) in (
			select m.user_id, m.timeline_id from timelines t join muted m on m.timeline_id = t.id
			where t.their_id = $1 and t.what in ('user_likes', 'user_comments') limit 100)
		returning user_id`,
		`delete from left_off where (user_id, page) in (select user_id, page from left_off where user_id = $1 limit 100) returning 0`,
		`delete from saved_searches where id in (select id from saved_searches where user_id = $1 limit 100) returning 0`,
		// What named him while the account was deleted.
		`delete from mentions where ctid = any(array(select ctid from mentions where user_id = $1 limit 100)) returning 0`,
		// His timelines are entered no more.
		`delete from timeline_left where (post_id, timeline_id) in (
			select l.post_id, l.timeline_id from timelines t join timeline_left l on l.timeline_id = t.id
			where t.their_id = $1
				and t.what in ('user_likes', 'user_comments', 'user_favs', 'user_discussions', 'mentions') limit 100)
		returning 0`,
		`delete from attachments where id in (select id from attachments where user_id = $1 limit 100) returning 0`,
		`delete from submissions
		where (user_id, uuid) in (select user_id, uuid from submissions where user_id = $1 limit 100)
		returning 0`,
		// Made while the account was deleted, and good for nothing.
		`delete from sessions
		where token_hash in (select token_hash from sessions where user_id = $1 limit 100)
		returning 0`,
		`delete from api_tokens where id in (select id from api_tokens where user_id = $1 limit 100) returning 0`,
		`delete from sign_in_links
		where token_hash in (select token_hash from sign_in_links where user_id = $1 limit 100)
		returning 0`,
	}
}

// takeTraces takes some traces of a kind away, and says whether there were any.
func (tx *txn) takeTraces(ctx context.Context, query string, user UserID) (bool, error) {
	rows, err := tx.Query(ctx, query, user)
	if err != nil {
		return false, err
	}
	others := make(map[UserID]bool)
	var other UserID
	_, err = pgx.ForEachRow(rows, []any{&other}, func() error {
		others[other] = true
		return nil
	})
	for _, other := range slices.Sorted(maps.Keys(others)) {
		if other != 0 {
			tx.noteViewers(other)
		}
	}
	return len(others) > 0, err
}
