package measure

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// The bars of a change of rights, in milliseconds.
const (
	statementBar = 100.0
	turnBar      = 50.0
	pagesBar     = 1000.0
)

// patience is how often a page that differs is compared again, after the loop has finished its work.
const patience = 10

// rights measures what changes of rights cost, in a community of extremes ([dataset.Extremes]).
func (r *run) rights(ctx context.Context) (err error) {
	plain, err := r.Fresh(ctx, "amstel_rights")
	if err != nil {
		return err
	}
	defer plain.Close()
	t := dataset.ExtremesOf(r.Scale)
	r.notice("Loading a community of %d people.", t.People())
	if err := t.Load(ctx, plain); err != nil {
		return err
	}
	seen := &report.StatementTimes{}
	config := plain.Config()
	config.ConnConfig.Tracer = seen
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer pool.Close()
	store := timeline.New(pool, timeline.Options{})
	loop := &report.TurnTimes{}
	node, err := river.Open(ctx, river.Config{
		Store: store, Path: filepath.Join(r.Folder, "rights.db"), Settings: river.Settings{Limits: river.Limits{Poll: report.Poll, Behind: 2 * report.Poll}}, Turned: loop.Turned,
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	looping, end := context.WithCancel(context.WithoutCancel(ctx)) // the loop must outlive the pages
	ended := make(chan error, 1)
	go func() { ended <- node.Run(looping) }()
	m := &rightsRun{run: r, Extremes: t, store: store, node: node, statements: seen, loop: loop, pages: map[river.Key]*watchedPage{}}
	defer func() {
		cancel()
		m.closeAll()
		end()
		err = errors.Join(err, <-ended)
	}()
	if err := settled(ctx, node); err != nil {
		return err
	}
	return m.measure(ctx)
}

// A rightsRun changes rights and watches the open pages.
type rightsRun struct {
	*run
	dataset.Extremes
	store      *timeline.Store
	node       *river.Node
	statements *report.StatementTimes
	loop       *report.TurnTimes
	pages      map[river.Key]*watchedPage // the open pages
}

// A watchedPage is an open page and the goroutine that follows it.
type watchedPage struct {
	*client.Watcher
	end  context.CancelFunc // stops the goroutine
	over chan struct{}      // closed when the goroutine has ended
}

// open opens those pages that are not open, and waits until they show something.
func (m *rightsRun) open(ctx context.Context, keys ...river.Key) error {
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(client.OpenAtOnce)
	for _, key := range keys {
		if p := m.pages[key]; p != nil {
			if !p.ended() {
				continue
			}
			m.close(key)
		}
		following, end := context.WithCancel(ctx)
		p := &watchedPage{&client.Watcher{Node: m.node, Key: key}, end, make(chan struct{})}
		m.pages[key] = p
		group.Go(func() error {
			shows := make(chan struct{})
			go func() {
				defer close(p.over)
				p.Follow(following, func() { close(shows) })
			}()
			select {
			case <-shows:
				return nil
			case <-inGroup.Done():
				return inGroup.Err()
			}
		})
	}
	return group.Wait()
}

// ended reports whether the page is no longer followed.
func (p *watchedPage) ended() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

func (m *rightsRun) close(key river.Key) {
	if p := m.pages[key]; p != nil {
		p.end()
		<-p.over
		delete(m.pages, key)
	}
}

func (m *rightsRun) closeAll() {
	for key := range m.pages {
		m.close(key)
	}
}

// living visits rivers that are not open, so that they live. Every second visit goes on to an older
// page, as readers do.
func (m *rightsRun) living(ctx context.Context, keys ...river.Key) error {
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(client.OpenAtOnce)
	for i, key := range keys {
		group.Go(func() error {
			view, err := m.node.Visit(inGroup, key, river.At{})
			if err == nil && i%2 == 0 && view.Older != nil {
				_, err = m.node.Visit(inGroup, key, river.At{Before: *view.Older, Count: 100})
			}
			if err != nil {
				return fmt.Errorf("%v: %w", key, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// A step is one change of rights to measure.
type step struct {
	Name string
	Of   string
	// Act carries out the change. It returns after the last commit.
	Act func(context.Context) error
	// Closed are rivers that are not open as pages. They are visited after the change.
	Closed []river.Key
	// Pages are the open pages that may change; nil: all open pages.
	Pages []river.Key
}

// A stepResult has the times of a step. All but write and turn count from the last commit.
type stepResult struct {
	write  time.Duration // the change itself, until the last commit
	answer time.Duration // until the answer to the request for the change would be sent
	pages  time.Duration // until every page is right
	done   time.Duration // until the loop has no work left
	seen   report.StatementSummary
	turn   time.Duration // the longest turn of the loop
	turns  int           // the number of turns
	open   int           // the number of pages compared
	wrong  int           // how many of these never became right
}

// measureStep carries out the change of a step and measures its effect.
func (m *rightsRun) measureStep(ctx context.Context, s step) (stepResult, error) {
	var res stepResult
	if err := m.calm(ctx); err != nil {
		return res, err
	}
	begun := time.Now()
	if err := s.Act(ctx); err != nil {
		return res, fmt.Errorf("%s: %w", s.Name, err)
	}
	committed := time.Now()
	res.write = committed.Sub(begun)
	m.node.WaitRevoked()
	res.answer = time.Since(committed)
	var last time.Time // when the last page was right
	for _, key := range s.Closed {
		// The viewer may no longer have the right to open the river; then a refusal is the right answer.
		_, err := m.node.Visit(ctx, key, river.At{})
		if err != nil && !client.Refused(err) {
			return res, fmt.Errorf("%s: %v: %w", s.Name, key, err)
		}
		last = time.Now()
	}
	if err := m.node.WaitApplied(ctx); err != nil { // the loop may be in the middle of a long turn
		return res, err
	}
	done, err := m.loop.WaitSilence(ctx)
	if err != nil {
		return res, err
	}
	res.done = max(done.Sub(committed), res.answer)
	res.seen = m.statements.Take()
	res.turn, res.turns = m.loop.Take()
	right, err := m.right(ctx, s, &res)
	if right.After(last) {
		last = right
	}
	res.pages = max(0, last.Sub(committed))
	return res, err
}

// right compares each page with a fresh build of its river, counts the pages in res, and returns when
// the last page became right.
func (m *rightsRun) right(ctx context.Context, s step, res *stepResult) (last time.Time, err error) {
	keys := s.Pages
	if keys == nil {
		for key := range m.pages {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		p := m.pages[key]
		if p == nil {
			continue
		}
		res.open++
		since, err := p.RightSince(ctx)
		for range patience { // a page gets at most one patch in a hub's interval
			if err == nil || ctx.Err() != nil {
				break
			}
			pause := time.NewTimer(client.HubInterval)
			select {
			case <-pause.C:
			case <-ctx.Done():
				pause.Stop()
			}
			since, err = p.RightSince(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return last, ctx.Err()
		case err != nil:
			res.wrong++
			m.notice("%s: %v", s.Name, err)
		case since.After(last):
			last = since
		}
	}
	return last, nil
}

// calm waits until the work of earlier steps is done, and resets the counts of statements and turns.
func (m *rightsRun) calm(ctx context.Context) error {
	if err := m.node.WaitApplied(ctx); err != nil {
		return err
	}
	if _, err := m.loop.WaitSilence(ctx); err != nil {
		return err
	}
	m.statements.Take()
	m.loop.Take()
	return nil
}

// step carries out a change, measures the change and reports the result.
func (m *rightsRun) step(ctx context.Context, s step) error {
	res, err := m.measureStep(ctx, s)
	if err != nil {
		return err
	}
	return m.reportStep(s, res)
}

// reportStep reports the time until every page was right, and the parts of that time.
func (m *rightsRun) reportStep(s step, res stepResult) error {
	record := report.Record{
		Name: "rights." + s.Name,
		Of: fmt.Sprintf("%s; from the commit until %d open pages and %d closed rivers are right; %d statements, %d turns; the longest statement: %s",
			s.Of, res.open, len(s.Closed), res.seen.Count, res.turns, report.Shorten(res.seen.Text)),
		Value: report.Milliseconds(res.pages), Unit: "ms", N: res.open + len(s.Closed),
		Parts: map[string]float64{
			"write": report.Milliseconds(res.write), "answer": report.Milliseconds(res.answer), "done": report.Milliseconds(res.done),
			"statement": report.Milliseconds(res.seen.Longest), "batch": report.Milliseconds(res.seen.Batch), "turn": report.Milliseconds(res.turn),
		},
	}
	ok := record.Value <= pagesBar && record.Parts["statement"] <= statementBar && record.Parts["turn"] <= turnBar
	if res.wrong > 0 {
		record.Of += fmt.Sprintf("; %d pages are wrong", res.wrong)
		ok = false
	}
	record.Expect(fmt.Sprintf("statement <= %v ms, turn <= %v ms, pages right <= %v ms", statementBar, turnBar, pagesBar), ok)
	return m.report(record)
}
