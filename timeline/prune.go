package timeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// Ages say how long rows stay that are not needed for ever. Zero means the default, which the
// comments give.
type Ages struct {
	Log         time.Duration // rows of the change log; a day
	Submissions time.Duration // the uuids of clients, with the posts and comments made under them; a week
	Ticks       time.Duration // the ticks for which periodic jobs have run; thirty days
	ReadNotices time.Duration // notices, after they were read; ninety days
	Notices     time.Duration // notices, read or not; a year
}

// countsKept is how long the counts of requests of an hour stay after the end of the hour. It is
// longer than the clocks of two nodes may differ.
const countsKept = time.Hour

// mailsKept is how long the rows of mails stay after the mails were sent or given up.
const mailsKept = 30 * 24 * time.Hour

// pruneChunk is how many rows one transaction deletes; it keeps transactions short.
const pruneChunk = 5000

// pruneNoticesChunk is pruneChunk for notices. It is smaller, because the transaction notes a
// change for each person with an unread notice in the chunk, and all nodes follow the changes.
const pruneNoticesChunk = 500

// previewMargin is how long an unused preview stays after the time in which new posts may share
// it.
const previewMargin = time.Hour

// postMargin is how much longer than rows of the log the row of a deleted post stays, so that a
// node that reads an old row of the log still finds the post.
const postMargin = time.Hour

// PrunePrimary deletes rows that are not needed any more: old rows of the log, expired sessions,
// tokens, links, used challenges and share drafts, mails that were sent or given up, pushes, applicants, old counts of tries and of requests, exports, submissions,
// attachments in no post, previews without posts, ticks, times of visits, notices, and the rows of
// deleted posts. It notes the end of each deleted session, and a change of the notices of each
// person with a deleted unread notice.
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
		// The newest row stays, because nodes recognise the log by the nonce of that row. A higher
		// position may have an earlier time; deletion stops before the first row that is young, so
		// that the rest of the log has no gap.
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
		{"used challenges", `
			delete from used_challenges where hash in (
				select hash from used_challenges where expires_at < $1 limit $2)`, now.Add(-usedChallengesKept)},
		{"links that confirm addresses", `
			delete from email_links where token_hash in (
				select token_hash from email_links where expires_at < $1 limit $2)`, now},
		{"mails", `
			delete from mails where id in (
				select id from mails where ended_at < $1 limit $2)`, now.Add(-mailsKept)},
		// On a site that sends no pushes any more.
		{"pushes", `
			delete from pushes where id in (
				select id from pushes where created_at < $1 limit $2 for update skip locked)`, now.Add(-2 * pushFor)},
		{"throttles", `
			delete from throttles where key in (
				select key from throttles where until < $1 limit $2 for update skip locked)`, now},
		// The deletion is not logged, because an expired token has opened nothing for some time.
		{"expired tokens", `
			delete from api_tokens where id in (
				select id from api_tokens where expires_at < $1 limit $2)`, now.Add(-tokenKept)},
		{"counts of requests", `
			delete from request_counts where (key, hour) in (
				select key, hour from request_counts
				where hour < floor(extract(epoch from $1::timestamptz) / 3600) limit $2 for update skip locked)`, now.Add(-countsKept)},
		{"share drafts", `
			delete from share_drafts where secret_hash in (
				select secret_hash from share_drafts where expires_at < $1 limit $2)`, now},
		{"exports", `
			delete from exports where id in (
				select id from exports where state <> 'queued' and due_at < $1 limit $2)`, now},
		{"submissions", `
			delete from submissions where (user_id, uuid) in (
				select user_id, uuid from submissions where created_at < $1 limit $2)`, now.Add(-ages.Submissions)},
		{"attachments that were left", `
			delete from attachments where id in (
				select id from attachments
				where state <> 'queued' and post_id is null and comment_id is null and due_at < $1
				limit $2 for update skip locked)`, now},
		{"previews that no post has", `
			delete from previews where id in (
				select id from previews v
				where due_at < $1 and not exists (select from posts where preview_id = v.id)
				limit $2 for update skip locked)`, now.Add(-previewMargin)},
		{"ticks", `
			delete from job_ticks where (job, tick) in (
				select job, tick from job_ticks where tick < $1 limit $2)`, now.Add(-ages.Ticks)},
		// Weeks are counted from Monday, January 5, 1970. If the site's setting "ready" is off, no
		// times of visits are kept.
		{"times of visits", `
			delete from visit_times where (user_id, week) in (
				select user_id, week from visit_times
				where week < floor((extract(epoch from $1::timestamptz) - 345600) / 604800)
					or not (select coalesce((value->>'ready')::boolean, true) from site_settings)
				limit $2)`, now.Add(-VisitWeeks * 7 * 24 * time.Hour)},
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
	if err := s.write(ctx, func(tx *txn) error { return tx.pruneApplicants(ctx, now) }); err != nil {
		return err
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

// pruneChunks runs a query that deletes up to pruneChunk rows, until the query deletes fewer.
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

// pruneNotices deletes notices from before a time, and notes a change of the notices of each person
// with an unread one among them. It leaves rows that another transaction has locked for the next
// run.
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
