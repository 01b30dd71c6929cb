package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

const (
	// sparseBar and thousandBar are how many changes a second a node should follow: when one in a hundred concerns
	// a river, and when each concerns a thousand rivers.
	sparseBar, thousandBar = 3000.0, 300.0
	// frameLate is how late a frame may be, unless [Config] has another time.
	frameLate = time.Second
	// openShare is the divisor of the living rivers that gives the number of open pages.
	openShare = 10
	// batchEvery is the time between two transactions of the writer.
	batchEvery = 50 * time.Millisecond
	// fallsBehind is for how long a node is kept from following the primary.
	fallsBehind = 3 * time.Second
	// mostOfBar is how many times the bar the highest rate is.
	mostOfBar = 4
	// burst is the number of changes that one turn follows.
	burst = 1000
)

// firehose measures how many changes a second a node follows, what a change that concerns none of its rivers
// costs, and how long a node needs that has fallen behind.
func (r *run) firehose(ctx context.Context) error {
	pool, err := r.Fresh(ctx, "amstel_firehose")
	if err != nil {
		return err
	}
	defer pool.Close()
	f := dataset.FirehoseOf(r.Rivers)
	r.notice("Loading a community of %d readers.", f.Readers)
	if err := f.Load(ctx, pool); err != nil {
		return err
	}
	m := &firehoseRun{run: r, Likes: dataset.Likes{Firehose: &f}, primary: pool, commits: map[timeline.PostID][]time.Time{}}
	config := pool.Config()
	config.ConnConfig.Tracer = &m.statements
	traced, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer traced.Close()
	m.other = timeline.New(pool, timeline.Options{})
	path := filepath.Join(r.Folder, "firehose.db")
	defer removeRiverDB(path)
	return onNode(ctx, river.Config{Store: timeline.New(traced, timeline.Options{}), Path: path, Turned: m.loop.Turned}, func(node *river.Node) error {
		m.node = node
		return m.measure(ctx)
	})
}

// A firehoseRun writes likes to the primary as another process does, and watches how a node follows.
type firehoseRun struct {
	*run
	dataset.Likes
	primary    *pgxpool.Pool
	other      *timeline.Store // that of the other process
	node       *river.Node
	statements report.StatementCounts
	loop       report.TurnTimes
	late       lateFrames
	mu         sync.Mutex
	commits    map[timeline.PostID][]time.Time // when each post got its first like, its second, and so on
}

// lateFrames are how late the frames of open pages were.
type lateFrames struct {
	mu    sync.Mutex
	times report.Times
	fault error // the first thing that ended a page
}

// take returns what was noted since the last call of take.
func (l *lateFrames) take() (times report.Times, fault error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	times, fault = l.times, l.fault
	l.times, l.fault = nil, nil
	return times, fault
}

// measure makes the rivers, opens pages, and measures.
func (m *firehoseRun) measure(ctx context.Context) error {
	m.notice("Visiting %d homes.", m.Readers)
	if err := visitAll(ctx, m.node, m.Readers); err != nil {
		return err
	}
	if err := m.unconcerned(ctx); err != nil {
		return err
	}
	following, end := context.WithCancel(ctx)
	var pages sync.WaitGroup
	defer pages.Wait()
	defer end()
	opened := make(chan struct{}, m.Readers)
	open := max(1, m.Readers/openShare)
	for i := range open {
		pages.Go(func() {
			page := watchedLikes{firehoseRun: m, key: home(timeline.UserID(i*openShare%m.Readers + 1)), shown: map[timeline.PostID]int{}}
			for following.Err() == nil {
				if err := page.follow(following, opened); err != nil && following.Err() == nil {
					m.late.mu.Lock()
					m.late.fault = errors.Join(m.late.fault, err)
					m.late.mu.Unlock()
					_ = client.Pause(following, client.HubInterval) // its error ends the loop
				}
			}
		})
	}
	for range open {
		select {
		case <-opened:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, load := range []struct {
		name, of string
		bar      float64
		next     func(i int) dataset.Like
	}{
		{"firehose.sparse", "one change in a hundred concerns two of the rivers, and the others none", sparseBar, func(i int) dataset.Like {
			if i%100 == 0 {
				return m.Own()
			}
			return m.Strange()
		}},
		{"firehose.thousand", fmt.Sprintf("each change concerns %d of the rivers", m.Fans), thousandBar, func(int) dataset.Like { return m.Star() }},
	} {
		followed, err := m.highest(ctx, load.bar, load.next)
		if err != nil {
			return fmt.Errorf("%s: %w", load.name, err)
		}
		record := report.Record{
			Name: load.name, Value: followed.rate, Unit: "changes/s", N: followed.changes, P50: followed.late.Quantile(0.5), P99: followed.late.Quantile(0.99),
			Of: fmt.Sprintf("the highest rate tried at which frames are at most %v late, with %d rivers, %d of them open: %s; p50 and p99 are of frames, in ms",
				cmp.Or(m.Late, frameLate), m.Readers, open, load.of),
			Parts: map[string]float64{"first that is not followed": followed.beyond},
		}
		record.Expect(fmt.Sprintf("changes/s >= %v", load.bar), followed.rate >= load.bar)
		if err := m.report(record); err != nil {
			return err
		}
		if err := m.catchUp(ctx, load.name, followed.rate/2, load.next); err != nil {
			return fmt.Errorf("%s: %w", load.name, err)
		}
	}
	return nil
}

// visitAll visits the homes of the first readers, down to a hundred entries.
func visitAll(ctx context.Context, node *river.Node, readers int) error {
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(client.OpenAtOnce)
	for i := range readers {
		group.Go(func() error {
			_, err := node.Visit(inGroup, home(timeline.UserID(i+1)), river.At{Count: 100})
			return err
		})
	}
	return group.Wait()
}

// A watchedLikes is an open page, and the number of likes that it shows of each post.
type watchedLikes struct {
	*firehoseRun
	key   river.Key
	shown map[timeline.PostID]int
}

// follow follows the page until the context ends or the page does.
func (p *watchedLikes) follow(ctx context.Context, opened chan<- struct{}) error {
	w, err := p.node.Watch(ctx, p.key)
	if err != nil {
		return err
	}
	defer w.Close()
	patch, window, err := w.Resume(river.Resume{})
	if err != nil {
		return err
	}
	clear(p.shown)
	p.show(patch, true)
	select {
	case opened <- struct{}{}:
	default: // the page had to be opened again
	}
	for counter := patch.To; ; counter = patch.To {
		select {
		case <-ctx.Done():
			return nil
		case <-w.C():
		}
		if patch, err = w.Patch(counter, window); err != nil {
			return err
		}
		if patch.Filled != nil {
			window = *patch.Filled
		}
		p.show(patch, false)
		if client.Pause(ctx, client.HubInterval) != nil {
			return nil
		}
	}
}

// show notes what a patch shows. The frame is as late as the commit of the oldest like that the page did not
// show before is old.
func (p *watchedLikes) show(patch *river.Patch, first bool) {
	now := time.Now()
	entries := slices.Clone(patch.Entries)
	for _, op := range patch.Ops {
		if op.Entry != nil {
			entries = append(entries, *op.Entry)
		}
	}
	var times report.Times
	p.mu.Lock()
	for i := range entries {
		post, likes := entries[i].Facts.ID, entries[i].Fold.Likes
		count := len(likes.Users) + likes.More
		// A page may show a like before its writer knows that it is committed.
		if was := p.shown[post]; !first && count > was && was < len(p.commits[post]) {
			times = append(times, now.Sub(p.commits[post][was]))
		}
		p.shown[post] = count
	}
	p.mu.Unlock()
	p.late.mu.Lock()
	p.late.times = append(p.late.times, times...)
	p.late.mu.Unlock()
}

// write writes likes in one transaction.
func (m *firehoseRun) write(ctx context.Context, likes []dataset.Like) error {
	counts, err := dataset.WriteLikes(ctx, m.primary, likes)
	if err != nil {
		return err
	}
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	for post, count := range counts {
		for len(m.commits[post]) < count {
			m.commits[post] = append(m.commits[post], now)
		}
	}
	return nil
}

// A likeWriter writes likes at a rate, in a transaction every batchEvery.
type likeWriter struct {
	*firehoseRun
	next    func(i int) dataset.Like
	rate    float64
	begun   time.Time
	written int
}

func (m *firehoseRun) writer(rate float64, next func(i int) dataset.Like) *likeWriter {
	return &likeWriter{firehoseRun: m, next: next, rate: rate, begun: time.Now()}
}

// batch waits for the time of the next transaction, and writes the likes that are due.
func (w *likeWriter) batch(ctx context.Context) error {
	if err := client.Pause(ctx, batchEvery); err != nil {
		return err
	}
	var due []dataset.Like
	for float64(w.written) < w.rate*time.Since(w.begun).Seconds() && len(due) < timeline.Lag/2 {
		due = append(due, w.next(w.written))
		w.written++
	}
	return w.write(ctx, due)
}

// A rateResult says how a node followed changes at a rate.
type rateResult struct {
	rate    float64 // at which the changes were written
	changes int
	late    report.Times
	follows bool    // frames were not too late, and the node was not behind afterwards
	short   bool    // the writer did not reach the rate
	beyond  float64 // of the highest result: the lowest rate tried that is not followed; 0: all were
}

// at writes changes at a rate.
func (m *firehoseRun) at(ctx context.Context, rate float64, next func(i int) dataset.Like) (rateResult, error) {
	m.late.take()
	w := m.writer(rate, next)
	var longest time.Duration
	for until := w.begun.Add(m.during() / 2); time.Now().Before(until); {
		begun := time.Now()
		if err := w.batch(ctx); err != nil {
			return rateResult{}, err
		}
		if _, err := m.other.Sequence(ctx); err != nil { // the other process has a node too
			return rateResult{}, err
		}
		longest = max(longest, time.Since(begun)-batchEvery)
	}
	took := time.Since(w.begun)
	if err := m.settle(ctx); err != nil {
		return rateResult{}, err
	}
	behind := time.Since(w.begun) - took
	if err := client.Pause(ctx, 2*client.HubInterval); err != nil { // until the last frames are out
		return rateResult{}, err
	}
	late, fault := m.late.take()
	res := rateResult{rate: float64(w.written) / took.Seconds(), changes: w.written, late: late}
	most := cmp.Or(m.Late, frameLate)
	res.follows = fault == nil && behind <= most && late.Quantile(1) <= report.Milliseconds(most)
	res.short = longest > frameLate/2 // the likes due become more and more
	m.notice("%.0f changes a second: frames up to %.0f ms late, the node %v behind at the end, writes up to %v (%v).",
		res.rate, late.Quantile(1), behind.Round(time.Millisecond), longest.Round(time.Millisecond), fault)
	return res, nil
}

// settle waits until the node has followed all changes.
func (m *firehoseRun) settle(ctx context.Context) error { return settled(ctx, m.node) }

// highest writes changes at rising rates, and returns the result of the highest rate that the node follows.
func (m *firehoseRun) highest(ctx context.Context, bar float64, next func(i int) dataset.Like) (best rateResult, err error) {
	try := func(rate float64) (bool, error) {
		res, err := m.at(ctx, rate, next)
		if err != nil {
			return false, err
		}
		if !res.follows {
			best.beyond = report.Round(res.rate)
			return false, nil
		}
		if res.rate > best.rate { // a writer that can't keep up may write fewer than before
			res.beyond = best.beyond
			best = res
		}
		return !res.short, nil
	}
	rises := true
	rate := bar / 16
	for ; rises && rate <= mostOfBar*bar; rate *= 2 {
		if rises, err = try(rate); err != nil {
			return best, err
		}
	}
	if best.beyond > 0 { // the highest rate is between the last that is followed and twice that
		if _, err = try(rate * 3 / 8); err != nil {
			return best, err
		}
	}
	best.rate = report.Round(best.rate)
	return best, nil
}

// catchUp keeps the node from following the primary for a while, and measures how long it takes until the node follows
// again. Changes go on all the time.
func (m *firehoseRun) catchUp(ctx context.Context, name string, rate float64, next func(i int) dataset.Like) error {
	if rate == 0 {
		return nil
	}
	var behind time.Duration
	w := m.writer(rate, next)
	err := pgx.BeginFunc(ctx, m.primary, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `select from log_head for update`); err != nil { // without it no change gets a position
			return err
		}
		w.begun = time.Now()
		for until := w.begun.Add(min(fallsBehind, m.during())); time.Now().Before(until); {
			if err := w.batch(ctx); err != nil {
				return err
			}
		}
		behind = time.Since(w.begun)
		return nil
	})
	if err != nil {
		return err
	}
	released := time.Now()
	for {
		head, err := m.other.Sequence(ctx)
		if err != nil {
			return err
		}
		if float64(head-m.node.Position()) <= rate*(2*batchEvery).Seconds() {
			break
		}
		if err := w.batch(ctx); err != nil {
			return err
		}
	}
	took := report.Milliseconds(time.Since(released))
	if err := m.settle(ctx); err != nil {
		return err
	}
	_, fault := m.late.take()
	record := report.Record{
		Name: name + ".behind", Value: took, Unit: "ms", N: w.written,
		Of:     fmt.Sprintf("until a node that followed nothing for a while follows again, with %.0f changes a second all the time", rate),
		Beside: &report.Beside{Name: "how long it followed nothing, ms", Value: report.Milliseconds(behind)},
		Ratio:  report.Ratio(took, report.Milliseconds(behind)),
	}
	record.Expect("ratio <= 1, and no page ends", record.Ratio <= 1 && fault == nil)
	return m.report(record)
}

// unconcerned measures what changes that concern none of the rivers cost a turn.
func (m *firehoseRun) unconcerned(ctx context.Context) error {
	for _, many := range []struct {
		name    string
		changes int
	}{{"firehose.unconcerned", 1}, {"firehose.unconcerned.many", burst}} {
		var with, without report.Times
		var statements, idle float64
		for range m.Homes {
			for _, changes := range []int{0, many.changes} {
				var likes []dataset.Like
				for range changes {
					likes = append(likes, m.Strange())
				}
				if err := m.settle(ctx); err != nil {
					return err
				}
				m.loop.Take()
				m.statements.Take()
				if err := m.write(ctx, likes); err != nil {
					return err
				}
				if err := m.settle(ctx); err != nil {
					return err
				}
				longest, turns := m.loop.Take()
				each := report.Ratio(float64(m.statements.Take().Node), float64(turns))
				if changes > 0 {
					with, statements = append(with, longest), max(statements, each)
				} else {
					without, idle = append(without, longest), max(idle, each)
				}
			}
		}
		half := with.Quantile(0.5)
		err := m.report(report.Record{
			Name: many.name, Of: fmt.Sprintf("a turn with %d changes that concern none of %d rivers", many.changes, m.Readers),
			Value: half, Unit: "ms", N: len(with), P50: half, P99: with.Quantile(0.99),
			Beside: &report.Beside{Name: "a turn without changes, ms", Value: without.Quantile(0.5), P99: without.Quantile(0.99)},
			Ratio:  report.Ratio(half, without.Quantile(0.5)),
			Parts:  map[string]float64{"statements": statements, "statements without changes": idle},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
