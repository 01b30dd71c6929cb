package timeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
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
	return more, nil
}

func (s *Store) workOff(ctx context.Context, tx *txn) (more bool, err error) {
	// What a person wrote just when he deleted his account may be committed
	// after all the rest was worked off. So a job that has nothing left to do
	// stays until every transaction that was under way then has ended, and
	// ends if there is still nothing.
	const job = `
		select id, user_id, empty_at is not null from jobs
		where empty_at is null or not exists (
			select from pg_stat_activity a
			where a.datname = current_database() and a.backend_type = 'client backend' and a.xact_start < jobs.empty_at)
		order by id limit 1 for update skip locked`
	const empty = `update jobs set empty_at = clock_timestamp() where id = $1`
	const finish = `delete from jobs where id = $1`
	var (
		id      int64
		user    UserID
		settled bool
	)
	err = tx.QueryRow(ctx, job).Scan(&id, &user, &settled)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	some, err := s.takeAway(ctx, tx, user)
	switch {
	case err != nil || some:
	case settled:
		_, err = tx.Exec(ctx, finish, id)
	default:
		_, err = tx.Exec(ctx, empty, id)
	}
	return err == nil, err
}

// takeAway takes a chunk of what a person who deleted the account left, and says
// whether there was any.
func (s *Store) takeAway(ctx context.Context, tx *txn, user UserID) (some bool, err error) {
	for _, take := range []func(context.Context, *txn, UserID) (bool, error){
		s.takePosts, takeComments, takeLikes, takeFavs, takeCommentLikes, takePlaces,
	} {
		if some, err = take(ctx, tx, user); some || err != nil {
			return some, err
		}
	}
	for _, query := range append(askings(), standings()...) {
		if some, err = tx.takeTraces(ctx, query, user); some || err != nil {
			return some, err
		}
	}
	return false, nil
}

// takePosts deletes posts of the person's.
func (s *Store) takePosts(ctx context.Context, tx *txn, user UserID) (bool, error) {
	const query = `
		select id from posts where user_id = $1 and deleted_at is null order by id limit 100 for no key update`
	rows, err := tx.Query(ctx, query, user)
	if err != nil {
		return false, err
	}
	posts, err := pgx.CollectRows(rows, pgx.RowTo[PostID])
	if err != nil || len(posts) == 0 {
		return false, err
	}
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
