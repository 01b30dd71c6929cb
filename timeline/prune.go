package timeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Ages say how long things are kept that nobody needs for ever; zero: as said.
type Ages struct {
	Log         time.Duration // rows of the change log; a day
	Submissions time.Duration // what clients made under their uuids; a week
	Ticks       time.Duration // which periodic jobs have run; thirty days
	ReadNotices time.Duration // notices, after they were read; ninety days
	Notices     time.Duration // notices, read or not; a year
}

// pruneChunk is how many rows one transaction takes away, so that none is long.
const pruneChunk = 5000

// pruneNoticesChunk is the same of notices, which wakes the nodes for each person
// who had not read one.
const pruneNoticesChunk = 500

// postMargin is how much longer than the log a deleted post's row stays: whoever
// still reads of it in the log finds it.
const postMargin = time.Hour

// PrunePrimary takes away what is too old: log, sessions and links that ran out,
// counts of tries that are over, submissions, ticks, notices, and the rows of deleted posts.
// Sessions that ran out end in the log, as others do, and it says whose unread
// notices went.
func (s *Store) PrunePrimary(ctx context.Context, ages Ages) (err error) {
	defer primary.Wrap(&err, "prune the primary")
	setAge(&ages.Log, 24*time.Hour)
	setAge(&ages.Submissions, 7*24*time.Hour)
	setAge(&ages.Ticks, 30*24*time.Hour)
	setAge(&ages.ReadNotices, 90*24*time.Hour)
	setAge(&ages.Notices, 365*24*time.Hour)
	now := s.db.Now()
	for _, job := range []struct {
		what, query string
		before      time.Time
	}{
		// The newest row stays: who follows the log knows it by its nonce.
		// Positions and times need not rise together, so the first row that is
		// young ends it.
		{"log", `
			with old as (
				select position from change_log
				where position < least(
					(select position from log_head),
					(select coalesce(min(position), 9223372036854775807) from change_log where at >= $1))
				order by position limit $2
			)
			delete from change_log where position in (select position from old)`, now.Add(-ages.Log)},
		{"links", `
			delete from sign_in_links where token_hash in (
				select token_hash from sign_in_links where expires_at < $1 limit $2)`, now},
		{"throttles", `
			delete from throttles where key in (
				select key from throttles where until < $1 limit $2 for update skip locked)`, now},
		{"submissions", `
			delete from submissions where (user_id, uuid) in (
				select user_id, uuid from submissions where created_at < $1 limit $2)`, now.Add(-ages.Submissions)},
		{"ticks", `
			delete from job_ticks where (job, tick) in (
				select job, tick from job_ticks where tick < $1 limit $2)`, now.Add(-ages.Ticks)},
		{"read notices", `
			with old as (select id from notices where read_at < $1 limit $2 for update skip locked)
			delete from notices where id in (select id from old)`, now.Add(-ages.ReadNotices)},
		{"hidden posts that are deleted", `
			delete from hidden_posts where (user_id, post_id) in (
				select h.user_id, h.post_id from posts p join hidden_posts h on h.post_id = p.id
				where p.deleted_at < $1 limit $2)`, now.Add(-ages.Log - postMargin)},
		{"ranks of deleted posts", `
			delete from rankings where ctid in (
				select r.ctid from posts p join rankings r on r.post_id = p.id
				where p.deleted_at < $1 limit $2)`, now.Add(-ages.Log - postMargin)},
		{"deleted posts", `
			delete from posts where id in (
				select id from posts where deleted_at < $1 limit $2)`, now.Add(-ages.Log - postMargin)},
	} {
		if err := s.pruneChunks(ctx, job.query, job.before); err != nil {
			return fmt.Errorf("prune %s: %w", job.what, err)
		}
	}
	if err := s.pruneSessions(ctx, now); err != nil {
		return fmt.Errorf("prune sessions: %w", err)
	}
	if err := s.pruneNotices(ctx, now.Add(-ages.Notices)); err != nil {
		return fmt.Errorf("prune notices: %w", err)
	}
	return nil
}

func setAge(age *time.Duration, normal time.Duration) {
	if *age == 0 {
		*age = normal
	}
}

// pruneChunks runs a query that deletes up to so many rows until it finds fewer.
func (s *Store) pruneChunks(ctx context.Context, query string, before time.Time) error {
	for {
		tag, err := s.db.Pool.Exec(ctx, query, before, pruneChunk)
		if err != nil {
			return err
		}
		s.db.Reached(pointPruned)
		if tag.RowsAffected() < pruneChunk {
			return nil
		}
	}
}

func (s *Store) pruneSessions(ctx context.Context, now time.Time) error {
	const query = `
		delete from sessions where token_hash in (
			select token_hash from sessions
			where seen_at < $1 and not remember or seen_at < $2 limit $3)
		returning user_id, token_hash`
	for {
		var ended int
		err := s.write(ctx, func(tx *txn) error {
			err := tx.endSessions(ctx, query, now.Add(-sessionFor), now.Add(-rememberedFor), pruneChunk)
			ended = len(tx.Noted())
			return err
		})
		if err != nil || ended < pruneChunk {
			return err
		}
	}
}

// pruneNotices takes away notices from before a time, and notes whose unread ones
// went. What somebody holds just now is for the next time.
func (s *Store) pruneNotices(ctx context.Context, before time.Time) error {
	const query = `
		with old as (select id from notices where created_at < $1 limit $2 for update skip locked)
		delete from notices where id in (select id from old)
		returning user_id, read_at is not null`
	for {
		var gone int
		err := s.write(ctx, func(tx *txn) error {
			rows, err := tx.Query(ctx, query, before, pruneNoticesChunk)
			if err != nil {
				return err
			}
			var (
				unread []UserID
				user   UserID
				read   bool
			)
			tag, err := pgx.ForEachRow(rows, []any{&user, &read}, func() error {
				if !read {
					unread = append(unread, user)
				}
				return nil
			})
			gone = int(tag.RowsAffected())
			tx.noteNotified(unread)
			return err
		})
		if err != nil || gone < pruneNoticesChunk {
			return err
		}
	}
}
