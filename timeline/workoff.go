package timeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/internal/point"
)

// ListenWork returns a bell that is rung when this store left something for
// [Store.WorkOff], and a function that takes it down.
func (s *Store) ListenWork() (bell <-chan struct{}, stop func()) { return s.work.hang() }

// WorkOff does a chunk of what the primary has still to finish, and says whether
// there is more that can be done now. Each chunk is one transaction with at most
// a hundred posts, and it does not matter who does the next one. Any number of
// processes may work at once, each on a job of its own.
func (s *Store) WorkOff(ctx context.Context) (more bool, err error) {
	err = s.write(ctx, func(tx *txn) error {
		more, err = s.workOff(ctx, tx)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("work off: %w", err)
	}
	point.Reached("timeline: worked off")
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
	point.Reached("timeline: taken away")
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
	if err := tx.read(ctx, &posts, query, j.user, j.upto); err != nil || len(posts) == 0 {
		return false, err
	}
	j.upto = posts[len(posts)-1]
	return true, tx.erase(ctx, s.now(), posts...)
}

// lockPosts locks posts in the order of their ids, and answers how fresh each
// of them is.
func lockPosts(ctx context.Context, tx querier, posts []PostID) (fresh map[PostID]int64, err error) {
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
