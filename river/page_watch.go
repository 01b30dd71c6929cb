package river

import (
	"context"
	"slices"
	"sync/atomic"

	"amstel.dev/amstel/timeline"
)

// A Watch keeps a river open. Until the watch is closed, changes reach the river in
// the turn that reads them (tier 1).
type Watch struct {
	node *Node
	rv   *river
	c    chan struct{}

	fills atomic.Int32 // how often the river may still be extended to fill a window
}

// mostOps is the number of ops from which on a reset is cheaper than a patch.
const mostOps = 60

// Watch opens a river for a hub. It tests the viewer's rights, makes the river if needed, and
// brings it up to date. A river that lives and is up to date costs neither a turn nor a query, so
// a thousand pages that reconnect at once put no load on the primary. The errors are the errors of
// [Node.Visit].
func (n *Node) Watch(ctx context.Context, key Key) (*Watch, error) {
	for range visits {
		if _, err := n.Visit(ctx, key, At{}); err != nil {
			return nil, err
		}
		n.mu.Lock()
		rv := n.st.byKey[key]
		if rv == nil || rv.leaving || rv.shortening {
			n.mu.Unlock()
			if n.full.Load() {
				return nil, ErrBehind
			}
			if rv != nil { // wait until the turn that drops or shortens the river is over
				if err := n.waitTurn(ctx, n.wait(nil)); err != nil {
					return nil, err
				}
			}
			continue
		}
		n.st.order.remove(rv)
		w := &Watch{node: n, rv: rv, c: make(chan struct{}, 1)}
		put(&rv.watches, w, true)
		rv.watching.Store(int32(len(rv.watches)))
		n.mu.Unlock()
		// A turn under way may still take the river for closed, and leave marks:
		// see [Node.publish] and [Watch.hasMarks].
		return w, nil
	}
	return nil, ErrBehind
}

// C returns a channel that has a value if the river changed or ended since the last
// receive.
func (w *Watch) C() <-chan struct{} { return w.c }

// Epoch returns the river's epoch.
func (w *Watch) Epoch() string { return w.rv.epoch }

// Counter returns the counter of the newest published state, to which a patch made
// now would lead.
func (w *Watch) Counter() int64 {
	w.node.mu.RLock()
	defer w.node.mu.RUnlock()
	return w.node.st.counter
}

// Close ends the watch. It may be called more than once.
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
		st.order.insert(rv, in, now)
	}
}

func (w *Watch) wake() {
	select {
	case w.c <- struct{}{}:
	default:
	}
}

// wake wakes the watches of a river that changed or ended.
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

// checkShown returns nil if the watched river may be shown now, and else the reason
// as an error.
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

// hasMarks reports whether posts of the river must be decided before the river is
// shown. An open river has marks if it was opened during a turn that took it for
// closed. The next turn decides them, and wakes the watches.
func (w *Watch) hasMarks() bool { return len(w.rv.marks) > 0 }

// Patch returns the changes of a window since a counter: entries that came in,
// changed, moved or left. A patch without ops and with equal From and To says that
// nothing changed. Errors: ErrGone if the river ended or too much has changed, and
// the page must call Resume; ErrBehind.
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
		return nil, ErrGone // the page shows entries below the floor: the river no longer knows their changes
	}
	filled, short := n.st.fillWindow(w.rv, window)
	p, c := n.st.patch(w.rv, from)
	n.st.ops(w.rv, p, c, filled, window.Low, from)
	if short {
		w.extend(p, window.Count)
	}
	switch {
	case window.Single:
		c.visitor(nil).visitSubject(w.rv.key)
		p.Ops = uppermost(p.Ops)
	case len(p.Ops) > mostOps:
		return nil, ErrGone // a reset sends fewer entries, and costs less
	}
	if len(p.Ops) == 0 {
		p.To = from
	}
	if filled != window {
		p.Filled = &filled
	}
	return p, nil
}

// extend begins to add entries to a river, for a page that shows fewer entries than it asked for
// because an entry left. Each time that entries leave, the river may be extended as often as for a
// visit. The caller holds the lock for reading.
func (w *Watch) extend(p *Patch, count int) {
	n, rv := w.node, w.rv
	if slices.ContainsFunc(p.Ops, func(op Op) bool { return op.Gone }) {
		w.fills.Store(visits)
	}
	if rv.stale != 0 || len(rv.order) >= n.cfg.Settings.Deepest || w.fills.Load() <= 0 {
		return // the end of the sweep wakes the page
	}
	w.fills.Add(-1)
	b := &build{key: rv.key, rv: rv, from: rv.floor, need: min(count+1, n.cfg.Settings.Deepest)}
	n.build(b)
}

// refresh brings the river up to date, if it is not.
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

// resetDeep extends the river until it holds the entries that a page shows, as after the river was
// made anew. If the page is too deep to be held, resetDeep returns a reset with the page as read
// from the primary, and the page is not kept up to date. It returns nil if the river can answer.
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
	case err != nil || v.Live: // Resume reports the error
		return nil, nil
	}
	return &Patch{Epoch: rv.epoch, From: r.Counter, To: w.Counter(), Position: v.Position, Reset: true,
		Entries: v.Entries, Sets: v.Sets, Users: v.Users, Groups: v.Groups, Unread: v.Unread}, nil
}

// lacksEntries reports whether a page has entries unknown to the river, or names no entries and
// reaches below the river's floor. A page at the top is filled by [Watch.extend]. A poll that
// knows the river's epoch was reset to the primary's answer before, and is not kept up to date. A
// river that ended lacks nothing: Resume reports its end.
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
		return !left && n.st.entryOf(rv, h.Post) == nil
	})
}

func (st *state) patch(rv *river, from int64) (*Patch, *cardCollector) {
	c := st.newCardCollector()
	return &Patch{Epoch: rv.epoch, From: from, To: st.counter, Position: st.position,
		Sets: st.viewers[rv.key.Viewer].sets, Users: c.users, Groups: c.groups, Unread: st.unread(rv.key.Viewer)}, c
}

// fillWindow lowers a window's end until the page shows as many entries as it asked
// for. Short reports whether the river holds too few entries although more may
// exist.
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

// entryIn returns the current form of an entry that a window shows, or nil if the
// window does not show the entry.
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

// ops adds ops to a patch: for each entry of the window that changed since the counter from, for
// each entry below was, the window's end at that time, and for each entry that left the window or
// the river since.
func (st *state) ops(rv *river, p *Patch, c *cardCollector, window Window, was timeline.Cursor, from int64) {
	if window.Still {
		return
	}
	had := window // the window before it was lowered
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
		if t.counter > from && st.entryOf(rv, post) == nil {
			p.Ops = append(p.Ops, Op{Post: post, Gone: true})
		}
	}
}

// Resume returns the patch for a page that connects again, and the window that the
// page shows afterwards. If the page has the river's epoch and a counter that is
// not too old, the patch has the changes since. Else the page's entries are
// compared with the river's by tag. If too many differ, or the page names no
// entries, the patch is a reset. Errors: ErrGone, ErrBehind.
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
	rv.reach.note(rv.find(window.Low)+1, n.now())
	filled, short := st.fillWindow(rv, window)
	same := stays && r.Epoch == rv.epoch && r.Counter >= max(st.purged, rv.trimmed) && r.Counter <= st.counter
	p, c := st.patch(rv, r.Counter)
	tells := true
	switch {
	case same:
		was := window.Low
		if len(r.Have) == 0 && !r.Poll {
			was = window.High // a page without entries is sent all of them
		}
		st.ops(rv, p, c, filled, was, r.Counter)
		// If the page of a poll lost an entry, or may have been short of entries, the node can't
		// know the page's other entries.
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

// differences adds ops that turn the entries of a page into the entries of the window. For
// example, a page with posts 3 2 1, where the window now has 2 4 1 with 1 edited, gets ops that
// insert 4 after 2, change 1, and remove 3.
func (st *state) differences(rv *river, p *Patch, c *cardCollector, window Window, have []Have) {
	tags := make(map[timeline.PostID]string, len(have))
	for _, h := range have {
		tags[h.Post] = h.Tag
	}
	// An entry whose place in the order stays needs no op unless its tag differs. Every other
	// entry gets one.
	rest := slices.Clone(have)
	stays := func(post timeline.PostID) bool {
		e := st.entryOf(rv, post)
		return e != nil && st.entryIn(rv, e, window) != nil
	}
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
		for len(rest) > 0 && (seen[rest[0].Post] && rest[0].Post != id || !stays(rest[0].Post)) {
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

// resumedWindow returns the window of a page with some entries: from the upper bound in the
// page's address down to the page's lowest entry. An entry that moved since the page was made
// does not tell where the page is. stays is false if no entry of the page kept its place: the
// window is then the window of a new page, and the old page shows none of its entries.
func (st *state) resumedWindow(rv *river, r Resume) (w Window, stays bool) {
	defer func() { w.clip(r.At) }()
	moved := func(e *entry) bool { return r.Epoch == rv.epoch && e.moved > r.Counter }
	w.High = r.At.upperBound()
	var highest timeline.Cursor
	low := timeline.Top
	for _, h := range r.Have {
		e := st.entryOf(rv, h.Post)
		if e == nil || moved(e) || st.currentEntry(rv, e) == nil {
			continue // the viewer must not learn the place of a post that they may not see
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
	if r.At.Skip > 0 { // a page by number begins at its first entry
		w.High = timeline.Cursor{FreshAt: highest.FreshAt, Post: highest.Post + 1}
	}
	w.Low = low
	if r.Epoch != rv.epoch { // entries that came in below since then are not known
		v, _ := st.view(rv, r.At)
		if fresh := windowOf(rv, r.At, v); fresh.Low.Below(w.Low) {
			w.Low = fresh.Low
		}
	}
	// A page that reaches the river's bottom also shows entries that come in below it. On a
	// finished river, entries below the page came in since the page was made.
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
