// Package intake fetches the feeds of other sites that people import, and posts their new items.
// The queue in package timeline names the feeds that are due, and remembers their items. One fetch
// of a feed, with its consequences, is a look.
//
// The package trusts feeds no more than package fetch trusts servers: it bounds their size, their
// depth, the number of their items and the time for all, and keeps plain text. It spares their
// servers: its requests are conditional (ETag, Last-Modified), it waits while a
// document is fresh, a day at most, it fetches one feed of a host at a time, and it fetches a feed
// that fails ever less often.
//
// All state is in the queue, so a process may die at any point, and any other process continues its
// work.
package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"amstel.dev/amstel/internal/fetch"
	"amstel.dev/amstel/internal/workers"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

// Options are the settings of a Worker. A zero means the default.
type Options struct {
	URL     string // the public address of the site, which the fetched servers are told
	Workers int    // how many feeds are fetched at the same time; 2
	Log     *slog.Logger
	// Done is called with the outcome of each look: "new" for a feed with new items, "same" for
	// one without, "refused" for an address to which the server must not connect, or "failed". It
	// may be nil.
	Done func(outcome string)
	// Permit are addresses beside the public ones to which the worker may connect: of the
	// servers of tests.
	Permit []netip.AddrPort
}

// The outcomes of a look; see [Options].
const (
	outcomeNew     = "new"
	outcomeSame    = "same"
	outcomeRefused = "refused"
	outcomeFailed  = "failed"
)

// A Worker works off the queue of intakes. Many processes may have one each.
type Worker struct {
	store *timeline.Store
	opts  Options
	fetch *fetch.Client

	mu     sync.Mutex
	adding map[timeline.UserID]bool // the people for whom this process fetches a new feed now
}

// New returns a worker.
func New(store *timeline.Store, opts Options) *Worker {
	opts.Workers = cmp.Or(opts.Workers, 2)
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Done == nil {
		opts.Done = func(string) {}
	}
	return &Worker{
		store: store, opts: opts, fetch: fetch.New("feed import", opts.URL, opts.Permit), adding: make(map[timeline.UserID]bool),
	}
}

// The limits of a look.
const (
	leaseFor   = 5 * time.Minute  // how long a worker may look before another does
	feedWithin = 15 * time.Second // the time for one document, with all redirects
	mostFeed   = 4 << 20          // bytes of a document, decompressed
	atFirst    = 3                // items of a new feed that are posted
	atATime    = 5                // items that a later look posts
	tooOld     = 30 * 24 * time.Hour
	dateSlack  = 48 * time.Hour // by which the date of an item may precede its appearance
	mostTag    = 500            // the length of an ETag or a Last-Modified that is kept, in bytes
)

// The times between two looks: the usual one, if the feed does not ask for another, and the bounds
// of what it may ask for.
const (
	usual   = 30 * time.Minute
	soonest = 15 * time.Minute
	latest  = 24 * time.Hour
)

// givenUp is how long a feed may fail. Then it stops: it is not fetched until its owner resumes it.
const givenUp = 30 * 24 * time.Hour

// Run works off the queue until the context ends, and then gives back its unfinished intakes.
// Run looks at the queue when this process has made a feed due, when a look is over, and on each
// tick.
func (w *Worker) Run(ctx context.Context, tick <-chan time.Time) {
	bell, stop := w.store.ListenIntakes()
	defer stop()
	workers.Run(ctx, w.opts.Workers, bell, tick, func() func() {
		lease, err := w.store.TakeIntake(ctx, leaseFor)
		if err != nil && ctx.Err() == nil {
			w.opts.Log.Error("no intake was taken from the queue", "err", err)
		}
		if err != nil || lease == nil {
			return nil
		}
		return func() {
			if err := w.work(ctx, lease); err != nil && ctx.Err() == nil {
				w.opts.Log.Error("an intake was not worked at", "intake", lease.ID, "err", err)
			}
		}
	})
}

// Work takes one intake from the queue and fetches its feed. Work reports whether one was due.
func (w *Worker) Work(ctx context.Context) (more bool, err error) {
	lease, err := w.store.TakeIntake(ctx, leaseFor)
	if err != nil || lease == nil {
		return false, err
	}
	return true, w.work(ctx, lease)
}

// Add fetches the feed at an address that a person typed, adds it to their intakes into a place,
// posts its newest items, and returns its id. The address may be that of a web page that names its feed.
// The error is a [timeline.InvalidError] about the address if there is no feed, or while another feed
// of the person or too many feeds of other people are being added; or one of [timeline.Store.AddIntake].
func (w *Worker) Add(ctx context.Context, actor timeline.UserID, to, address string) (id int64, err error) {
	done, err := w.beginAdding(actor)
	if err != nil {
		return 0, err
	}
	defer done()
	address, found, err := w.discover(ctx, complete(address))
	if fault, is := errors.AsType[*timeline.IntakeFault](err); is {
		return 0, fault.Invalid()
	}
	if err != nil {
		return 0, err
	}
	lease, err := w.store.AddIntake(ctx, actor, timeline.NewIntake{To: to, Address: address, Feed: found.feed.IntakeDocument}, leaseFor)
	if err != nil {
		return 0, err
	}
	// The intake is added. If the rest fails, a later look makes up for it.
	if err := w.take(context.WithoutCancel(ctx), lease, found); err != nil {
		w.opts.Log.Error("a new intake was not worked at", "intake", lease.ID, "err", err)
	}
	return lease.ID, nil
}

// complete returns a typed address with a scheme, and without a fragment.
func complete(address string) string {
	address = strings.TrimSpace(address)
	if rest, is := strings.CutPrefix(address, "feed:"); is {
		address = strings.TrimPrefix(rest, "//")
	}
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	address, _, _ = strings.Cut(address, "#")
	return address
}

// discover fetches the feed at an address, or the feed that the page at the address names, and
// returns the address of the feed.
func (w *Worker) discover(ctx context.Context, address string) (string, *look, error) {
	for followed := false; ; followed = true {
		at, err := url.Parse(address)
		if err != nil || len(address) > mostAddress || !text.Valid(address) {
			return "", nil, &timeline.IntakeFault{Code: timeline.IntakeAddress}
		}
		found, err := w.look(ctx, fetch.Request{Address: at.String()})
		if err == nil {
			return cmp.Or(found.moved, at.String()), found, nil
		}
		if found == nil || found.named == "" || followed {
			return "", nil, err
		}
		address = found.named
	}
}

// A look is the result of a fetch of a feed.
type look struct {
	feed  *document     // nil: it has not changed
	moved string        // the address of the feed from now on; "": the same
	named string        // if there is a page in place of a feed: the address of the feed that the page names
	every time.Duration // until the next look
}

// look fetches a feed. Each error, except that of the context, is a [timeline.IntakeFault].
func (w *Worker) look(ctx context.Context, asked fetch.Request) (found *look, err error) {
	within, cancel := context.WithTimeout(ctx, feedWithin)
	defer cancel()
	asked.Accept = "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, text/html;q=0.5, */*;q=0.1"
	asked.Most = mostFeed + 1
	err = w.fetch.Get(within, asked, func(a *fetch.Answer) error {
		found = &look{every: fresh(a.Header)}
		if a.Moved != nil {
			found.moved = a.Moved.String()
		}
		if a.Status == http.StatusNotModified {
			return nil
		}
		data, err := io.ReadAll(a.Body)
		if err != nil {
			return err
		}
		if len(data) > mostFeed {
			return &timeline.IntakeFault{Code: timeline.IntakeLarge, Detail: "more than 4 MiB"}
		}
		given := a.Header.Get("Content-Type")
		if found.feed, err = parse(a.At, given, data); err != nil {
			found.named = namedFeed(a.At, given, data)
			return err
		}
		found.every = max(found.every, found.feed.every)
		if tag := a.Header.Get("ETag"); len(tag) <= mostTag && text.Valid(tag) {
			found.feed.ETag = tag
		}
		if modified := a.Header.Get("Last-Modified"); len(modified) <= mostTag && text.Valid(modified) {
			found.feed.Modified = modified
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return found, faultOf(err)
	}
	if found.every == 0 {
		found.every = usual
	}
	found.every = jitter(min(max(found.every, soonest), latest))
	return found, nil
}

// fresh returns how long a document stays fresh by its header (RFC 9111, 5.2.2.1); 0 if the header
// does not say.
func fresh(h http.Header) time.Duration {
	for part := range strings.SplitSeq(h.Get("Cache-Control"), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if seconds, err := strconv.ParseUint(strings.Trim(value, `"`), 10, 31); err == nil && strings.EqualFold(name, "max-age") {
			return time.Duration(seconds) * time.Second
		}
	}
	return 0
}

// jitter returns a time up to a tenth longer, so that feeds that were added together are not
// fetched together for ever.
func jitter(d time.Duration) time.Duration { return d + rand.N(d/10+1) }

// A stated is a fault with the time after which the server allows another try.
type stated struct {
	*timeline.IntakeFault
	after time.Duration
}

func (e *stated) Unwrap() error { return e.IntakeFault }

// faultOf returns the fault of a fetch.
func faultOf(err error) error {
	if _, is := errors.AsType[*timeline.IntakeFault](err); is {
		return err
	}
	if status, is := errors.AsType[*fetch.StatusError](err); is {
		if status.Code == http.StatusGone {
			return &timeline.IntakeFault{Code: timeline.IntakeGone}
		}
		return &stated{&timeline.IntakeFault{Code: timeline.IntakeStatus, Detail: text.OneLine(status.Status, 100)}, status.After}
	}
	fault := &timeline.IntakeFault{Code: timeline.IntakeAway}
	if errors.Is(err, fetch.ErrRefused) {
		fault.Code = timeline.IntakeAddress
	}
	return fmt.Errorf("%w: %w", fault, err) // the log has the cause
}

// work fetches the feed of an intake, and posts its new items.
func (w *Worker) work(ctx context.Context, l *timeline.IntakeLease) error {
	found, err := w.look(ctx, fetch.Request{Address: l.Address, ETag: l.ETag, Modified: l.Modified})
	if err == nil {
		err = w.take(ctx, l, found)
	}
	fault, is := errors.AsType[*timeline.IntakeFault](err)
	switch {
	case err == nil, errors.Is(err, timeline.ErrLeaseLost):
		return nil
	case ctx.Err() != nil:
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return errors.Join(err, w.store.PostponeIntake(ending, *l, 0))
	case errors.Is(err, timeline.ErrUnauthorized): // suspended since the intake was taken
		return w.store.PostponeIntake(ctx, *l, usual)
	case !is:
		return errors.Join(err, w.store.PostponeIntake(ctx, *l, usual))
	}
	// An administrator can do nothing about the feed of a stranger, so the level is debug.
	w.opts.Log.Debug("a feed failed", "intake", l.ID, "failures", l.Failures+1, "err", err)
	if fault.Code == timeline.IntakeAddress {
		w.opts.Done(outcomeRefused)
	} else {
		w.opts.Done(outcomeFailed)
	}
	wait := backoff(l.Failures)
	if said, is := errors.AsType[*stated](err); is {
		wait = max(wait, min(said.after, 2*latest))
	}
	stop := fault.Code == timeline.IntakeGone || fault.Code == timeline.IntakeRights ||
		l.FailingSince != nil && w.store.Primary().Now().Sub(*l.FailingSince) > givenUp
	err = w.store.FailIntake(ctx, *l, *fault, wait, stop)
	if errors.Is(err, timeline.ErrLeaseLost) {
		return nil
	}
	return err
}

// backoff returns the time until the next look at a feed that has failed so many times before:
// a quarter of an hour, and each time twice as long, up to a day.
func backoff(failures int) time.Duration {
	return jitter(min(soonest<<min(failures, 10), latest))
}

// take posts the new items of a feed, and ends the look.
func (w *Worker) take(ctx context.Context, l *timeline.IntakeLease, found *look) error {
	if found.feed == nil {
		w.opts.Done(outcomeSame)
		return w.store.FinishIntake(ctx, *l, nil, nil, found.moved, found.every)
	}
	feed := found.feed.IntakeDocument
	fresh, room, err := w.store.NewItems(ctx, *l, feed.Items)
	if err != nil {
		return err
	}
	post, later := choose(l, feed.Items, fresh, room, w.store.Primary().Now())
	for _, item := range slices.Backward(post) { // the oldest first
		err := w.store.PostItem(ctx, *l, feed.Title, item)
		if why, is := errors.AsType[*timeline.InvalidError](err); is {
			w.opts.Log.Warn("an item of a feed can't be posted", "intake", l.ID, "err", err)
			err = w.store.SkipItem(ctx, *l, item, why)
		}
		if err != nil {
			return err
		}
	}
	known := feed.Items
	if len(later) > 0 {
		known = slices.DeleteFunc(slices.Clone(feed.Items), func(i timeline.IntakeItem) bool {
			return slices.ContainsFunc(later, func(other timeline.IntakeItem) bool { return other.Key == i.Key })
		})
		feed.ETag, feed.Modified, found.every = "", "", jitter(soonest) // the same document has more to post
	}
	if err := w.store.FinishIntake(ctx, *l, &feed, known, found.moved, found.every); err != nil {
		return err
	}
	if len(post) > 0 {
		w.opts.Done(outcomeNew)
	} else {
		w.opts.Done(outcomeSame)
	}
	return nil
}

// choose returns the new items to post now, and those to post at later looks; the others are only
// remembered. Of a new feed the newest items are posted; of a feed that comes from an export none
// of the first document, because the export has their posts. Later looks post only items that are
// not older than the intake, nor than a month, so that a site that gives all its items new ids does
// not flood the readers.
//
// For example, of seven new items that are all young enough, the oldest five are posted now, and the
// other two later.
func choose(l *timeline.IntakeLease, all, fresh []timeline.IntakeItem, room int, now time.Time) (post, later []timeline.IntakeItem) {
	if l.Quiet {
		return nil, nil
	}
	if l.First {
		for _, i := range all[:min(len(all), atFirst)] {
			if len(post) < room && slices.ContainsFunc(fresh, func(f timeline.IntakeItem) bool { return f.Key == i.Key }) {
				post = append(post, i)
			}
		}
		return post, nil
	}
	oldest := l.CreatedAt.Add(-dateSlack)
	if since := now.Add(-tooOld); since.After(oldest) {
		oldest = since
	}
	for _, i := range fresh {
		if i.At.IsZero() || !i.At.Before(oldest) {
			post = append(post, i)
		}
	}
	more := len(post) - min(len(post), atATime, room)
	return post[more:], post[:more]
}
