package river

import (
	"context"
	"errors"
	"fmt"
	"time"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
)

// visits is how often a visit goes through the loop before it is answered from
// the primary: a build that is overtaken again and again holds nobody up.
const visits = 3

// Visit answers a page of a river. The river is made if it does not live, and
// brought right if it is not; it is kept from now on. Errors: ErrNotFound and
// ErrForbidden of package timeline (who may not open a page is told so before
// there is a river), ErrUnavailable, ErrBehind when the node can't vouch for the
// page, and those of package turnstile when too many pages are asked for.
func (n *Node) Visit(ctx context.Context, key Key, at At) (*View, error) {
	if !n.cfg.checks.addressable(key) {
		return nil, timeline.ErrNotFound
	}
	at = key.part(at)
	if !n.inOwnOrder(key, at) {
		if n.lastBegan.Load() == 0 { // what the site's settings are is not known before
			if err := n.waitTurn(ctx, n.wait(nil)); err != nil {
				return nil, err
			}
		}
		return n.FromPrimary(ctx, key, at)
	}
	for range visits {
		v, todo, err := n.viewFromMemory(key, at)
		if err != nil || v != nil {
			return v, err
		}
		if n.behind() > n.cfg.Settings.Behind {
			return nil, ErrBehind
		}
		if todo == nil {
			return n.FromPrimary(ctx, key, at)
		}
		if err := todo(ctx); err != nil {
			if errors.Is(err, errAgain) || errors.Is(err, ErrGone) {
				continue
			}
			return nil, err
		}
	}
	return n.fromPrimary(ctx, n.builds.slotsFor(key), key, at)
}

// look answers a page from memory, or what must be done first. Neither: the
// page is deeper than rivers are held.
func (n *Node) viewFromMemory(key Key, at At) (v *View, todo func(context.Context) error, err error) {
	if n.lastBegan.Load() == 0 { // what it found at its start is shown after the first turn
		return nil, func(ctx context.Context) error { return n.waitTurn(ctx, n.wait(nil)) }, nil
	}
	if n.sealed() || n.Age() > n.cfg.Settings.Blind {
		return nil, nil, ErrBehind
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	deepest := n.cfg.Settings.Deepest
	rv := n.st.byKey[key]
	if rv == nil && n.full.Load() {
		return nil, nil, nil
	}
	if rv == nil {
		need := at.Skip + at.count() + 1
		if need > deepest || at.upperBound() != timeline.Top {
			need = defaultCount + 1 // the river is made; the page comes below it
		}
		return nil, func(ctx context.Context) error {
			return n.waitBuilt(ctx, n.build(&build{key: key, client: clientOf(ctx, key.Viewer), from: timeline.Top, need: need}))
		}, nil
	}
	if err := mayOpen(n.st, rv); err != nil {
		return nil, nil, err
	}
	v, whole := n.st.view(rv, at)
	var low timeline.Cursor
	if shown := len(v.Entries); shown > 0 {
		low = v.Entries[shown-1].Place
	}
	if len(rv.marks) > 0 || !n.st.settledDownTo(rv, low) {
		wait := n.wait
		if rv.stale == 0 && len(n.st.jobs) > 0 {
			wait = n.waitSwept // rather than for a walk to come so far
		}
		return nil, func(ctx context.Context) error { return n.waitTurn(ctx, wait(rv)) }, nil
	}
	rv.visited.Store(n.now())
	if kinds[key.What].single && len(v.Entries) == 0 {
		return nil, nil, timeline.ErrNotFound
	}
	if whole {
		v.Age = n.Age()
		return v, nil, nil
	}
	if len(rv.order) >= deepest || at.Skip+at.count() > deepest || n.full.Load() {
		return nil, nil, nil
	}
	// The page reaches below the floor: the river is extended to hold it.
	floor := rv.floor
	if at.upperBound().Below(floor) {
		return nil, nil, nil // far below: not the next page, no need to hold what is between
	}
	need := min(at.count()+1, deepest)
	if at.Skip > 0 {
		need = max(need, at.Skip+at.count()+1-len(rv.order))
	}
	return nil, func(ctx context.Context) error {
		return n.waitBuilt(ctx, n.build(&build{key: key, client: clientOf(ctx, key.Viewer), rv: rv, from: floor, need: need}))
	}, nil
}

// reached says whether sweeps and walks came down to the last entry of a page of
// a river, zero for a page without any: it shows all that it should.
func (st *state) settledDownTo(rv *river, low timeline.Cursor) bool {
	if rv.stale == 0 && len(st.jobs) == 0 {
		return true
	}
	if rv.finished && len(rv.order) > 0 && low == rv.order[len(rv.order)-1].cursor {
		low = timeline.Cursor{} // what would stand below it belongs to the page
	}
	return (rv.stale == 0 || !low.Below(rv.swept)) && st.walked(rv, low)
}

// built waits until a build is installed.
func (n *Node) waitBuilt(ctx context.Context, b *build) error {
	if err := n.waitTurn(ctx, b.done); err != nil {
		return err
	}
	return b.err
}

// through waits until the loop has come through, as long as it comes through
// at all.
func (n *Node) waitTurn(ctx context.Context, done <-chan struct{}) error {
	ticker := time.NewTicker(n.cfg.Settings.Poll)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			if n.behind() > n.cfg.Settings.Behind {
				return ErrBehind
			}
		}
	}
}

// FromPrimary answers a page as a fresh build would show it. Nothing is held. Such
// pages wait in lines of their own, so that they delay no build.
func (n *Node) FromPrimary(ctx context.Context, key Key, at At) (*View, error) {
	return n.fromPrimary(ctx, n.builds.unkeptFor(key), key, key.part(at))
}

func (n *Node) fromPrimary(ctx context.Context, slots *turnstile.Turnstile, key Key, at At) (*View, error) {
	v, err := n.fresh(ctx, slots, key, at, func(sn *timeline.Snapshot, d *draft, rv *river) (At, error) {
		sn.SearchFor(n.cfg.Settings.searchFor)
		if at.Order == OrderTop {
			return at, d.fillRange(ctx, sn, rv, timeline.Top, timeline.Cursor{}, n.cfg.Settings.Deepest, n.cfg.Settings.Candidates)
		}
		rv.includes = at.includes
		if at.Skip > 0 {
			return n.deepPage(ctx, sn, d, rv, at)
		}
		return at, d.fillRange(ctx, sn, rv, at.upperBound(), timeline.Cursor{}, at.count()+1, n.cfg.Settings.Candidates)
	})
	if err == nil && kinds[key.What].single && len(v.Entries) == 0 {
		return nil, timeline.ErrNotFound
	}
	return v, err
}

// fresh composes a view of a river that is made for this answer only, of what
// fill puts into its draft, in one of the slots. Fill returns which part of that
// the view shows.
func (n *Node) fresh(ctx context.Context, slots *turnstile.Turnstile, key Key, at At, fill func(*timeline.Snapshot, *draft, *river) (At, error)) (*View, error) {
	leave, err := slots.Enter(ctx, clientOf(ctx, key.Viewer))
	if err != nil {
		return nil, err
	}
	defer leave()
	for tries := 1; ; tries++ {
		v, err := n.freshOnce(ctx, key, at, fill)
		if tries == mostPoison || !errors.Is(err, errPoison) {
			return v, err
		}
	}
}

func (n *Node) freshOnce(ctx context.Context, key Key, at At, fill func(*timeline.Snapshot, *draft, *river) (At, error)) (v *View, err error) {
	d := newDraft(n.empty())
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, fmt.Errorf("composing %v: %w", key, n.poisonError(d, p))
		}
	}()
	sn, err := n.store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer sn.Close()
	rv, err := d.construct(ctx, sn, key)
	if err != nil {
		return nil, err
	}
	rv.setOrder(at)
	part, err := fill(sn, d, rv)
	if err != nil {
		return nil, err
	}
	if err := n.countFresh(ctx, sn, d, key.Viewer); err != nil {
		return nil, err
	}
	d.base.apply(d, n.now())
	if at.Order == OrderTop {
		d.base.sortByScore(rv)
	}
	n.quarantine.clearSuspects(d.handledAlone)
	v, _ = d.base.view(rv, part)
	v.Live, v.Epoch, v.Counter, v.Changed, v.Number = false, "", 0, 0, at.Skip
	return v, nil
}

// WaitApplied returns when a turn begun after the call has been published: everything
// committed before it is in whatever is shown from then on.
func (n *Node) WaitApplied(ctx context.Context) error { return n.waitTurn(ctx, n.wait(nil)) }

// WaitRevoked is WaitApplied for a request that took a right away: when it answers,
// nothing that this node shows from then on has what was taken. If the loop
// does not come through in time the node shows nothing until it does. It goes on
// if the asker leaves: what he took away is taken all the same, and he must not
// be able to close the node by leaving early.
func (n *Node) WaitRevoked() {
	turn := n.asks.nextTurn()
	done := n.wait(nil)
	limit := time.NewTimer(n.cfg.Settings.Tight)
	defer limit.Stop()
	select {
	case <-done:
		return
	case <-limit.C:
	}
	n.sealUntil(turn)
	if !n.sealed() {
		return // between the two: the loop was through
	}
	n.wakeAll()
	if n.cfg.Sealed != nil {
		n.cfg.Sealed()
	}
}

// seal has nothing shown until a turn is through. One that began before it, and
// is under way, may not know what was taken: it opens nothing.
func (n *Node) sealUntil(turn int64) {
	for {
		was := n.sealedUntil.Load()
		if turn <= was || n.sealedUntil.CompareAndSwap(was, turn) {
			return
		}
	}
}

// shut says whether the node is sealed.
func (n *Node) sealed() bool { return n.lastTurn.Load() < n.sealedUntil.Load() }

// EntryAfterWrite answers one entry as it now stands in a river, after its viewer changed
// it (tier 0); a View without entries if the post is not in it. It waits for the
// loop a little, then answers from the primary, with Live false.
func (n *Node) EntryAfterWrite(ctx context.Context, key Key, post timeline.PostID) (*View, error) {
	n.mu.RLock()
	rv := n.st.byKey[key]
	n.mu.RUnlock()
	if rv != nil {
		limit, cancel := context.WithTimeout(ctx, n.cfg.Settings.acted)
		err := n.waitTurn(limit, n.wait(rv))
		cancel()
		if err == nil && !n.sealed() {
			if v := n.entryView(rv, post); v != nil {
				return v, nil
			}
		}
	}
	return n.entryFromPrimary(ctx, key, post)
}

// one composes a view of a single entry of a living river; nil: it ended, or the
// entry is to be decided first, or it does not hold the post, which may be below
// what it holds.
func (n *Node) entryView(rv *river, post timeline.PostID) *View {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if n.st.rivers[rv.id] != rv || (rv.stale != 0 || !rv.finished) && rv.entries[post] == nil || rv.marks[post] || mayOpen(n.st, rv) != nil {
		return nil
	}
	c := n.st.newCardCollector()
	v := &View{Key: rv.key, Epoch: rv.epoch, Counter: n.st.counter, Position: n.st.position, Live: true,
		Sets: n.st.viewers[rv.key.Viewer].sets, Users: c.users, Groups: c.groups}
	c.visitor(nil).visitSubject(rv.key)
	if e := rv.entries[post]; e != nil {
		if shown, may := n.st.entry(rv, e, c); may {
			v.Entries = append(v.Entries, shown)
		}
	}
	return v
}

// oneFromPrimary composes a view of a single entry from the primary.
func (n *Node) entryFromPrimary(ctx context.Context, key Key, post timeline.PostID) (*View, error) {
	return n.fresh(ctx, n.builds.of(key.Viewer).builds, key, At{}, func(sn *timeline.Snapshot, d *draft, rv *river) (At, error) {
		d.enqueue(rv, post)
		return At{}, d.fill(ctx, sn)
	})
}

// WaitPosition waits a little until the node contains all of the change log up to a
// position that a page carries, and answers [ErrBehind] if the node does not get
// there.
//
// A position was in the log before a page carried it, so a turn that begins
// after the call contains it, on whichever node the page was made. A position
// above even that belongs to another log, as before a restore, or was made up:
// such a page must not be sent away again and again until the log has grown so far.
//
// Anybody can send any position, so a call asks for a turn as [Node.soon] does. A
// position that another node gave out needs no more: that node's sequencer rang
// every node's doorbell.
func (n *Node) WaitPosition(ctx context.Context, position int64) error {
	limit := time.NewTimer(n.cfg.Settings.acted + n.cfg.Settings.Poll)
	defer limit.Stop()
	var begun <-chan struct{}
	for {
		whole, next := n.whole()
		if whole >= position {
			return nil
		}
		if begun == nil {
			begun = n.waitSoon()
		}
		select {
		case <-begun:
			return nil
		case <-next:
		case <-limit.C:
			return ErrBehind
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
