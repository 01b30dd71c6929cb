package river

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// A publishing is a turn of a node without a primary that is about to be published, with the draft that it applied.
type publishing struct {
	*applied
	n     *Node
	asked *asks
}

func newPublishing(t *testing.T) *publishing {
	t.Helper()
	p := &publishing{applied: newApplied(t), asked: &asks{turn: 7}}
	p.n = &Node{st: p.st, log: slog.New(slog.DiscardHandler), quarantine: p.st.quarantine, next: make(chan struct{}), loop: loop{stale: make(map[*river]bool)}}
	p.n.cfg.hooks = tells(func(string) {})
	return p
}

// watched opens a page of the river, and reports whether the page was woken.
func (p *publishing) watched(rv *river) (woken func() bool) {
	w := &Watch{node: p.n, rv: rv, c: make(chan struct{}, 1)}
	put(&rv.watches, w, true)
	return func() bool { return len(w.c) > 0 }
}

// TestPublishedTurnIsCounted: publishing a turn ends the waits for the next turn, frees the rivers that were kept from
// opening, and keeps the work that the turn left for the next one.
func TestPublishedTurnIsCounted(t *testing.T) {
	t.Parallel()
	p := newPublishing(t)
	next := p.n.next
	other := p.make(2, everything(2), 10)
	shorter := &river{}
	shorter.shortening = true
	p.n.shortening, p.n.leaving = []*river{shorter}, []*river{{}}
	p.d.round.left = 5
	missed := &river{}
	missed.ahead.Store(true)
	p.d.rivers[missed] = &riverDraft{}
	p.st.viewers[0] = &viewer{rivers: map[*river]bool{missed: true}, sets: &timeline.Sets{}}
	missed.id = 9
	p.st.add(missed)
	p.d.rivers[missed].dropped = true
	p.rd.changed = true
	woken, asleep := p.watched(p.rv), p.watched(other)
	if err := p.n.publish(p.d, 1000, p.asked); err != nil {
		t.Fatal(err)
	}
	select {
	case <-next:
	default:
		t.Error("a wait for the turn goes on")
	}
	select {
	case <-p.n.next:
		t.Error("a wait for another turn has ended")
	default:
	}
	if !woken() || asleep() {
		t.Errorf("a page that changed is woken %v, another %v", woken(), asleep())
	}
	if !p.asked.published || p.n.lastTurn.Load() != 7 || p.n.turns.Load() != 1 || p.st.counter != 100 {
		t.Errorf("published %v, the turn number %d of %d, counter %d", p.asked.published, p.n.lastTurn.Load(), p.n.turns.Load(), p.st.counter)
	}
	if shorter.shortening || len(p.n.shortening)+len(p.n.leaving) > 0 || p.n.counts.shortened.Load() != 1 || p.n.round.left != 5 {
		t.Errorf("of rivers that were shortened: %v, %v, %v, %d; %d are left of the round", shorter.shortening, p.n.shortening, p.n.leaving, p.n.counts.shortened.Load(), p.n.round.left)
	}
	if n := p.n.counts.aheadMisses.Load(); n != 1 {
		t.Errorf("%d readers did not come", n)
	}
}

// TestPublishedTurnLeavesMarksAndSweeps: rivers keep the marks and the sweeps that a turn did not finish, except rivers
// that have ended.
func TestPublishedTurnLeavesMarksAndSweeps(t *testing.T) {
	t.Parallel()
	p := newPublishing(t)
	names := map[*river]string{p.rv: "queued"}
	for i, name := range []string{"marked", "open", "dropped", "ended", "stale", "swept", "stale and dropped", "untouched"} {
		rv := p.make(int64(i+2), everything(timeline.UserID(i+2)), 10)
		names[rv] = name
	}
	p.apply()
	p.begin()
	p.n.st = p.st
	for rv, name := range names {
		rd := p.d.riverDraft(rv)
		switch name {
		case "queued", "marked", "open", "dropped":
			rd.mark = map[timeline.PostID]bool{7: true}
			rd.dropped = name == "dropped"
			if name == "open" {
				rv.watching.Store(1)
			}
			if name == "queued" {
				p.d.queue = append(p.d.queue, rv)
			}
		case "ended":
			delete(p.st.rivers, rv.id)
			p.d.queue = append([]*river{rv}, p.d.queue...)
			delete(p.d.rivers, rv)
		case "stale", "stale and dropped":
			rv.stale = 1
			rd.dropped = name == "stale and dropped"
			p.n.stale[rv] = name == "stale and dropped"
		case "swept":
			p.n.stale[rv] = true
		}
	}
	for rv, name := range names {
		if name == "untouched" { // it had marks before
			p.n.queue = []*river{rv}
		}
	}
	queue := p.d.queue
	if err := p.n.publish(p.d, 1000, p.asked); err != nil {
		t.Fatal(err)
	}
	var queued, stale, refresh []string
	for _, rv := range p.n.queue {
		queued = append(queued, names[rv])
	}
	for rv, is := range p.n.stale {
		stale = append(stale, fmt.Sprint(names[rv], " ", is))
	}
	for rv := range p.n.asks.refresh {
		refresh = append(refresh, names[rv])
	}
	slices.Sort(queued[1:])
	if diff := cmp.Diff([][]string{{"queued", "marked", "open"}, {"stale true"}, {"open"}}, [][]string{queued, stale, refresh}); diff != "" {
		t.Errorf("the rivers with marks, those to sweep, and those to bring up to date (-want +got):\n%s", diff)
	}
	if names[queue[0]] != "ended" || len(p.d.queue) != 2 {
		t.Error("the queue of the draft changed")
	}
}

// TestPublishedTurnEndsItsBuilds: builds of homes and of other rivers, that succeeded and that failed, end with the turn.
func TestPublishedTurnEndsItsBuilds(t *testing.T) {
	t.Parallel()
	home := Key{Viewer: 1, What: KindHome, TheirID: 1}
	for _, test := range []struct {
		name  string
		build build
		first int64 // homes that were built for a reader
		wakes bool
	}{
		{"a home", build{key: home}, 1, false},
		{"another page", build{key: everything(1)}, 0, false},
		{"a home that no reader asked for", build{key: home, ahead: true}, 0, false},
		{"a home that failed", build{key: home, err: errAgain}, 0, false},
		{"more of a home", build{key: home, rv: &river{}}, 0, false},
		{"more of a home that failed", build{key: home, rv: &river{}, err: errAgain}, 0, true},
	} {
		p := newPublishing(t)
		b := test.build
		b.done = make(chan struct{})
		woken := func() bool { return false }
		if b.rv != nil {
			woken = p.watched(b.rv)
		}
		p.n.builds.under = map[buildID]*build{{b.key, b.from}: &b}
		p.asked.built = []*build{&b}
		if err := p.n.publish(p.d, 1000, p.asked); err != nil {
			t.Fatal(err)
		}
		select {
		case <-b.done:
		default:
			t.Errorf("%s: the build goes on", test.name)
		}
		if n := p.n.counts.firstHomes.Load(); n != test.first || woken() != test.wakes || len(p.n.builds.under) > 0 {
			t.Errorf("%s: %d first homes, woken %v, %d builds under way", test.name, n, woken(), len(p.n.builds.under))
		}
	}
}

// TestTurnThatCannotBeAppliedIsNotPublished: a turn that fails before it changes the state is not published; one that panics while
// it changes the state leaves an inconsistent state.
func TestTurnThatCannotBeAppliedIsNotPublished(t *testing.T) {
	t.Parallel()
	broken := errors.New("made by the test")
	for name, test := range map[string]struct {
		hook func(*publishing) error
		want error
	}{
		"an error": {func(*publishing) error { return broken }, broken},
		"a panic":  {func(*publishing) error { panic("made by the test") }, errInconsistent},
	} {
		p := newPublishing(t)
		p.n.cfg.hooks = atPoint{pointApplying: func() error { return test.hook(p) }}
		next := p.n.next
		err := p.n.publish(p.d, 1000, p.asked)
		if !errors.Is(err, test.want) || p.asked.published || p.n.turns.Load() != 0 || p.st.counter != 99 {
			t.Errorf("%s: %v, want %v; published %v, %d turns, counter %d", name, err, test.want, p.asked.published, p.n.turns.Load(), p.st.counter)
		}
		select {
		case <-next:
			t.Errorf("%s: a wait for the turn has ended", name)
		default:
		}
	}
}

// atPoint are hooks that call functions at the points of a turn.
type atPoint map[point]func() error

func (a atPoint) reached(at point) error { return try(a[at]) }

func (atPoint) handles(string, []timeline.PostID) {}

// TestChangesThatWereAppliedEarlyAreNotApplied: of changes with and without a position, those that an earlier turn
// applied before they had a position are not applied again.
func TestChangesThatWereAppliedEarlyAreNotApplied(t *testing.T) {
	t.Parallel()
	n := &Node{loop: loop{appliedEarly: map[int64]bool{1: true, 4: true}}}
	news, unplaced := n.newChanges(&timeline.Log{
		Changes: []timeline.Change{{ID: 1}, {ID: 2}}, Unplaced: []timeline.Change{{ID: 3}, {ID: 4}},
	})
	if diff := cmp.Diff([]timeline.Change{{ID: 2}, {ID: 3}}, news); diff != "" {
		t.Errorf("to be applied (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[int64]bool{3: true, 4: true}, unplaced); diff != "" {
		t.Errorf("without a position (-want +got):\n%s", diff)
	}
}
