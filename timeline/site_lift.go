package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"amstel.dev/amstel/timeline/internal/primary"
)

// errUnindexed is returned when lift is to be turned on and its indexes do not exist.
var errUnindexed = errors.New("no index of when posts came in")

// liftIndexes returns the statements that create the indexes for [OrderLifted]: the
// newest entries of one timeline, and of all, by the time of entry. They exist only
// while the site lifts, as every new entry would have to be added to them.
func liftIndexes() map[string]string {
	return map[string]string{
		"timeline_entries_entered": `
			create index concurrently if not exists timeline_entries_entered
			on timeline_entries (timeline_id, entered_at desc, post_id desc)`,
		"timeline_entries_lifted": `
			create index concurrently if not exists timeline_entries_lifted
			on timeline_entries (entered_at desc, post_id desc, timeline_id desc)`,
	}
}

// indexLift creates the indexes without blocking writers, which takes about a minute for
// each ten million entries. An index that an interrupted call left unfinished is dropped
// first.
func (s *Store) indexLift(ctx context.Context) error {
	const whole = `select coalesce((select indisvalid from pg_index where indexrelid = to_regclass($1)), true)`
	return s.indexing(ctx, func(q primary.Querier) error {
		for name, create := range liftIndexes() {
			var valid bool
			if err := q.QueryRow(ctx, whole, name).Scan(&valid); err != nil {
				return err
			}
			if !valid {
				if err := dropIndex(ctx, q, name); err != nil {
					return err
				}
			}
			if _, err := q.Exec(ctx, create); err != nil {
				return err
			}
		}
		return nil
	})
}

// unindexLift drops the indexes, unless lift is on.
func (s *Store) unindexLift(ctx context.Context) error {
	return s.indexing(ctx, func(q primary.Querier) error {
		settings, err := siteSettings(ctx, q)
		if err != nil || settings.Lift {
			return err // lift was turned on again meanwhile
		}
		for name := range liftIndexes() {
			if err := dropIndex(ctx, q, name); err != nil {
				return err
			}
		}
		return nil
	})
}

func dropIndex(ctx context.Context, q primary.Querier, name string) error {
	queries := map[string]string{
		"timeline_entries_entered": `drop index concurrently if exists timeline_entries_entered`,
		"timeline_entries_lifted":  `drop index concurrently if exists timeline_entries_lifted`,
	}
	_, err := q.Exec(ctx, queries[name])
	return err
}

// indexing runs f on a connection of its own, in one process at a time. A process that
// has to wait asks again and again for the lock, instead of waiting for it in
// PostgreSQL: creating an index concurrently waits for all transactions that wait for
// locks, so the two would wait for each other.
func (s *Store) indexing(ctx context.Context, f func(primary.Querier) error) (err error) {
	const try = `select pg_try_advisory_lock(hashtextextended('indexing', 0))`
	const unlock = `select pg_advisory_unlock(hashtextextended('indexing', 0))`
	conn, err := s.db.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	q := conn
	for {
		var mine bool
		if err := q.QueryRow(ctx, try).Scan(&mine); err != nil {
			return fmt.Errorf("index: %w", err)
		}
		if mine {
			break
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if _, undone := conn.Exec(ending, unlock); undone != nil {
			_ = conn.Conn().Close(ending) // closing the connection releases the lock
		}
	}()
	if err := f(q); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return nil
}
