package timeline

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/point"
)

// A Store reads and writes the primary. It is for use by many goroutines.
type Store struct {
	pool  *pgxpool.Pool
	clock func() time.Time
	vault *vault
	bells bells
	work  bells        // rung when there is something for WorkOff
	head  atomic.Int64 // of the log, as Sequence last found it
}

// Options are what a Store can be told; the zero value is right for a server.
type Options struct {
	Now   func() time.Time // nil: the clock on the wall
	Argon *argon2id.Params // what a password costs; nil: 64 MiB
}

// New makes a store over the pool, which stays the caller's to close.
func New(pool *pgxpool.Pool, opts Options) *Store {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Store{
		pool:  pool,
		clock: opts.Now,
		vault: newVault(opts.Argon),
		bells: bells{all: make(map[chan struct{}]struct{})},
		work:  bells{all: make(map[chan struct{}]struct{})},
	}
}

// Pool is the connections that the store works with.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// now is the moment in whole milliseconds, as the primary keeps times.
func (s *Store) now() time.Time { return s.clock().UTC().Truncate(time.Millisecond) }

// Secret reads a secret of the site, which all nodes share.
func (s *Store) Secret(ctx context.Context, key string) (value []byte, err error) {
	defer wrap(&err, "secret %s", key)
	const query = `select value from site where key = $1`
	if err := s.pool.QueryRow(ctx, query, key).Scan(&value); err != nil {
		return nil, err
	}
	return value, nil
}

// RunOnce runs a periodic job, unless any node ran it for that tick, and says
// whether it did. A job that fails is given back, for another try at the same
// tick; one whose process dies is not, and runs at the next.
func (s *Store) RunOnce(ctx context.Context, job string, tick time.Time, f func(context.Context) error) (ran bool, err error) {
	defer wrap(&err, "job %s at %s", job, tick)
	const claim = `insert into job_ticks (job, tick) values ($1, $2) on conflict do nothing`
	const giveBack = `delete from job_ticks where job = $1 and tick = $2`
	tag, err := s.pool.Exec(ctx, claim, job, tick)
	if err != nil {
		return false, err
	}
	if tag.RowsAffected() == 0 {
		return false, nil
	}
	point.Reached("timeline: claimed")
	if err := f(ctx); err != nil {
		// The context may be what ended the job.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_, undone := s.pool.Exec(ending, giveBack, job, tick)
		return true, errors.Join(err, undone)
	}
	point.Reached("timeline: job done")
	return true, nil
}
