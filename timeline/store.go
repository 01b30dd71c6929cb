package timeline

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A Store reads and writes the primary. Many goroutines may use it at once.
type Store struct {
	db          *primary.DB
	vault       *vault
	bells       bells
	jobBell     bells                  // rung when there is something for RunAccountJob
	uploadBell  bells                  // rung when there is something for TakeAttachment
	previewBell bells                  // rung when there is something for TakePreview
	exportBell  bells                  // rung when there is something for TakeExport
	intakeBell  bells                  // rung when there may be something for TakeIntake
	mailBell    bells                  // rung when there is something for TakeMail
	mails       bool                   // the site sends mail
	url         string                 // the public address of the site
	passkeys    *webauthn.WebAuthn     // nil: the public address allows none
	challenges  atomic.Pointer[[]byte] // the key that signs challenges; nil: not read yet
	head        atomic.Int64           // the highest position of the log that Sequence has found
	source      Source                 // nil: rivers come from the timelines
}

// Options are the settings of a Store; the zero value is right for a server.
type Options struct {
	Now    func() time.Time // nil: the clock of the machine
	Argon  *argon2id.Params // the cost of password hashes; nil: 19 MiB, two iterations
	URL    string           // the public address of the site: links to it have no preview, and passkeys are for it
	Mails  bool             // the site sends mail; otherwise no mails are queued
	Source Source           // finds posts in inboxes; nil: all rivers come from the timelines
	// Reached is called with the name of each point that the store's work reaches; a test can
	// kill the process at the point. Reached may be nil.
	Reached func(point string)
}

// New returns a store over the pool, which the caller closes.
func New(pool *pgxpool.Pool, opts Options) *Store {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Reached == nil {
		opts.Reached = func(string) {}
	}
	s := &Store{
		vault:       newVault(opts.Argon),
		bells:       bells{all: make(map[chan struct{}]struct{})},
		jobBell:     bells{all: make(map[chan struct{}]struct{})},
		uploadBell:  bells{all: make(map[chan struct{}]struct{})},
		previewBell: bells{all: make(map[chan struct{}]struct{})},
		exportBell:  bells{all: make(map[chan struct{}]struct{})},
		intakeBell:  bells{all: make(map[chan struct{}]struct{})},
		mailBell:    bells{all: make(map[chan struct{}]struct{})},
		mails:       opts.Mails,
		url:         opts.URL,
		passkeys:    newPasskeySite(opts.URL),
		source:      opts.Source,
	}
	s.db = &primary.DB{Pool: pool, Clock: opts.Now, Reached: opts.Reached, Committed: s.committed}
	written := unready
	if opts.Source != nil {
		written = opts.Source.Written
	}
	s.db.Logging = func(changes []primary.Change, b *pgx.Batch) func(context.Context, primary.Querier) error {
		return written(ownChanges(changes), b)
	}
	return s
}

// The points at which [Options.Reached] is called, besides [primary.PointCommitted] and the points
// of package ranking. A process that dies at one of them leaves something half done.
const (
	pointClaimed      = "timeline: claimed"       // this process has claimed a periodic job
	pointJobDone      = "timeline: job done"      // the periodic job is done
	pointSequenced    = "timeline: sequenced"     // changes have got their positions in the log
	pointPruned       = "timeline: pruned"        // a chunk of old rows is deleted
	pointJobWritten   = "timeline: job written"   // a chunk of a job of an account is written, but not committed
	pointJobCommitted = "timeline: job committed" // the chunk is committed
	pointItemPosted   = "timeline: item posted"   // an item of an intake is a post, but its worker has not finished
)

// Pool returns the pool of connections that the store works with.
func (s *Store) Pool() *pgxpool.Pool { return s.db.Pool }

// Primary returns the database with which the packages under timeline read and write.
func (s *Store) Primary() *primary.DB { return s.db }

// ownChanges returns the changes of a transaction in this package's type. Package primary, which
// collects them, can't import this package and knows only an interface.
func ownChanges(changes []primary.Change) []Change {
	own := make([]Change, 0, len(changes))
	for _, c := range changes {
		if c, ok := c.(Change); ok {
			own = append(own, c)
		}
	}
	return own
}

// A txn is a writing transaction. Each file that has statements adds methods to it.
type txn struct{ *primary.Tx }

// write is [primary.DB.Write] for functions that use the methods of txn.
func (s *Store) write(ctx context.Context, f func(*txn) error) error {
	return s.db.Write(ctx, func(tx *primary.Tx) error { return f(&txn{tx}) })
}

// committed adds the changes of a transaction to the effect in its context. Without an effect, it rings the bells
// if there were changes.
func (s *Store) committed(ctx context.Context, tx *primary.Tx) {
	changed := len(tx.Noted()) > 0
	if e, ok := ctx.Value(effectKey{}).(*Effect); ok {
		e.Changed = e.Changed || changed
		e.Revoked = e.Revoked || tx.Revoked()
		return
	}
	if changed {
		s.bells.ring()
	}
}

// Secret returns the secret that the site keeps under a key. All nodes share the secrets, which
// migrations make at random.
func (s *Store) Secret(ctx context.Context, key string) (value []byte, err error) {
	defer primary.Wrap(&err, "secret %s", key)
	const query = `select value from site where key = $1`
	if err := s.db.Pool.QueryRow(ctx, query, key).Scan(&value); err != nil {
		return nil, err
	}
	return value, nil
}

// RunOnce runs f, the work of a periodic job, unless a process has claimed the job for this tick
// already, and reports whether f ran. A tick is a time at which the job is due. If f fails, the
// tick is free for another try; if the process dies, the job runs at the next tick.
func (s *Store) RunOnce(ctx context.Context, job string, tick time.Time, f func(context.Context) error) (ran bool, err error) {
	defer primary.Wrap(&err, "job %s at %s", job, tick)
	const claim = `insert into job_ticks (job, tick) values ($1, $2) on conflict do nothing`
	const giveBack = `delete from job_ticks where job = $1 and tick = $2`
	tag, err := s.db.Pool.Exec(ctx, claim, job, tick)
	if err != nil {
		return false, err
	}
	if tag.RowsAffected() == 0 {
		return false, nil
	}
	s.db.Reached(pointClaimed)
	if err := f(ctx); err != nil {
		// ctx may have ended, and may be the reason why f failed.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_, undone := s.db.Pool.Exec(ending, giveBack, job, tick)
		return true, errors.Join(err, undone)
	}
	s.db.Reached(pointJobDone)
	return true, nil
}
