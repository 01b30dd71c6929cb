package timeline

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/point"
)

// A Store reads and writes the primary. It is for use by many goroutines.
type Store struct {
	pool  primary
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
		pool:  primary{pool},
		clock: opts.Now,
		vault: newVault(opts.Argon),
		bells: bells{all: make(map[chan struct{}]struct{})},
		work:  bells{all: make(map[chan struct{}]struct{})},
	}
}

// Pool is the connections that the store works with.
func (s *Store) Pool() *pgxpool.Pool { return s.pool.Pool }

// now is the moment in whole milliseconds, as the primary keeps times.
func (s *Store) now() time.Time { return s.clock().UTC().Truncate(time.Millisecond) }

// Listen returns a bell that is rung after each write of this store that
// changed something, and a function that takes it down. Rings that nobody has
// heard yet are one, so a ring says "look", not how often.
func (s *Store) Listen() (bell <-chan struct{}, stop func()) { return s.bells.hang() }

// Sequence gives every change that was committed before the call its position
// in the log, whoever wrote it, and answers the highest position.
func (s *Store) Sequence(ctx context.Context) (head int64, err error) {
	const query = `select sequence_changes()`
	for {
		if err := s.pool.QueryRow(ctx, query).Scan(&head); err != nil {
			return 0, err
		}
		point.Reached("timeline: sequenced")
		// A call that moved nothing found nothing left.
		if s.head.Swap(head) == head {
			return head, nil
		}
	}
}

// bells are the channels of those who listen.
type bells struct {
	mu  sync.Mutex
	all map[chan struct{}]struct{}
}

func (b *bells) hang() (<-chan struct{}, func()) {
	bell := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all[bell] = struct{}{}
	return bell, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.all, bell)
	}
}

func (b *bells) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for bell := range b.all {
		select {
		case bell <- struct{}{}:
		default: // it rings already
		}
	}
}
