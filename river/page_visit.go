package river

import (
	"context"
	"errors"
	"fmt"
	"time"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
)

// visits is how many times a visit waits for the loop before the primary answers the visit. It
// bounds the delay of a visit if changes overtake its build again and again.
const visits = 3

// Visit returns a page of a river. It makes the river if the river does not live, brings the river
// up to date, and keeps it alive. Errors: ErrNotFound and ErrForbidden of package timeline, even
// before the river exists, if the viewer may not open the page; ErrUnavailable; ErrBehind if the
// node can't guarantee that the page is right; and the errors of package turnstile if too many
// pages are asked for.
func (n *Node) Visit(ctx context.Context, key Key, at At) (*View, error) {
	if !n.cfg.checks.addressable(key) {
		return nil, timeline.ErrNotFound
	}
	at = key.part(at)
	if !n.inOwnOrder(key, at) {
		if n.lastBegan.Load() == 0 { // the site's settings are not known before the first turn
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

// viewFromMemory returns a page from memory, or a function with the work that the page needs
// first. It returns neither if the page is deeper than rivers are held.
func (n *Node) viewFromMemory(key Key, at At) (v *View, todo func(context.Context) error, err error) {
	if n.lastBegan.Load() == 0 { // the rivers of the river DB are shown only after the first turn
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
			need = defaultCount + 1 // make the river, and read the page below it separately
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
		low = v.Entries[shown-1].Cursor
	}
	if len(rv.marks) > 0 || !n.st.settledDownTo(rv, low) {
		wait := n.wait
		if rv.stale == 0 && len(n.st.jobs) > 0 {
			wait = n.waitSwept // else the visit might wait until a walk comes so far down
		}
		return nil, func(ctx context.Context) error { return n.waitTurn(ctx, wait(rv)) }, nil
	}
	rv.visited.Store(n.now())
	if len(v.Entries) > 0 {
		rv.reach.note(rv.find(low)+1, n.now())
	}
	if kinds[key.What].single && len(v.Entries) == 0 {
		return nil, nil, timeline.ErrNotFound
	}
	if whole {
		n.reachedAhead(rv)
		v.Age = n.Age()
		return v, nil, nil
	}
	if len(rv.order) >= deepest || at.Skip+at.count() > deepest || n.full.Load() {
		return nil, nil, nil
	}
	// The page reaches below the floor, so the river is extended to hold it.
	floor := rv.floor
	if at.upperBound().Below(floor) {
		return nil, nil, nil // the page is not the next one, so the entries between need not be held
	}
	need := min(at.count()+1, deepest)
	if at.Skip > 0 {
		need = max(need, at.Skip+at.count()+1-len(rv.order))
	}
	rv.reach.note(min(len(rv.order)+need, deepest), n.now()) // so that no turn cuts the page off before its reader sees it
	return nil, func(ctx context.Context) error {
		return n.waitBuilt(ctx, n.build(&build{key: key, client: clientOf(ctx, key.Viewer), rv: rv, from: floor, need: need}))
	}, nil
}

// settledDownTo reports whether sweeps and walks have come down to low, the last
// entry of a page, so that the page is complete. Low is zero for a page without
// entries.
func (st *state) settledDownTo(rv *river, low timeline.Cursor) bool {
	if rv.finished && len(rv.order) > 0 && low == rv.order[len(rv.order)-1].cursor {
		low = timeline.Cursor{} // entries below the last one belong to the page too
	}
	return (rv.stale == 0 || !low.Below(rv.swept)) && st.walked(rv, low)
}

// waitBuilt waits until a build is installed, and returns the build's error.
func (n *Node) waitBuilt(ctx context.Context, b *build) error {
	if err := n.waitTurn(ctx, b.done); err != nil {
		return err
	}
	return b.err
}

// waitTurn waits until done is closed. It returns ErrBehind if the loop stops
// publishing turns.
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

// FromPrimary returns a page as a fresh build would show it, and holds nothing.
// Such pages have queues of their own, so that they delay no build.
func (n *Node) FromPrimary(ctx context.Context, key Key, at At) (*View, error) {
	return n.fromPrimary(ctx, n.builds.unkeptFor(key), key, key.part(at))
}

// fromPrimary is [Node.FromPrimary] for a page that waits for one of the given slots.
func (n *Node) fromPrimary(ctx context.Context, slots *turnstile.Turnstile, key Key, at At) (*View, error) {
	v, err := n.buildView(ctx, slots, key, at, func(sn *timeline.Snapshot, d *draft, rv *river) (At, error) {
		sn.SearchFor(n.cfg.Settings.Search)
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

// buildView builds a river for this answer only, and returns a view of the river. It waits for
// one of the slots. fill reads into the river's draft, and returns the part of the river that
// the view shows.
func (n *Node) buildView(ctx context.Context, slots *turnstile.Turnstile, key Key, at At, fill func(*timeline.Snapshot, *draft, *river) (At, error)) (*View, error) {
	client := clientOf(ctx, key.Viewer)
	leave, err := slots.Enter(ctx, client)
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx = readFor(ctx, client, key.Viewer)
	for tries := 1; ; tries++ {
		v, err := n.freshOnce(ctx, key, at, fill)
		if tries == mostPoison || !errors.Is(err, errPoison) {
			return v, err
		}
	}
}

// freshOnce is one try of [Node.buildView], in a snapshot of its own. After a panic it returns an
// error, which wraps errPoison if another try may succeed.
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

// WaitApplied waits until a turn that began after the call is published. The node's pages then
// contain all commits from before the call.
func (n *Node) WaitApplied(ctx context.Context) error { return n.waitTurn(ctx, n.wait(nil)) }

// WaitRevoked is WaitApplied for a request that took a right away: after the return this node
// shows nothing that the right had allowed. If no turn is published within [Limits.Tight], the
// node shows nothing until the next one. The wait does not depend on the client's connection: a
// client that disconnects has still taken the right away, and must not be able to seal the node by
// disconnecting early.
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
		return // the turn was published after the limit passed
	}
	n.wakeAll()
	if n.cfg.Sealed != nil {
		n.cfg.Sealed()
	}
}

// sealUntil stops the node from showing anything until a turn is published. The end of an
// earlier turn does not unseal the node, because that turn may not know of the revoked right.
func (n *Node) sealUntil(turn int64) {
	for {
		was := n.sealedUntil.Load()
		if turn <= was || n.sealedUntil.CompareAndSwap(was, turn) {
			return
		}
	}
}

// sealed reports whether the node shows nothing.
func (n *Node) sealed() bool { return n.lastTurn.Load() < n.sealedUntil.Load() }

// EntryAfterWrite returns a view with one entry as it stands in a river after the
// viewer changed the post (tier 0). The view has no entries if the post is not in
// the river. It waits a short time for the loop, and then answers from the primary,
// with Live false.
func (n *Node) EntryAfterWrite(ctx context.Context, key Key, post timeline.PostID) (*View, error) {
	n.mu.RLock()
	rv := n.st.byKey[key]
	n.mu.RUnlock()
	if rv != nil {
		limit, cancel := context.WithTimeout(ctx, n.cfg.Settings.Answer)
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

// entryView composes a view of a single entry of a living river. It returns nil if
// the river ended, if the entry must be decided first, or if the river does not
// hold the post, which may then be below the floor.
func (n *Node) entryView(rv *river, post timeline.PostID) *View {
	n.mu.RLock()
	defer n.mu.RUnlock()
	e := n.st.entryOf(rv, post)
	if n.st.rivers[rv.id] != rv || (rv.stale != 0 || !rv.finished) && e == nil || rv.marks[post] || mayOpen(n.st, rv) != nil {
		return nil
	}
	c := n.st.newCardCollector()
	v := &View{Key: rv.key, Epoch: rv.epoch, Counter: n.st.counter, Position: n.st.position, Live: true,
		Sets: n.st.viewers[rv.key.Viewer].sets, Users: c.users, Groups: c.groups}
	c.visitor(nil).visitSubject(rv.key)
	if e != nil {
		if shown, may := n.st.entry(rv, e, c); may {
			v.Entries = append(v.Entries, shown)
		}
	}
	return v
}

// EntryFromMemory returns a view with the entry of a post's own page, for a viewer who may read the post. The page need
// not have a river: the entry is composed from what the node holds for other rivers. EntryFromMemory returns nil if
// the node does not hold enough: the sets of the viewer, and the post in the form that the viewer is
// shown, with all comments unless folded is set. With folded the entry may be that of a page of many posts, which leaves
// out comments in the middle. The view is of the last turn, and not live.
func (n *Node) EntryFromMemory(viewer timeline.UserID, post timeline.PostID, folded bool) *View {
	if n.sealed() || n.behind() > n.cfg.Settings.Behind {
		return nil
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	st := n.st
	v, h := st.viewers[viewer], st.held[post]
	if v == nil || h == nil || len(bannedIn(v.sets, h.facts)) > 0 {
		return nil
	}
	whole := h.all != nil || h.fold.Comments.Count == len(h.fold.Comments.Comments)
	if !whole && !folded {
		return nil
	}
	key := Key{Viewer: viewer, What: KindPost, TheirID: int64(post)}
	rv := &river{key: key, sorted: orderOf(st, key)}
	rv.finished = true // so that the post is decided wherever it stands
	e := decide(st, rv, h.facts)
	if e == nil {
		return nil
	}
	e.post, e.own = h, ownHash(st, rv, e, h.facts)
	if h.all == nil && whole {
		all := *h.fold
		all.Comments.All = true
		e.ownRest().fold, e.ownRest().hash = &all, foldHash(&all)
	}
	c := st.newCardCollector()
	c.visitor(nil).visitSubject(key)
	return &View{Key: key, Position: st.position, Sets: v.sets, Users: c.users, Groups: c.groups, Entries: []Entry{st.compose(rv, e, c)}}
}

// entryFromPrimary composes a view of a single entry from the primary.
func (n *Node) entryFromPrimary(ctx context.Context, key Key, post timeline.PostID) (*View, error) {
	return n.buildView(ctx, n.builds.viewerSlots(key.Viewer).builds, key, At{}, func(sn *timeline.Snapshot, d *draft, rv *river) (At, error) {
		d.enqueue(rv, post)
		return At{}, d.fill(ctx, sn)
	})
}

// WaitPosition waits a short time until the node contains the change log up to a position that a
// page carries. It returns [ErrBehind] if the node does not get there.
//
// A position was in the log before a page carried the position. So a turn that begins after the
// call contains the position, whichever node made the page. A position above the log's end comes
// from another log, as before a restore, or was made up by a client; such a page must not be
// refused until the log has grown so far.
//
// Any client can send any position, so a call asks for a turn by [Node.waitSoon]. A position that
// another node gave out needs no more: the other node's sequencer rang the doorbell of every node.
func (n *Node) WaitPosition(ctx context.Context, position int64) error {
	limit := time.NewTimer(n.cfg.Settings.Answer + n.cfg.Settings.Poll)
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
