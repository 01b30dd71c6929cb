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

// enter puts the post into a timeline of a person's, at its place in time, and
// adds the timeline to those that it entered, unless it was there.
func (e *edit) enter(what What, user UserID, at time.Time, entered *[]TimelineID) {
	const query = `
		insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
		select t.id, p.id, p.fresh_at, $4
		from timelines t, posts p where t.what = $1 and t.their_id = $2 and p.id = $3
		on conflict do nothing
		returning timeline_id`
	e.Queue(query, what, user, e.post, at.UnixMilli()).Query(collect(entered))
}

// place puts the post into timelines by id, and into everything, at its place
// in time, and adds to entered those where it was not.
func (e *edit) place(places []TimelineID, everything bool, at time.Time, entered *[]TimelineID) {
	const query = `
		insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
		select t.id, p.id, p.fresh_at, $4
		from posts p, (
			select id from unnest($2::bigint[]) as id
			union all
			select id from timelines where $3 and what = 'everything' and their_id = 0
		) t
		where p.id = $1
		on conflict do nothing
		returning timeline_id`
	e.Queue(query, e.post, places, everything, at.UnixMilli()).Query(collect(entered))
}

// displace takes the post out of every place but these, and out of everything
// if it is not to be there; what its likes and comments put it into stays.
func (e *edit) displace(places []TimelineID, everything bool, left *[]TimelineID) {
	const query = `
		delete from timeline_entries e using timelines t
		where e.post_id = $1 and t.id = e.timeline_id and case
			when t.what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group') then not t.id = any($2::bigint[])
			when t.what = 'everything' then not $3::boolean
			end
		returning timeline_id`
	e.Queue(query, e.post, places, everything).Query(collect(left))
}

// leave takes the post out of a timeline of a person's.
func (e *edit) leave(what What, user UserID, left *[]TimelineID) {
	const query = `
		delete from timeline_entries e using timelines t
		where e.post_id = $3 and e.timeline_id = t.id and t.what = $1 and t.their_id = $2
		returning timeline_id`
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
// timeline's row is written once a minute; timelines of the whole site have
// none. Rows are locked in the order of their ids, by a statement of its own:
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
		where p.id = $1 and t.latest_at < p.fresh_at and t.what not in ('hashtag', 'everything', 'best_of', 'most_faved')
		order by t.id
		for no key update of t`
	const latest = `
		update timelines t set latest_at = (p.fresh_at / 60000 + 1) * 60000
		from posts p join timeline_entries e on e.post_id = p.id
		where p.id = $1 and t.id = e.timeline_id and t.latest_at < p.fresh_at
			and t.what not in ('hashtag', 'everything', 'best_of', 'most_faved')`
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
