package models

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// play does the acts of a plan when they are due, as many at once as there are sessions, and returns
// them in the order in which they ended. When the context until ends, no further act begins. The time
// that an act took counts from when it was due, so it includes the wait for a free session.
func (l *laboratory) play(ctx, until context.Context, plan []act, node func() *river.Node) (all []done, err error) {
	var mu sync.Mutex
	begun := time.Now()
	due := make(chan act)
	var sessions sync.WaitGroup
	for range max(1, l.Sessions) {
		sessions.Go(func() {
			for a := range due {
				err := l.do(ctx, a, node())
				at := time.Since(begun)
				mu.Lock()
				all = append(all, done{do: a.do, at: at, took: at - a.due, err: err})
				mu.Unlock()
			}
		})
	}
	for _, a := range plan {
		if pause(until, a.due-time.Since(begun)) != nil {
			break
		}
		due <- a
	}
	close(due)
	sessions.Wait()
	return all, context.Cause(ctx)
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// do does one act. A refusal is not an error, because acts of different sessions may overtake each other:
// an unfollow may come before its follow, for example.
func (l *laboratory) do(ctx context.Context, a act, node *river.Node) (err error) {
	who := l.people.People[a.who]
	switch a.do {
	case doFollow:
		_, err = l.store.Subscribe(ctx, who.ID, timeline.FeedName{Name: l.people.People[a.whom].Name}, timeline.SubscribeOptions{})
	case doUnfollow:
		err = l.store.Unsubscribe(ctx, who.ID, timeline.FeedName{Name: l.people.People[a.whom].Name})
	case doRead:
		err = visit(ctx, node, who.ID, river.At{})
	case doScroll:
		err = visit(ctx, node, who.ID, river.At{Skip: 25 * a.page})
	case doSend:
		_, err = l.store.CreatePost(ctx, who.ID, newPost(int(a.due.Milliseconds())))
	}
	for _, refusal := range []error{timeline.ErrNotFound, timeline.ErrForbidden, timeline.ErrConflict, timeline.ErrTaken} {
		if errors.Is(err, refusal) {
			return nil
		}
	}
	return err
}

// whileWorking calls do, and meanwhile does the work of inboxes in the background, as a server does.
func (l *laboratory) whileWorking(ctx context.Context, do func() error) error {
	working, end := context.WithCancel(ctx)
	var worker sync.WaitGroup
	worker.Go(func() { l.inboxes.Run(report.ByBench(working), slog.New(slog.DiscardHandler), l.store, l.choiceOf) })
	err := do()
	end()
	worker.Wait()
	return err
}

// life measures the mixed life: sessions follow, unfollow, read, scroll and send.
func (l *laboratory) life(ctx context.Context) error {
	plan := planLife(l.Seed, l.people, l.Mix, l.Rate, l.Seconds)
	if len(plan) == 0 {
		return nil
	}
	return l.whileWorking(ctx, func() error {
		return l.onEmptyNode(ctx, l.store, func(node *river.Node) error {
			all, err := l.play(ctx, ctx, plan, func() *river.Node { return node })
			if err = errors.Join(err, failures(all)); err != nil {
				return err
			}
			by := make(map[string]report.Times)
			for _, d := range all {
				by[d.do] = append(by[d.do], d.took)
			}
			for _, name := range acts {
				s := spread(by[name])
				l.result.Life = append(l.result.Life, Op{name, s.N, s.P50, s.P99})
			}
			l.result.Rate = report.Ratio(float64(len(all)), all[len(all)-1].at.Seconds())
			l.result.FirstVisits = node.Stats().Living[river.KindHome]
			return nil
		})
	})
}

// failures returns an error if any act failed.
func failures(all []done) error {
	n := 0
	var first error
	for _, d := range all {
		if d.err != nil {
			if n++; first == nil {
				first = d.err
			}
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d acts failed; the first: %w", n, len(all), first)
}

// lossReaders is the largest number of readers who read while everything is lost.
const lossReaders = 100

// lose measures what happens when all rivers and inboxes are lost while homes are read and posts are
// sent, until all of them are back.
func (l *laboratory) lose(ctx context.Context) error {
	if l.Loss <= 0 {
		return nil
	}
	readers := l.people.Active[:min(lossReaders, len(l.people.Active))]
	most := l.Loss + l.LossMost.Seconds()
	plan := planLoss(l.Seed, l.people, readers, max(1, l.Mix.Send), l.Rate, most+l.Loss)
	viewers := make([]timeline.UserID, 0, len(readers))
	for _, at := range readers {
		viewers = append(viewers, l.people.People[at].ID)
	}
	old, stopOld, err := l.start(ctx, l.store)
	if err != nil {
		return err
	}
	for _, viewer := range viewers {
		if err := visit(ctx, old, viewer, river.At{}); err != nil {
			return errors.Join(err, stopOld())
		}
	}
	if err := l.work(ctx); err != nil {
		return errors.Join(err, stopOld())
	}
	node, stopNew, err := l.start(ctx, l.store)
	if err != nil {
		return errors.Join(err, stopOld())
	}
	defer func() { _ = stopNew() }()
	var serving nodes
	serving.set(old)
	return l.whileWorking(ctx, func() error {
		playing, end := context.WithCancel(ctx)
		defer end()
		loss := &Loss{}
		var failed error
		var back sync.WaitGroup
		begun := time.Now()
		back.Go(func() {
			defer end()
			failed = l.loseAll(ctx, begun, loss, &serving, node, stopOld, viewers)
		})
		all, err := l.play(ctx, playing, plan, serving.get)
		back.Wait()
		if err := errors.Join(err, failed, failures(all)); err != nil {
			return err
		}
		var before, after report.Times
		for _, d := range all {
			switch at := d.at.Seconds(); {
			case at < loss.At:
				before = append(before, d.took)
			case loss.Back == 0 || at < loss.At+loss.Back:
				after = append(after, d.took)
			}
		}
		loss.Before, loss.After, loss.Ticks = spread(before), spread(after), ticks(all)
		l.result.Loss = loss
		return nil
	})
}

// nodes holds the node that serves at the moment.
type nodes struct {
	mu   sync.Mutex
	node *river.Node
}

func (n *nodes) set(node *river.Node) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.node = node
}

func (n *nodes) get() *river.Node {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.node
}

// loseAll waits a while, deletes all inboxes and has node serve instead of the old node, waits until all
// rivers and inboxes are back, and then lets the load go on for a while.
func (l *laboratory) loseAll(ctx context.Context, begun time.Time, loss *Loss, serving *nodes, node *river.Node, stopOld func() error, viewers []timeline.UserID) error {
	// Some sources make an inbox only after a visit, so their inboxes come back only for the readers.
	const inboxes = `select count(*) from inboxes where ready and (source in ('timed', 'sized', 'segments') or viewer_id = any($1))`
	const truncate = `truncate inboxes cascade`
	ctx = report.ByBench(ctx)
	var had, have int
	length := time.Duration(l.Loss * float64(time.Second))
	if err := pause(ctx, length); err != nil {
		return errors.Join(err, stopOld())
	}
	if err := l.pool.QueryRow(ctx, inboxes, viewers).Scan(&had); err != nil {
		return errors.Join(err, stopOld())
	}
	loss.Of = fmt.Sprintf("%d homes and %d inboxes", len(viewers), had)
	lost := time.Now()
	loss.At = lost.Sub(begun).Seconds()
	// The inboxes must be deleted before the new node serves. If it built a home before, it would not
	// ask again for the home's inbox.
	err := retried(func() error { _, err := l.pool.Exec(ctx, truncate); return err })
	serving.set(node)
	if err = errors.Join(err, stopOld()); err != nil {
		return err
	}
	for time.Since(lost) < l.LossMost {
		if err := l.pool.QueryRow(ctx, inboxes, viewers).Scan(&have); err != nil {
			return err
		}
		if have >= had && node.Stats().Living[river.KindHome] >= len(viewers) {
			loss.Back = time.Since(lost).Seconds()
			break
		}
		if err := pause(ctx, tickLength/10); err != nil {
			return err
		}
	}
	return pause(ctx, length/2)
}

// retried calls do, and again up to nine times if the primary ends it because of a deadlock with a
// write.
func retried(do func() error) (err error) {
	const deadlock = "40P01"
	for range 10 {
		err = do()
		if e, ok := errors.AsType[*pgconn.PgError](err); !ok || e.Code != deadlock {
			return err
		}
	}
	return err
}
