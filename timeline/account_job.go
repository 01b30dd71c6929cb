package timeline

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// ListenAccountJobs returns a channel that receives each time this store adds a job for
// [Store.RunAccountJob], and a function that stops the listening.
func (s *Store) ListenAccountJobs() (bell <-chan struct{}, stop func()) { return s.jobBell.add() }

// RunAccountJob works off a chunk of a job: it erases rows that a deleted account has left in the primary, or withholds
// rows of a suspended account, or shows them again after the suspension. RunAccountJob reports whether it found a job, so
// that another call may find more to do. Each chunk is one transaction with at most a hundred posts. Any process may work
// off the next chunk, and several may run at once: each locks another job.
func (s *Store) RunAccountJob(ctx context.Context) (more bool, err error) {
	defer primary.Wrap(&err, "run a job of an account")
	err = s.write(ctx, func(tx *txn) error {
		more, err = s.runAccountJob(ctx, tx)
		return err
	})
	if err != nil {
		return false, err
	}
	s.db.Reached(pointJobCommitted)
	return more, nil
}

// FinishSuspensions works off the jobs of suspended accounts, and waits for those at which another process or goroutine
// works, until nothing is left to withhold or to show again, or until the context ends.
func FinishSuspensions(ctx context.Context, s *Store) (err error) {
	defer primary.Wrap(&err, "finish suspensions")
	const working = `select exists (select from suspension_jobs where empty_at is null)`
	for {
		var left bool
		if err := s.db.Pool.QueryRow(ctx, working).Scan(&left); err != nil || !left {
			return err
		}
		if more, err := s.RunAccountJob(ctx); err != nil {
			return err
		} else if more {
			continue
		}
		select {
		case <-time.After(finishPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// finishPause is the time between two looks at a job at which another worker works.
const finishPause = 10 * time.Millisecond

// jobTables are the tables of jobs, each of one kind: for suspended accounts, whose rows pages still show, and for deleted
// ones.
var jobTables = []string{"suspension_jobs", "jobs"}

// runAccountJob works off a chunk of a job of any kind.
func (s *Store) runAccountJob(ctx context.Context, tx *txn) (more bool, err error) {
	for i, chunk := range []func(context.Context, *txn, *accountJob) (bool, error){s.withholdChunk, s.eraseChunk} {
		if more, err = s.runJobOf(ctx, tx, jobTables[i], chunk); more || err != nil {
			return more, err
		}
	}
	return false, nil
}

// runJobOf works off a chunk of a job of a table.
func (s *Store) runJobOf(ctx context.Context, tx *txn, table string, chunk func(context.Context, *txn, *accountJob) (bool, error)) (more bool, err error) {
	// The person may have begun a write before the account was deleted or suspended, and the write may be
	// committed after everything else was worked off. So a job that finds nothing left stays, and notes
	// the time (empty_at). When every transaction that ran at that time has ended, the job looks
	// again from its first step, and is deleted if there is still nothing left.
	query := `
		select id, user_id, step, upto, empty_at is not null from ` + table + ` j
		where empty_at is null or not exists (
			select from pg_stat_activity a
			where a.datname = current_database() and a.backend_type = 'client backend' and a.xact_start < j.empty_at)
		order by id limit 1 for update skip locked`
	on := `update ` + table + ` set step = $2, upto = $3 where id = $1`
	empty := `update ` + table + ` set step = 0, upto = 0, empty_at = clock_timestamp() where id = $1`
	finish := `delete from ` + table + ` where id = $1`
	var j accountJob
	err = tx.QueryRow(ctx, query).Scan(&j.id, &j.user, &j.step, &j.upto, &j.settled)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	some, err := chunk(ctx, tx, &j)
	s.db.Reached(pointJobWritten)
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

// An accountJob is the work that is left for one deleted or suspended account. step and upto only say where to
// look next: all steps run once more before the job is deleted.
type accountJob struct {
	id      int64
	user    UserID
	step    int
	upto    PostID // the posts of a deleted account up to this id are deleted
	settled bool   // the last look found nothing left, and all transactions that ran then have ended
}
