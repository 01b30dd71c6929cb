// Package mail sends the mails that the store has queued: it writes each in the language of its reader at the moment when it
// is sent, and passes it to a transport, which is an SMTP server or a folder.
//
// A row of the queue has neither text nor secrets. So a mail shows nothing that its reader may not see any more, and the
// secret of a link exists only as a hash. A process may die at any point: when its lease is over, another one sends the
// mail. A mail that was passed on before the process died is sent again, with the same Message-ID, by which mail
// programs recognise the second copy; a folder has it once.
package mail

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/internal/workers"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// Options are the settings of a Worker. A zero means the default.
type Options struct {
	URL      string             // the public address of the site, without a slash at its end
	Language catalogue.Language // for people who chose none
	Workers  int                // how many mails are sent at the same time; 2
	Log      *slog.Logger       // nil: nothing is logged
	Now      func() time.Time   // nil: the clock of the machine
	// Notices returns notices in words, in the language of their reader.
	Notices func(words catalogue.Language, p *timeline.NoticePage) []Notice
	// Done is called with the outcome of each mail: "sent", "later" for a mail that is tried again, "failed" for one
	// that was given up, or "dropped" for one that must not be sent any more. It may be nil.
	Done func(outcome string)
	// Reached is called with the name of each point that the work reaches, so that a test can kill the process there. It
	// may be nil.
	Reached func(point string)
}

// The points at which [Options.Reached] is called. At each of them a process that dies leaves a mail half done.
const (
	pointTaken = "mail: taken" // a worker has taken a mail from the queue
	pointSent  = "mail: sent"  // the transport has the mail, and the queue does not say so
	pointNoted = "mail: noted" // the queue says that the mail is sent
)

// The outcomes of a mail; see [Options].
const (
	outcomeSent    = "sent"
	outcomeLater   = "later"
	outcomeFailed  = "failed"
	outcomeDropped = "dropped"
)

const (
	leaseFor   = 5 * time.Minute // how long a worker may take for a mail before another does
	sendWithin = time.Minute     // the time for one mail to be passed on
	noteWithin = 5 * time.Second // the time for the note of what became of a mail
	firstWait  = time.Minute     // until the second try
	longestGap = 4 * time.Hour   // between two tries
	givenUp    = 48 * time.Hour  // after the mail was queued, it is not tried again
	// A person who waits for a link asks again after some time, and an old link in a late mail would surprise them.
	linkGivenUp = 2 * time.Hour
	lookEvery   = 20 * time.Second // the time between two looks for mails about notices
	lookedAt    = 100              // how many people are looked at in one transaction
)

// A Worker works off the queue of mails. Many processes may have one each.
type Worker struct {
	store     *timeline.Store
	transport Transport
	opts      Options
	looked    atomic.Int64 // when this worker last looked for mails about notices, in nanoseconds since 1970
}

// New returns a worker.
func New(store *timeline.Store, transport Transport, opts Options) *Worker {
	opts.Workers = cmp.Or(opts.Workers, 2)
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Done == nil {
		opts.Done = func(string) {}
	}
	if opts.Reached == nil {
		opts.Reached = func(string) {}
	}
	return &Worker{store: store, transport: transport, opts: opts}
}

// Run works off the queue until the context ends. It looks at the queue when this process has queued a mail, when a mail
// is done, and on each tick for the mails of other processes and those that are tried again.
func (w *Worker) Run(ctx context.Context, tick <-chan time.Time) {
	bell, stop := w.store.ListenMails()
	defer stop()
	workers.Run(ctx, w.opts.Workers, bell, tick, func() func() {
		w.queueNotices(ctx)
		lease, err := w.store.TakeMail(ctx, leaseFor)
		if err != nil && ctx.Err() == nil {
			w.opts.Log.Error("no mail was taken from the queue", "err", err)
		}
		if err != nil || lease == nil {
			return nil
		}
		return func() {
			// A mail that is under way when the process stops is passed on.
			if err := w.send(context.WithoutCancel(ctx), *lease); err != nil {
				w.opts.Log.Error("a mail was not sent", "mail", lease.ID, "kind", lease.Kind, "take", lease.Take, "err", err)
			}
		}
	})
}

// queueNotices queues the mails about notices that are due, at most once in a while.
func (w *Worker) queueNotices(ctx context.Context) {
	now := w.opts.Now()
	if last := w.looked.Load(); now.UnixNano()-last < int64(lookEvery) || !w.looked.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	for more := true; more; {
		var err error
		if more, err = w.store.QueueNoticeMails(ctx, lookedAt); err != nil {
			if ctx.Err() == nil {
				w.opts.Log.Error("mails about notices are left for later", "err", err)
			}
			return
		}
	}
}

// Work takes one mail from the queue and sends it. It reports whether one was due.
func (w *Worker) Work(ctx context.Context) (more bool, err error) {
	lease, err := w.store.TakeMail(ctx, leaseFor)
	if err != nil || lease == nil {
		return false, err
	}
	return true, w.send(ctx, *lease)
}

// send writes a mail, passes it to the transport, and notes the outcome.
func (w *Worker) send(ctx context.Context, lease timeline.MailLease) error {
	w.opts.Reached(pointTaken)
	sending, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	letter, upto, err := w.write(sending, lease)
	if err == nil {
		err = w.pass(sending, lease, letter)
	}
	// The time for the mail may be over. A mail that was passed on and not noted would be sent twice.
	noting, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin)
	defer cancel()
	switch {
	case errors.Is(err, errNoLetter):
		w.opts.Done(outcomeDropped)
		return w.store.DropMail(noting, lease)
	case err != nil:
		return w.postpone(noting, lease, err)
	}
	w.opts.Reached(pointSent)
	w.opts.Done(outcomeSent)
	err = w.store.FinishMail(noting, lease, upto)
	w.opts.Reached(pointNoted)
	return err
}

// postpone notes that a mail was not sent, and when it is tried again.
func (w *Worker) postpone(ctx context.Context, lease timeline.MailLease, why error) error {
	last := givenUp
	if lease.Kind == timeline.MailSignIn {
		last = linkGivenUp
	}
	wait := min(firstWait<<min(2*(lease.Take-1), 16), longestGap) // 1, 4, 16 minutes, and so on
	refused, is := errors.AsType[*RefusedError](why)
	giveUp := is && refused.ForGood || w.opts.Now().Add(wait).Sub(lease.CreatedAt) > last
	outcome := outcomeLater
	if giveUp {
		outcome = outcomeFailed
	}
	w.opts.Done(outcome)
	if is && refused.NoMailbox {
		if err := w.store.NoteUndeliverable(ctx, lease); err != nil {
			why = errors.Join(why, err)
		}
	}
	return errors.Join(why, w.store.FailMail(ctx, lease, why.Error(), wait, giveUp))
}
