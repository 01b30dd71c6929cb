package timeline

import (
	"time"

	"github.com/jackc/pgx/v5"
)

// An edit of a post: statements that run together in one round trip, in the
// order in which they were added.
type edit struct {
	pgx.Batch
	post PostID
}

// enter puts the post into timelines of people's, at its place in time, and adds
// those to entered where it was not. Where it was before, and left, the first
// time stays when it entered.
func (e *edit) enter(people []UserID, at time.Time, entered *[]TimelineID, kinds ...What) {
	const query = `
		with back as (
			delete from timeline_left l using timelines t
			where l.post_id = $3 and l.timeline_id = t.id and t.what = any($1) and t.their_id = any($2::bigint[])
			returning l.timeline_id, l.entered_at
		)
		insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
		select t.id, p.id, p.fresh_at, coalesce(b.entered_at, $4)
		from timelines t join posts p on p.id = $3 left join back b on b.timeline_id = t.id
		where t.what = any($1) and t.their_id = any($2::bigint[])
		on conflict do nothing
		returning timeline_id`
	e.Queue(query, kinds, people, e.post, at.UnixMilli()).Query(collect(entered))
}

// place puts the post into timelines by id, at its place in time, and adds to
// entered those where it was not; see [edit.enter].
func (e *edit) place(timelines []TimelineID, at time.Time, entered *[]TimelineID) {
	const query = `
		with back as (
			delete from timeline_left where post_id = $1 and timeline_id = any($2::bigint[]) returning timeline_id, entered_at
		)
		insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
		select t.id, p.id, p.fresh_at, coalesce(b.entered_at, $3)
		from unnest($2::bigint[]) t(id) join posts p on p.id = $1 left join back b on b.timeline_id = t.id
		on conflict do nothing
		returning timeline_id`
	e.Queue(query, e.post, timelines, at.UnixMilli()).Query(collect(entered))
}

// displace takes the post out of every place, every timeline of the whole site and
// every tag's but these; what its likes, comments and ranks put it into stays.
// When it entered the site's is remembered; a place it enters anew.
func (e *edit) displace(but []TimelineID, left *[]TimelineID) {
	const query = `
		with gone as (
			delete from timeline_entries e using timelines t
			where e.post_id = $1 and t.id = e.timeline_id and not t.id = any($2::bigint[])
				and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group', 'everything', 'hashtag')
			returning e.timeline_id, e.entered_at, t.what
		), kept as (
			insert into timeline_left (post_id, timeline_id, entered_at)
			select $1, timeline_id, entered_at from gone where what in ('everything', 'hashtag')
			on conflict do nothing
		)
		select timeline_id from gone`
	e.Queue(query, e.post, but).Query(collect(left))
}

// leave takes the post out of a timeline of a person's, and remembers when it
// entered.
func (e *edit) leave(what What, user UserID, left *[]TimelineID) {
	const query = `
		with gone as (
			delete from timeline_entries e using timelines t
			where e.post_id = $3 and e.timeline_id = t.id and t.what = $1 and t.their_id = $2
			returning e.timeline_id, e.entered_at
		), kept as (
			insert into timeline_left (post_id, timeline_id, entered_at) select $3, timeline_id, entered_at from gone
			on conflict do nothing
		)
		select timeline_id from gone`
	e.Queue(query, what, user, e.post).Query(collect(left))
}

// raise brings latest_at of one timeline that the post entered in line; see
// [edit.follow], which does so for all of them.
func (e *edit) raise(what What, user UserID) {
	const query = `
		update timelines t set latest_at = (p.fresh_at / 60000 + 1) * 60000
		from posts p where p.id = $1 and t.what = $2 and t.their_id = $3 and t.latest_at < p.fresh_at`
	e.Queue(query, e.post, what, user)
}

// follow brings the copies of the post's place in time in line with the post,
// and is queued after whatever moves it or lets it in.
//
// latest_at is what readers may rely on: no entry of the timeline is fresher.
// It is raised only when it must, to the next whole minute, so that a busy
// timeline's row is written once a minute; only what homes and lists are made of
// has one. Rows are locked in the order of their ids, by a statement of its own:
// an update that locks them itself meets rows that changed after its snapshot
// began, and such updates were seen to wait for each other.
func (e *edit) follow() {
	const entries = `
		update timeline_entries e set fresh_at = p.fresh_at
		from posts p where p.id = $1 and e.post_id = p.id and e.fresh_at <> p.fresh_at`
	const lock = `
		select t.id
		from posts p
		join timeline_entries e on e.post_id = p.id
		join timelines t on t.id = e.timeline_id
		where p.id = $1 and t.latest_at < p.fresh_at
			and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group', 'user_likes', 'user_comments')
		order by t.id
		for no key update of t`
	const latest = `
		update timelines t set latest_at = (p.fresh_at / 60000 + 1) * 60000
		from posts p join timeline_entries e on e.post_id = p.id
		where p.id = $1 and t.id = e.timeline_id and t.latest_at < p.fresh_at
			and t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group', 'user_likes', 'user_comments')`
	e.Queue(entries, e.post)
	e.Queue(lock, e.post)
	e.Queue(latest, e.post)
}

// collect reads rows of one column to the end of a slice.
func collect[T any](to *[]T) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		some, err := pgx.CollectRows(rows, pgx.RowTo[T])
		*to = append(*to, some...)
		return err
	}
}
