package river

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/inbox"
)

var parallelSteps = flag.Int("inbox.parallel", 20, "how many writes each of the parallel writers makes")

// A parallelWriter is a process that writes to a site at the same time as others, and does some
// of the work of inboxes. It may die in the middle of the work.
type parallelWriter struct {
	*shelf
	world  *world.World
	rng    *rand.Rand
	store  *timeline.Store
	source *inbox.Source // nil: the program knows nothing of inboxes
	die    string        // the point at which the work ends; empty: nowhere
	end    func()
	deaths int
	left   int // failed steps of work, left for later
}

// reached ends the writer's work at the point where the writer is to die. Only the writer's
// goroutine calls it.
func (w *parallelWriter) reached(point string) {
	if w.die == point {
		w.die = ""
		w.deaths++
		w.end()
	}
}

// newWriter returns a writer, the number from 1 of several.
func (s *shelf) newWriter(seed uint64, number, pushMost int) *parallelWriter {
	w := &parallelWriter{shelf: s, rng: rand.New(rand.NewPCG(seed, uint64(number)))}
	opts := timeline.Options{Now: func() time.Time { return time.UnixMilli(s.clock.Load()) }, Argon: pgtest.Argon}
	if number < 4 {
		w.source = inbox.New(inbox.Options{PushMost: pushMost, FanoutMax: 30, Reached: w.reached})
		opts.Source = w.source
	}
	w.store = timeline.New(s.store.Pool(), opts)
	w.world = s.world.Beside(w.store, seed+uint64(number), number)
	return w
}

// live makes random writes, and works now and then.
func (w *parallelWriter) live(ctx context.Context, source string, steps int) error {
	for range steps {
		w.clock.Add(int64(w.rng.IntN(5)) * 60_000)
		if _, err := w.world.Step(ctx); err != nil && !world.Refused(err) {
			return err
		}
		if source == "mixed" && w.rng.IntN(12) == 0 {
			edit := timeline.SiteEdit{"source." + pickOne(w.rng, timeline.SourceKinds()): pickOne(w.rng, timeline.Sources())}
			if _, err := w.store.ArrangeSite(ctx, edit); err != nil {
				return err
			}
		}
		if w.source != nil && w.rng.IntN(3) > 0 {
			w.workSome(ctx)
		}
	}
	return nil
}

// workSome does some of the work of inboxes. As in [inbox.Source.Run], failed work is left for
// later: another writer may have been in its way.
func (w *parallelWriter) workSome(ctx context.Context) {
	working, end := context.WithCancel(ctx)
	defer end()
	w.end, w.die = end, ""
	if w.rng.IntN(3) == 0 {
		w.die = pickOne(w.rng, []string{inbox.PointMade, inbox.PointRead, inbox.PointFilled, inbox.PointTold})
	}
	for range 1 + w.rng.IntN(8) {
		more, err := w.source.Work(working, w.store, w.choiceOf)
		if working.Err() != nil {
			return
		}
		if err != nil {
			w.left++
		}
		if !more {
			return
		}
	}
}

// TestInboxesEqualTimelinesAfterParallelWriters runs four writers on one primary at the same
// time, three with inboxes of their own and one without, for each source and for changing
// sources, while workers die. After all work, each river from its inbox equals the river from
// timelines, and a node that built its rivers from inboxes equals a fresh build from timelines.
func TestInboxesEqualTimelinesAfterParallelWriters(t *testing.T) {
	t.Parallel()
	long(t)
	seed := rand.Uint64()
	var deaths, told atomic.Int64
	t.Run("all", func(t *testing.T) {
		for i, source := range append(timeline.Sources()[1:], "mixed") {
			t.Run(source, func(t *testing.T) {
				t.Parallel()
				seed := seed + uint64(10*i)
				pushMost := []int{1, 200}[seed%2]
				t.Logf("seed %d, %d inboxes told in the write", seed, pushMost)
				s := newShelf(t, seed, pushMost)
				for _, what := range slices.Concat(slices.Repeat([]string{"subscribe", "post", "like"}, 20), slices.Repeat([]string{"comment", "subscribe"}, 5)) {
					s.clock.Add(60_000)
					if err := s.world.Do(t.Context(), what); err != nil && !world.Refused(err) {
						t.Fatal(err)
					}
				}
				for key, value := range map[string]string{"depth": "6", "sized": "3", "cap": "5", "slots": "2", "hybrid": "2", "period_hours": "1"} {
					s.set(key, value)
				}
				s.set("embed", pickOne(s.rng, []string{"none", "author+text+data", "data"}))
				for _, kind := range timeline.SourceKinds() {
					if source == "mixed" {
						s.set(kind, pickOne(s.rng, timeline.Sources()[1:]))
					} else {
						s.set(kind, source)
					}
				}
				s.visitAll()
				var all sync.WaitGroup
				var writers []*parallelWriter
				for number := 1; number <= 4; number++ {
					w := s.newWriter(seed, number, pushMost)
					writers = append(writers, w)
					all.Go(func() {
						if err := w.live(t.Context(), source, *parallelSteps); err != nil {
							t.Errorf("writer %d: %v", number, err)
						}
					})
				}
				all.Wait()
				for _, w := range writers {
					deaths.Add(int64(w.deaths))
					if w.source != nil {
						told.Add(w.source.Counts().Updated)
					}
					t.Logf("%d deaths, %d steps of work left for later, wrote %v", w.deaths, w.left, w.world.Did)
				}
				s.settleAndCompare(writers)
			})
		}
	})
	if deaths.Load() == 0 || told.Load() == 0 {
		t.Errorf("%d workers died, and %d inboxes were told of a post", deaths.Load(), told.Load())
	}
}

// visitAll reads each river once, which makes the inboxes that visits make, and does all work.
func (s *shelf) visitAll() {
	s.t.Helper()
	s.work(1 << 20)
	if err := s.compare(s.t.Context(), s.keys()); err != nil {
		s.t.Fatal(err)
	}
	s.work(1 << 20)
}

// settleAndCompare does all work that is left, and compares each river of each viewer with the
// timelines.
func (s *shelf) settleAndCompare(writers []*parallelWriter) {
	s.t.Helper()
	ctx := s.t.Context()
	retry := func() {
		if _, err := s.store.Pool().Exec(ctx, `update inbox_fanouts set retry_at = '-infinity'`); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, w := range writers {
		retry()
		if err := w.world.Finish(ctx); err != nil {
			s.t.Fatal(err)
		}
		for _, p := range w.world.People {
			if !slices.ContainsFunc(s.world.People, func(o *world.Person) bool { return o.ID == p.ID }) {
				s.world.People = append(s.world.People, p)
			}
		}
	}
	s.visitAll()
	if n := s.count(`select count(*) from inboxes where not ready`) + s.count(`select count(*) from inbox_fanouts`); n > 0 {
		s.t.Fatalf("%d inboxes and posts are left after the work", n)
	}
	before := s.inboxes.Counts()
	if err := s.compare(ctx, s.keys()); err != nil {
		s.t.Fatal(err)
	}
	if after := s.inboxes.Counts(); after.Chosen == before.Chosen {
		s.t.Error("no page came from an inbox")
	}
	s.checkNode()
}

// checkNode has a node build the homes of all people from inboxes, and compares its river DB
// with fresh builds from timelines, as amstel check does.
func (s *shelf) checkNode() {
	s.t.Helper()
	ctx := s.t.Context()
	path := filepath.Join(s.t.TempDir(), "river.db")
	var set Settings
	set.patient()
	node, err := Open(ctx, Config{Store: s.store, Path: path, Settings: set, Now: func() time.Time { return time.UnixMilli(s.clock.Load()) }, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		s.t.Fatal(err)
	}
	looping, end := context.WithCancel(ctx)
	var loop sync.WaitGroup
	loop.Go(func() {
		if err := node.Run(looping); err != nil {
			s.t.Error(err)
		}
	})
	defer func() { end(); loop.Wait() }()
	<-node.wait(nil)
	homes := 0
	for _, p := range s.world.People {
		if _, err := node.Visit(ctx, Key{Viewer: p.ID, What: KindHome, TheirID: int64(p.ID)}, At{}); err == nil {
			homes++
		}
	}
	if homes == 0 {
		s.t.Fatal("no home could be visited")
	}
	if err := node.WaitApplied(ctx); err != nil {
		s.t.Fatal(err)
	}
	plain := timeline.New(s.store.Pool(), timeline.Options{Now: func() time.Time { return time.UnixMilli(s.clock.Load()) }})
	checked, err := Check(ctx, plain, path, CheckOptions{}, func(line string) { s.t.Error(line) })
	if err != nil {
		s.t.Fatal(err)
	}
	if checked.Rivers < homes || checked.Differences > 0 {
		s.t.Errorf("%d homes were visited, and checked are %s", homes, fmt.Sprintf("%+v", checked))
	}
}
