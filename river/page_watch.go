package river

import (
	"context"
	"slices"
	"sync/atomic"

	"amstel.dev/amstel/timeline"
)

// A Watch keeps a river open: it is tier 1 until the watch is closed.
type Watch struct {
	node *Node
	rv   *river
	c    chan struct{}

	fills atomic.Int32 // how often the river may yet be extended to fill a window
}

// mostOps is how many entries a patch may touch before a reset is cheaper.
const mostOps = 60

// Watch opens a river for a hub. The page's rights are tested, the river is
// made if need be, and brought right. One that lives and is right costs neither a
// turn nor a query: a thousand pages that come back at once ask nobody. Errors are
// those of [Node.Visit].
func (n *Node) Watch(ctx context.Context, key Key) (*Watch, error) {
	for range visits {
		if _, err := n.Visit(ctx, key, At{}); err != nil {
			return nil, err
		}
		n.mu.Lock()
		rv := n.st.byKey[key]
		if rv == nil || rv.leaving {
			n.mu.Unlock()
			if n.full.Load() {
				return nil, ErrBehind
			}
			if rv != nil { // until the turn that takes it away is over
				if err := n.waitTurn(ctx, n.wait(nil)); err != nil {
					return nil, err
				}
			}
			continue
		}
		n.st.order.leave(rv)
		w := &Watch{node: n, rv: rv, c: make(chan struct{}, 1)}
		put(&rv.watches, w, true)
		rv.watching.Store(int32(len(rv.watches)))
		n.mu.Unlock()
		// A turn under way may take it for closed yet, and leave marks: see
		// [Node.publish], and [Watch.due].
		return w, nil
	}
	return nil, ErrBehind
}

// C has a value when the river changed or ended since it was last received.
func (w *Watch) C() <-chan struct{} { return w.c }

// Epoch is the river's.
func (w *Watch) Epoch() string { return w.rv.epoch }

// Counter is the newest state published, which a patch made now would lead to.
func (w *Watch) Counter() int64 {
	w.node.mu.RLock()
	defer w.node.mu.RUnlock()
	return w.node.st.counter
}

// Close lets go of the river. It may be called more than once.
func (w *Watch) Close() {
	w.node.mu.Lock()
	defer w.node.mu.Unlock()
	rv, now := w.rv, w.node.now()
	if !rv.watches[w] {
		return
	}
	delete(rv.watches, w)
	rv.watching.Store(int32(len(rv.watches)))
	rv.visited.Store(now)
	if st := w.node.st; st.rivers[rv.id] == rv && !rv.open() {
		in := segmentOnce
		if rv.frequent || rv.revisited() {
			in = segmentAgain
		}
		st.order.seat(rv, in, now)
	}
}

func (w *Watch) wake() {
	select {
	case w.c <- struct{}{}:
	default:
	}
}

// wake tells those who watch a river that it changed, or is no more.
func (n *Node) wake(rv *river) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for w := range rv.watches {
		w.wake()
	}
}

func (n *Node) wakeAll() {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for _, rv := range n.st.rivers {
		for w := range rv.watches {
			w.wake()
		}
	}
}

// living returns nil where the watched river may be shown now, and else why not.
func (w *Watch) checkShown() error {
	n := w.node
	if n.sealed() || n.Age() > n.cfg.Settings.Blind {
		return ErrBehind
	}
	if n.st.rivers[w.rv.id] != w.rv || mayOpen(n.st, w.rv) != nil || n.st.postHidden(w.rv) {
		return ErrGone
	}
	return nil
}

// due says whether there are posts in the river that are to be decided before it
// is shown: it was opened when a turn was under way, which took it for closed. The
// next one comes to them, and wakes who watches.
func (w *Watch) hasMarks() bool { return len(w.rv.marks) > 0 }

// Patch answers what changed in a window of the river since a counter: entries
// put in, changed or moved, and what left the window. A patch without ops, from
// and to the same counter, says that nothing did. Errors: ErrGone, where the page is
// to be told anew by Resume, as the river ended or too much has changed; ErrBehind.
func (w *Watch) Patch(from int64, window Window) (*Patch, error) {
	n := w.node
	n.mu.RLock()
	defer n.mu.RUnlock()
	if err := w.checkShown(); err != nil {
		return nil, err
	}
	if from < n.st.purged || from > n.st.counter {
		return nil, ErrGone
	}
	if w.hasMarks() {
		return &Patch{Epoch: w.rv.epoch, From: from, To: from}, nil
	}
	if rv := w.rv; from < rv.trimmed && !rv.finished && window.Low.Below(rv.floor) {
		return nil, ErrGone // it shows what is held no longer, and would not be told of it
	}
	filled, short := n.st.fillWindow(w.rv, window)
	p, c := n.st.patch(w.rv, from)
	n.st.ops(w.rv, p, c, filled, window.Low, from)
	if short {
		w.extend(p, window.Count)
	}
	if len(p.Ops) > mostOps {
		return nil, ErrGone // it is reset: a page of it is less, and all that is read of it
	}
	if len(p.Ops) == 0 {
		p.To = from
	}
	if filled != window {
		p.Filled = &filled
	}
	return p, nil
}

// extend has the river hold more, for a page that shows fewer entries than it asked
// for since one left. What a page asks for is extended as often as a visit would
// do it; the caller reads the state.
func (w *Watch) extend(p *Patch, count int) {
	n, rv := w.node, w.rv
	if slices.ContainsFunc(p.Ops, func(op Op) bool { return op.Gone }) {
		w.fills.Store(visits)
	}
	if rv.stale != 0 || len(rv.order) >= n.cfg.Settings.Deepest || w.fills.Load() <= 0 {
		return // a sweep that comes to its end wakes the page
	}
	w.fills.Add(-1)
	b := &build{key: rv.key, rv: rv, from: rv.floor, need: min(count+1, n.cfg.Settings.Deepest)}
	n.build(b)
}

// right has the river brought right, if it is not.
func (w *Watch) refresh() error {
	n := w.node
	n.mu.RLock()
	due := w.hasMarks()
	n.mu.RUnlock()
	if !due {
		return nil
	}
	return n.waitTurn(n.life, n.wait(w.rv))
}

// deeper has the river hold what a page shows that it does not, as after it was
// made anew; a page that is too deep for that is reset to what the primary says
// and not followed. Nil: the river can tell.
func (w *Watch) resetDeep(r Resume) (*Patch, error) {
	n, rv := w.node, w.rv
	if n.inOwnOrder(rv.key, r.At) && !w.lacksEntries(r) {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(n.life, n.cfg.Settings.Behind)
	defer cancel()
	v, err := n.Visit(ctx, rv.key, r.At)
	switch {
	case ctx.Err() != nil:
		return nil, ErrBehind
	case err != nil || v.Live: // why it can't be opened is told as ever
		return nil, nil
	}
	return &Patch{Epoch: rv.epoch, From: r.Counter, To: w.Counter(), Position: v.Position, Reset: true,
		Entries: v.Entries, Sets: v.Sets, Users: v.Users, Groups: v.Groups, Unread: v.Unread}, nil
}

// misses reports whether a page has entries of which the river knows nothing, or
// tells of none and reaches below what the river holds. A page at the top is filled
// by [Watch.extend]. A poll that knows the river was reset to what the primary says
// before, and is not followed. A river that ended misses nothing: Resume says so.
func (w *Watch) lacksEntries(r Resume) bool {
	n, rv := w.node, w.rv
	n.mu.RLock()
	defer n.mu.RUnlock()
	if w.checkShown() != nil {
		return false
	}
	if len(r.Have) == 0 && (r.At.Skip > 0 || r.At.upperBound() != timeline.Top) && !(r.Poll && r.Epoch == rv.epoch) {
		_, _, whole, _ := n.st.page(rv, r.At)
		return !whole
	}
	return !rv.finished && slices.ContainsFunc(r.Have, func(h Have) bool {
		_, left := rv.tombs[h.Post]
		return !left && rv.entries[h.Post] == nil
	})
}

func (st *state) patch(rv *river, from int64) (*Patch, *cardCollector) {
	c := st.newCardCollector()
	return &Patch{Epoch: rv.epoch, From: from, To: st.counter, Position: st.position,
		Sets: st.viewers[rv.key.Viewer].sets, Users: c.users, Groups: c.groups, Unread: st.unread(rv.key.Viewer)}, c
}

// fill lowers a window's end until the page shows as many entries as it asked for.
// Short is whether the river holds too few, and may hold more.
func (st *state) fillWindow(rv *river, w Window) (filled Window, short bool) {
	if w.Still || w.Count == 0 || w.Low == w.Bottom {
		return w, false
	}
	all := w
	all.Low = w.Bottom
	shown, low := 0, w.Low
	for _, e := range rv.order[rv.find(w.High):] {
		if e.cursor.Below(all.Low) {
			break
		}
		if st.entryIn(rv, e, all) == nil {
			continue
		}
		if shown++; e.cursor.Below(low) {
			low = e.cursor
		}
		if shown == w.Count {
			w.Low = low
			return w, false
		}
	}
	if rv.finished || rv.floor.Below(w.Bottom) {
		return all, false
	}
	w.Low = low
	return w, true
}

// seen is an entry as a window shows it now; nil: the window does not.
func (st *state) entryIn(rv *river, e *entry, w Window) *entry {
	if !w.covers(e) {
		return nil
	}
	now := st.currentEntry(rv, e)
	if now == nil || !w.includes(now) {
		return nil
	}
	return now
}

// ops adds an op for each entry of a window that changed since a counter, for each
// that was below the window's end then, and for each that left the window or the
// river since.
func (st *state) ops(rv *river, p *Patch, c *cardCollector, window Window, was timeline.Cursor, from int64) {
	if window.Still {
		return
	}
	had := window // before it was lowered
	if had.Low.Below(was) {
		had.Low = was
	}
	var after timeline.PostID
	for _, e := range rv.order {
		id := e.post.facts.ID
		now, below := st.entryIn(rv, e, window), e.cursor.Below(was)
		if now == nil && !window.includes(e) {
			if e.changed > from || e.moved > from && had.mayHaveHeld(e) {
				p.Ops = append(p.Ops, Op{Post: id, Gone: true})
			}
			continue
		}
		told := st.shownChangedAt(rv, e, now) > from || e.moved > from && !had.alwaysHeld(e)
		if !below && !told || below && now == nil && e.changed <= from {
			if now != nil {
				after = id
			}
			continue
		}
		if now == nil {
			p.Ops = append(p.Ops, Op{Post: id, Gone: true})
			continue
		}
		shown := st.compose(rv, now, c)
		p.Ops = append(p.Ops, Op{Post: id, After: after, Entry: &shown})
		after = id
	}
	for post, t := range rv.tombs {
		if t.counter > from && rv.entries[post] == nil {
			p.Ops = append(p.Ops, Op{Post: post, Gone: true})
		}
	}
}

// Resume answers what a page that connects must be told, and the window that it
// shows from then on. The same epoch and a counter that is still held: what
// changed since. Else what it has is compared with the river by tag. With too
// many differences, or nothing to compare: a reset. Errors: ErrGone, ErrBehind.
func (w *Watch) Resume(r Resume) (*Patch, Window, error) {
	n := w.node
	r.At = w.rv.key.part(r.At)
	if v, err := w.resetDeep(r); err != nil || v != nil {
		return v, Window{High: r.At.upperBound(), Low: r.At.upperBound(), Still: !n.inOwnOrder(w.rv.key, r.At)}, err
	}
	if err := w.refresh(); err != nil {
		return nil, Window{}, err
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	if err := w.checkShown(); err != nil {
		return nil, Window{}, err
	}
	st, rv := n.st, w.rv
	rv.visited.Store(n.now())
	window, stays := st.resumedWindow(rv, r)
	filled, short := st.fillWindow(rv, window)
	same := stays && r.Epoch == rv.epoch && r.Counter >= max(st.purged, rv.trimmed) && r.Counter <= st.counter
	p, c := st.patch(rv, r.Counter)
	tells := true
	switch {
	case same:
		was := window.Low
		if len(r.Have) == 0 && !r.Poll {
			was = window.High // a page without entries is told of all
		}
		st.ops(rv, p, c, filled, was, r.Counter)
		// What else a poll's page has where it lost an entry, or may have been short of
		// some, is not known.
		tells = !r.Poll || rv.lowered <= r.Counter && !slices.ContainsFunc(p.Ops, func(op Op) bool { return op.Gone })
	case len(r.Have) > 0:
		st.differences(rv, p, c, filled, r.Have)
	default:
		tells = false
	}
	if short {
		w.extend(p, filled.Count)
	}
	if !tells || len(p.Ops) > mostOps {
		v, _ := st.view(rv, r.At)
		filled = windowOf(rv, r.At, v)
		p = &Patch{Epoch: rv.epoch, From: r.Counter, To: st.counter, Position: st.position, Reset: true,
			Entries: v.Entries, Sets: v.Sets, Users: v.Users, Groups: v.Groups, Unread: v.Unread}
	}
	return p, filled, nil
}

// differences adds ops that make what a page has into what the window shows.
func (st *state) differences(rv *river, p *Patch, c *cardCollector, window Window, have []Have) {
	tags := make(map[timeline.PostID]string, len(have))
	for _, h := range have {
		tags[h.Post] = h.Tag
	}
	// What stays in its order needs no op unless its tag differs; whatever
	// stands elsewhere than on the page gets one.
	rest := slices.Clone(have)
	var after timeline.PostID
	seen := make(map[timeline.PostID]bool, len(have))
	for _, e := range rv.order {
		now := st.entryIn(rv, e, window)
		if now == nil {
			continue
		}
		shown := st.compose(rv, now, st.newCardCollector())
		id := e.post.facts.ID
		seen[id] = true
		for len(rest) > 0 && (seen[rest[0].Post] && rest[0].Post != id || rv.entries[rest[0].Post] == nil) {
			rest = rest[1:]
		}
		inPlace := len(rest) > 0 && rest[0].Post == id
		if inPlace {
			rest = rest[1:]
		}
		if !inPlace || tags[id] != shown.Tag {
			st.compose(rv, now, c)
			p.Ops = append(p.Ops, Op{Post: id, After: after, Entry: &shown})
		}
		after = id
	}
	for _, h := range have {
		if !seen[h.Post] {
			p.Ops = append(p.Ops, Op{Post: h.Post, Gone: true})
		}
	}
}

// window is the part of the river that a page shows which has some entries: from
// where its address begins down to the lowest entry that it has. An entry that
// moved since the page was made says nothing about where the page is. Stays is
// false where none is left in its place: the window is that of a new page then,
// of which this one shows nothing.
func (st *state) resumedWindow(rv *river, r Resume) (w Window, stays bool) {
	defer func() { w.clip(r.At) }()
	moved := func(e *entry) bool { return r.Epoch == rv.epoch && e.moved > r.Counter }
	w.High = r.At.upperBound()
	var highest timeline.Cursor
	low := timeline.Top
	for _, h := range r.Have {
		e := rv.entries[h.Post]
		if e == nil || moved(e) || st.currentEntry(rv, e) == nil {
			continue // of what may not be seen, not even where it stands is told
		}
		if highest.Below(e.cursor) {
			highest = e.cursor
		}
		if e.cursor.Below(low) {
			low = e.cursor
		}
		stays = true
	}
	if !stays {
		v, _ := st.view(rv, r.At)
		return windowOf(rv, r.At, v), len(r.Have) == 0
	}
	if r.At.Skip > 0 { // a page by number begins where its first entry stands
		w.High = timeline.Cursor{FreshAt: highest.FreshAt, Post: highest.Post + 1}
	}
	w.Low = low
	if r.Epoch != rv.epoch { // what came in below since then is not known
		v, _ := st.view(rv, r.At)
		if fresh := windowOf(rv, r.At, v); fresh.Low.Below(w.Low) {
			w.Low = fresh.Low
		}
		return w, true
	}
	// A page that ends where the river does shows what comes in below as well;
	// what stands there now came in since.
	if rv.finished {
		bottom := true
		for _, e := range slices.Backward(rv.order) {
			if !e.cursor.Below(low) {
				break
			}
			bottom = bottom && moved(e)
		}
		if bottom {
			w.Low = timeline.Cursor{}
		}
	}
	return w, true
}
