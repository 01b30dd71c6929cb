package river

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// A manual is a node without a loop: the test takes its turns.
type manual struct {
	*testSite
	n      *Node
	at     atPoint // the hooks of the next turn
	turns  []Turn
	ended  [][]byte
	forgot int
	log    strings.Builder
}

// byHand ends the node's loop, and opens a node without one on its river DB.
func (p *testSite) byHand(set Settings) *manual {
	p.t.Helper()
	p.stop()
	m := &manual{testSite: p, at: atPoint{}}
	set.patient()
	node, err := Open(p.t.Context(), Config{
		Store: p.store, Path: p.path, Settings: set, Now: p.clock.now, Log: slog.New(slog.NewTextHandler(io.Writer(&m.log), nil)), hooks: m.at,
		Turned: func(t Turn) { m.turns = append(m.turns, t) },
		Ended:  func(token []byte) { m.ended = append(m.ended, token) },
		Forgot: func() { m.forgot++ },
	})
	p.must(err)
	m.n = node
	p.t.Cleanup(m.close)
	return m
}

func (m *manual) close() {
	m.n.end()
	m.n.builds.wait()
	if m.n.db != nil {
		if err := m.n.db.close(true); err != nil {
			m.t.Error(err)
		}
		m.n.db = nil
	}
}

// open makes pages listen to each river, so that a turn decides changed entries itself and leaves no marks.
func (m *manual) open(listening int32) {
	for _, rv := range m.n.st.rivers {
		rv.watching.Store(listening)
	}
}

// turn takes a turn, and then removes the hooks.
func (m *manual) turn(ctx context.Context) (more bool, err error) {
	taken := m.n.takeAsks()
	more, err = m.n.turn(ctx, taken)
	if !taken.published {
		m.n.asks.putBack(taken)
	}
	clear(m.at)
	return more, err
}

// quiet takes a turn that must succeed and leave no work.
func (m *manual) quiet() {
	m.t.Helper()
	if more, err := m.turn(m.t.Context()); more || err != nil {
		m.t.Fatalf("a turn: more %v, %v", more, err)
	}
}

// TestTurnThatFailsChangesNothing breaks each step of a turn, by an error or by a context that ends: the turn fails, the state
// stays as it was, and the next turn does the work of the failed one.
func TestTurnThatFailsChangesNothing(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	post := p.post("bob", "one")
	p.visit(p.home("ann"))
	p.visit(Key{Viewer: p.user("ann"), What: KindSearch, Query: "one"})
	m := p.byHand(Settings{})
	m.open(1)
	broken := errors.New("made by the test")
	// The count of ann's notices is the only statement of this turn after its changes are routed.
	ctx, cancel := context.WithCancel(t.Context())
	m.at[pointRouted] = func() error { cancel(); return nil }
	if more, err := m.turn(ctx); more || !errors.Is(err, context.Canceled) || m.n.turns.Load() != 0 {
		t.Errorf("a turn whose count fails: more %v, %v", more, err)
	}
	m.quiet()
	for i, test := range []struct {
		at   point
		ends bool // the context ends; else the point fails
	}{
		{pointBegun, false}, {pointSequenced, false}, {pointRead, false}, {pointRouted, false}, {pointDecided, false}, {pointWritten, false}, {pointApplying, false},
		{pointBegun, true}, {pointSequenced, true}, {pointRead, true}, {pointRouted, true},
	} {
		p.comment("bob", post, fmt.Sprint("the comment ", i))
		counter, turns, position := m.n.st.counter, m.n.turns.Load(), m.n.st.position
		ctx, cancel := context.WithCancel(t.Context())
		want := broken
		m.at[test.at] = func() error { return broken }
		if test.ends {
			want = context.Canceled
			m.at[test.at] = func() error { cancel(); return nil }
		}
		more, err := m.turn(ctx)
		cancel()
		if more || !errors.Is(err, want) || m.n.st.counter != counter || m.n.turns.Load() != turns || m.n.st.position != position {
			t.Errorf("a turn that fails at %q, by its context %v: more %v, %v; counter %d after %d", test.at, test.ends, more, err, m.n.st.counter, counter)
		}
		if told := len(m.n.following) == 1; told != (test.at != pointBegun && test.at != pointSequenced && (test.at != pointRead || test.ends)) {
			t.Errorf("a turn that fails at %q, by its context %v, followed %d changes", test.at, test.ends, len(m.n.following))
		}
		m.quiet()
		if m.n.st.counter != counter+1 || m.n.turns.Load() != turns+1 || m.n.following != nil || m.n.st.held[post].fold.Comments.Count != i+1 {
			t.Errorf("after a turn that failed at %q: counter %d after %d, followed %v, %d comments", test.at, m.n.st.counter, counter, m.n.following, m.n.st.held[post].fold.Comments.Count)
		}
	}
	for table, failure := range map[string]string{"site_settings": "log after", "post_words": "match"} {
		_, err := p.store.Pool().Exec(t.Context(), `insert into changes (kind, post_id, worded) values ('post', $1, true)`, post)
		p.must(err)
		_, err = p.store.Pool().Exec(t.Context(), `alter table `+table+` rename to away`)
		p.must(err)
		if more, err := m.turn(t.Context()); more || err == nil || !strings.Contains(err.Error(), failure) {
			t.Errorf("a turn that can't read the table %s: more %v, %v", table, more, err)
		}
		_, err = p.store.Pool().Exec(t.Context(), `alter table away rename to `+table)
		p.must(err)
		m.quiet()
	}
	turns := m.n.turns.Load()
	m.at[pointPublished] = func() error { return broken }
	if _, err := m.turn(t.Context()); !errors.Is(err, broken) || m.n.turns.Load() != turns+1 {
		t.Errorf("a turn that fails after it was published: %v, %d turns after %d", err, m.n.turns.Load(), turns)
	}
}

// TestTurnTakesOverWhatItRead: after a turn the node has the new position, the settings of the site, the changes for builds under way
// and the state of the quarantine, and no longer the rivers that expired.
func TestTurnTakesOverWhatItRead(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	post := p.post("bob", "one")
	p.visit(p.home("ann"))
	m := p.byHand(Settings{})
	m.quiet()
	if m.n.Site() == (timeline.SiteSettings{}) || m.n.lastBegan.Load() == 0 || len(m.turns) != 1 || m.turns[0].Took <= 0 {
		t.Errorf("after the first turn: settings %+v, begun at %d, %+v", m.n.Site(), m.n.lastBegan.Load(), m.turns)
	}
	m.open(1)
	b := &build{key: everything(0)}
	m.n.builds.under = map[buildID]*build{{b.key, b.from}: b}
	m.n.quarantine.suspects[post], m.n.quarantine.released[99] = true, true
	m.n.quarantine.posts[98], m.n.following = 0, []timeline.Change{{ID: 7, Post: 98}}
	rv := m.n.st.byKey[p.home("ann")]
	rv.leaving, m.n.leaving = true, []*river{rv}
	p.like("ann", post)
	m.at[pointDecided] = func() error { // the pool takes a connection back beside the turn
		for until := time.Now().Add(patience); p.store.Pool().Stat().AcquiredConns() > 0; time.Sleep(time.Millisecond) {
			if time.Now().After(until) {
				return errors.New("the turn still has a connection to the primary")
			}
		}
		return nil
	}
	position := m.n.st.position
	m.quiet()
	if !b.dirty.posts[post] {
		t.Error("a build under way is not told of the change")
	}
	if q := m.n.quarantine; q.suspects[post] || len(q.released) > 0 || q.posts[98] != 7 {
		t.Errorf("the quarantine suspects %v, has released %v, and tried %v", q.suspects, q.released, q.posts)
	}
	if rv.leaving || m.n.draft.counter != m.n.st.counter {
		t.Errorf("leaving %v; the draft of the turn has counter %d", rv.leaving, m.n.draft.counter)
	}
	if st := m.n.st; st.position <= position || st.whole != st.position || st.cursor != st.position || st.nonce == "" || st.logEpoch == "" {
		t.Errorf("position %d after %d, whole %d, cursor %d", st.position, position, st.whole, st.cursor)
	}
	if last := m.turns[len(m.turns)-1]; last.Changes == 0 || last.Decided == 0 || m.n.counts.lag.Load() != int64(last.Changes) {
		t.Errorf("the turn reports %+v, and was %d changes behind", last, m.n.counts.lag.Load())
	}
	clear(m.n.builds.under)
	m.quiet()
	if last := m.turns[len(m.turns)-1]; last.Changes != 0 || m.n.counts.lag.Load() != 0 {
		t.Errorf("the turn reports %+v without changes", last)
	}
	m.open(0)
	p.clock.advance(48 * time.Hour)
	m.n.Expire()
	m.quiet()
	if len(m.n.st.rivers) != 0 {
		t.Error("the home did not expire")
	}
}

// TestTurnMakesRoom: a turn drops a river for which there is no room.
func TestTurnMakesRoom(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.post("ann", "one")
	p.visit(p.home("ann"))
	m := p.byHand(Settings{Memory: 1})
	if _, err := m.turn(t.Context()); err != nil || len(m.n.st.rivers) != 0 {
		t.Errorf("%d rivers live where there is no room (%v)", len(m.n.st.rivers), err)
	}
}

// TestTurnReadsChangesWithoutAPosition: a turn follows changes that are committed after it gave positions to changes and before its
// snapshot.
func TestTurnReadsChangesWithoutAPosition(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	m := p.byHand(Settings{})
	m.quiet()
	head := func() (head int64) {
		head, err := p.store.Sequence(t.Context())
		p.must(err)
		return head
	}
	at := head()
	session := func(token string) {
		_, err := p.store.Pool().Exec(t.Context(), `insert into changes (kind, token) values ('session', $1)`, []byte(token))
		p.must(err)
	}
	m.at[pointSequenced] = func() error { session("one"); return nil }
	m.quiet()
	if st := m.n.st; st.cursor != at || st.position != at+1 || st.whole != at+1 || string(m.ended[0]) != "one" {
		t.Errorf("one change without a position: cursor %d, position %d, whole %d; it was %d; ended %q", st.cursor, st.position, st.whole, at, m.ended)
	}
	p.post("ann", "no session ends")
	m.quiet()
	if len(m.ended) != 1 || m.turns[len(m.turns)-1].Changes == 0 {
		t.Errorf("the change was applied twice, or the one after it not: ended %q, %+v", m.ended, m.turns)
	}
	// A change that was written before and is committed after the turn's snapshot stands between.
	at = head()
	tx, err := p.store.Pool().Begin(t.Context())
	p.must(err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	_, err = tx.Exec(t.Context(), `insert into changes (kind, token) values ('session', 'late')`)
	p.must(err)
	m.at[pointSequenced] = func() error { session("two"); return nil }
	m.at[pointWritten] = func() error { return tx.Commit(t.Context()) }
	m.quiet()
	if st := m.n.st; st.position != at+2 || st.whole != at {
		t.Errorf("a change stands between: position %d, whole %d; it was %d", st.position, st.whole, at)
	}
	m.quiet()
	if st := m.n.st; st.position != at+2 || st.whole != at+2 || len(m.ended) != 3 || string(m.ended[2]) != "late" {
		t.Errorf("after that: position %d, whole %d; it was %d; ended %q", st.position, st.whole, at, m.ended)
	}
	// Without the primary the position is not known yet.
	at = head()
	ctx, cancel := context.WithCancel(t.Context())
	m.at[pointSequenced] = func() error { session("three"); return nil }
	m.at[pointWritten] = func() error { cancel(); return nil }
	if more, err := m.turn(ctx); more || err != nil {
		t.Errorf("a turn that loses the primary in the end: more %v, %v", more, err)
	}
	if st := m.n.st; st.position != at || st.whole != at || !strings.Contains(m.log.String(), "the position of changes is not known yet") {
		t.Errorf("after a turn that lost the primary: position %d, whole %d; it was %d", st.position, st.whole, at)
	}
	m.quiet()
	if st := m.n.st; st.position != at+1 || len(m.ended) != 4 {
		t.Errorf("after that: position %d; it was %d; ended %q", st.position, at, m.ended)
	}
}

// TestTurnWithoutTheSequencerFails: a turn that went on would follow changes without positions for as long as the
// sequencer fails, and no one would be told.
func TestTurnWithoutTheSequencerFails(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	m := p.byHand(Settings{})
	m.quiet()
	rename := func(from, to string) {
		_, err := p.store.Pool().Exec(t.Context(), "alter function "+from+"(int) rename to "+to)
		p.must(err)
	}
	rename("sequence_changes", "moved_away")
	if _, err := m.turn(t.Context()); err == nil {
		t.Error("the turn succeeded")
	}
	rename("moved_away", "sequence_changes")
	m.quiet()
}

// TestTurnThatCannotFollowTheLogDropsAllRivers: such a turn also reports that it dropped them, and takes the position of the log's
// head, even if this is lower than before.
func TestTurnThatCannotFollowTheLogDropsAllRivers(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.post("ann", "one")
	p.visit(p.home("ann"))
	m := p.byHand(Settings{})
	m.quiet()
	position := m.n.st.position
	m.n.st.logEpoch, m.n.st.position = brokenEpoch, 1<<40
	p.post("ann", "two")
	if more, err := m.turn(t.Context()); !more || err != nil {
		t.Errorf("more %v, %v", more, err)
	}
	if st := m.n.st; len(st.rivers) != 0 || m.forgot != 1 || st.position <= position || st.position > 1000 || !strings.Contains(m.log.String(), "the change log can't be followed") {
		t.Errorf("%d rivers, %d times told, position %d after %d", len(st.rivers), m.forgot, st.position, position)
	}
	m.quiet()
	at := m.n.st.position
	m.n.st.position = at + 10 // a page had it
	m.quiet()
	if m.n.st.position != at+10 {
		t.Errorf("position %d, and pages had %d", m.n.st.position, at+10)
	}
}

// TestTurnWithoutItsRiverDBMakesAnother: a turn that has lost the river DB makes a new file, and each turn writes some rivers to it.
func TestTurnWithoutItsRiverDBMakesAnother(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.post("ann", "one")
	for _, name := range []string{"ann", "bob"} {
		p.visit(p.page(name, KindUser, "ann"))
	}
	set := Settings{}
	set.saved, set.SaveAgain = 1, time.Nanosecond
	m := p.byHand(set)
	m.quiet()
	p.must(os.Remove(p.path))
	for turn, want := range []bool{true, false} {
		if more, err := m.turn(t.Context()); more != want || err != nil {
			t.Errorf("turn %d: more %v, %v", turn, more, err)
		}
	}
	if _, err := os.Stat(p.path); err != nil {
		t.Error(err)
	}
	m.close()
	if again := p.byHand(set); len(again.n.st.rivers) != 2 {
		t.Errorf("the next node has %d rivers, want 2", len(again.n.st.rivers))
	}
}

// TestTurnAsksForAnotherWhileWorkIsLeft: a turn reports that it left work, in each case one kind: a river with marks, a job, or a
// river that is swept.
func TestTurnAsksForAnotherWhileWorkIsLeft(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	for _, text := range []string{"one", "two", "three"} {
		p.post("ann", text)
	}
	key := p.page("bob", KindUser, "ann")
	p.visit(key)
	set := Settings{}
	set.chunk, set.Marks = 1, 1
	m := p.byHand(set)
	m.quiet()
	for name, test := range map[string]struct {
		left func(rv *river)
		want []bool
	}{
		"a river with two marks": {func(rv *river) {
			rv.marks = map[timeline.PostID]bool{rv.order[0].post.facts.ID: true, rv.order[1].post.facts.ID: true}
			m.n.queue = []*river{rv}
		}, []bool{true, false}},
		"a job": {func(rv *river) {
			m.n.st.jobs = []job{{kind: jobRecheck, timeline: rv.order[0].post.facts.Places[0], at: timeline.Top, known: true, pending: make([]timeline.PostID, 21)}}
			for i := range m.n.st.jobs[0].pending { // each counts as one of the twenty entries of a turn
				m.n.st.jobs[0].pending[i] = rv.order[0].post.facts.ID
			}
		}, []bool{true, false}},
		"a river that is swept": {func(rv *river) { rv.stale, rv.swept, m.n.stale = 1, timeline.Top, map[*river]bool{rv: true} }, []bool{true, true, true, false}},
	} {
		test.left(m.n.st.byKey[key])
		for turn, want := range test.want {
			if more, err := m.turn(t.Context()); more != want || err != nil {
				t.Errorf("%s, turn %d: more %v, %v", name, turn, more, err)
			}
		}
		if rv := m.n.st.byKey[key]; len(rv.marks) > 0 || rv.stale != 0 {
			t.Errorf("%s: %d marks are left, stale since %d", name, len(rv.marks), rv.stale)
		}
	}
}

// TestTurnRoutesEachKindOfChange makes a change of each kind, and checks its effect on ann's home, or on another river, after a turn.
func TestTurnRoutesEachKindOfChange(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "eve")
	p.makeGroup("bob", "tea", "public")
	p.follow("ann", "bob")
	one, two := p.post("bob", "one"), p.post("bob", "two", "user", "group:tea")
	p.post("eve", "of eve")
	p.visit(p.home("ann"))
	p.visit(p.page("eve", KindUser, "bob"))
	m := p.byHand(Settings{})
	m.quiet()
	settle := func() {
		t.Helper()
		for range 20 {
			more, err := m.turn(t.Context())
			p.must(err)
			if !more {
				return
			}
		}
		t.Error("turns go on and on")
	}
	home := func() *river { return m.n.st.byKey[p.home("ann")] }

	p.like("eve", one)
	settle()
	if h := m.n.st.held[one]; len(h.facts.Likers) != 1 || len(h.fold.Likes.Users) != 1 {
		t.Errorf("a like: %+v, %+v", h.facts, h.fold.Likes)
	}
	p.must(p.store.SetProfile(t.Context(), p.user("bob"), timeline.ProfileEdit{DisplayName: new("Robert")}))
	_, err := p.store.Pool().Exec(t.Context(), `update groups set display_name = 'Tea' where name = 'tea'`)
	p.must(err)
	_, err = p.store.Pool().Exec(t.Context(), `insert into changes (kind, group_id) select 'card', id from groups where name = 'tea'`)
	p.must(err)
	settle()
	for id, c := range m.n.st.groups {
		if c.card.DisplayName != "Tea" {
			t.Errorf("the card of group %d: %+v", id, c.card)
		}
	}
	if c := m.n.st.users[p.user("bob")].card; c.DisplayName != "Robert" || len(m.n.st.groups) != 1 || m.n.st.held[two].touched == 0 {
		t.Errorf("the cards: %+v and %d groups; the post that shows them changed at %d", c, len(m.n.st.groups), m.n.st.held[two].touched)
	}
	p.post("eve", "hello @ann")
	settle()
	if n := m.n.st.unread(p.user("ann")); n.Notices != 1 {
		t.Errorf("a notice: %d are unread", n.Notices)
	}
	held := len(home().order)
	p.follow("ann", "eve")
	settle()
	sets := m.n.st.viewers[p.user("ann")].sets
	for id := range sets.Home() {
		if _, known := m.n.st.timelines[id]; !known {
			t.Errorf("the node does not know timeline %d, which feeds the home", id)
		}
	}
	if got := len(home().order); got != held+2 {
		t.Errorf("a subscription: %d entries after %d", got, held)
	}
	p.status("bob", "protected")
	p.status("bob", "private") // in one turn
	settle()
	if m.n.st.byKey[p.page("eve", KindUser, "bob")] != nil {
		t.Error("a page that its viewer may no longer open lives on")
	}
	for id, at := range m.n.st.accessAt {
		if before := m.n.st.accessBefore[id]; at == 0 || before != 0 {
			t.Errorf("the access of timeline %d changed at %d, and before at %d", id, at, before)
		}
	}
	if len(m.n.st.accessAt) == 0 {
		t.Error("no timeline's access has changed")
	}
	m.n.quarantine.posts[one] = 1 << 40
	settle()
	if m.n.st.entryOf(home(), one) != nil || m.n.st.entryOf(home(), two) == nil {
		t.Error("a post in quarantine is in the home, or another is not")
	}
	rv, before := home(), m.n.st.counter
	walk := job{kind: jobWalk, timeline: 1 << 40, since: rv.sweptSince + 1, at: timeline.Top}
	m.n.st.jobs = []job{walk, walk} // a turn takes the first
	m.n.asks.resweep = map[*river]bool{rv: true}
	settle()
	if rv.sweptSince != before+1 {
		t.Errorf("a sweep that was asked for did not begin: the last began at %d, want %d", rv.sweptSince, before+1)
	}
}

// TestStatementThatFailsFailsTheRouting closes the snapshot of a turn, which the routing of each kind of change reads.
func TestStatementThatFailsFailsTheRouting(t *testing.T) {
	t.Parallel()
	p := newTestSite(t)
	sn, err := p.store.Snapshot(t.Context())
	p.must(err)
	sn.Close()
	away := func(timeline.Choice, timeline.Cursor, int) (timeline.Chosen, error) {
		return timeline.Chosen{Posts: []timeline.Cursor{cursorAt(44, 25)}}, nil
	}
	route := func(c timeline.Change) func(*applied, *router) error {
		return func(_ *applied, r *router) error { return r.route(t.Context(), sn, []timeline.Change{c}) }
	}
	for name, fails := range map[string]func(*applied, *router) error{
		"the sets of a viewer":     route(timeline.Change{Kind: timeline.ChangeViewer, User: 1}),
		"the access of a timeline": route(timeline.Change{Kind: timeline.ChangeAccess, Timelines: []timeline.TimelineID{10}}),
		"a card":                   route(timeline.Change{Kind: timeline.ChangeCard, User: 2}),
		"the facts of a post":      route(timeline.Change{Kind: timeline.ChangePost, Post: 7}),
		"a job": func(a *applied, r *router) error {
			a.d.log.jobs = []job{{kind: jobWalk, timeline: 10, at: timeline.Top}}
			return r.route(t.Context(), sn, nil)
		},
		"the facts of a post of a walk": func(_ *applied, r *router) error {
			_, err := r.walk(t.Context(), sn, away, &job{timeline: 10, at: timeline.Top})
			return err
		},
		"the words of a post of a walk": func(a *applied, r *router) error {
			a.d.facts[44] = a.st.held[7].facts
			rv := a.make(2, Key{Viewer: 1, What: KindSearch, Query: "x"})
			rv.query = p.compiled("x")
			a.st.search[rv] = true
			_, err := r.walk(t.Context(), sn, away, &job{timeline: 10, at: timeline.Top})
			return err
		},
		"a count": func(_ *applied, r *router) error {
			r.unread = map[timeline.UserID]bool{1: true}
			r.draft.sets[1] = &timeline.Sets{User: 1, Own: map[timeline.What]timeline.TimelineID{timeline.WhatUser: 9}}
			return r.count(t.Context(), sn)
		},
	} {
		a := newApplied(t)
		a.st.users[2] = card[*timeline.UserCard]{}
		r := a.routing()
		r.node.quarantine = a.st.quarantine
		if err := fails(a, r); err == nil {
			t.Errorf("%s can't be read, and the routing goes on", name)
		}
	}
}

// compiled returns the query of a search.
func (p *testSite) compiled(text string) *timeline.Query {
	p.t.Helper()
	sn, err := p.store.Snapshot(p.t.Context())
	p.must(err)
	defer sn.Close()
	rv := &river{key: Key{What: KindSearch, Query: text}}
	p.must(rv.compile(p.t.Context(), sn))
	return rv.query
}
