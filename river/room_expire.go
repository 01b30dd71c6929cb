package river

import (
	"cmp"
	"slices"

	"amstel.dev/amstel/timeline"
)

// How much of what goes, or might, one turn takes, so that it stays short.
const (
	expireChunk = 200  // rivers that expire
	evictChunk  = 200  // rivers that go for want of room
	evictLooks  = 1000 // rivers looked at to find those
	evictPlaces = 4000 // entries that rivers may have which go for want of room
	purgeChunk  = 4000 // posts that no river holds, and as many cards and timelines
	roundChunk  = 2000 // rivers and tombstones looked at in passing
)

// Expire asks the loop to let go of what nobody looked at: rivers idle longer
// than their grace, never open ones, and tombstones past their time. Cron calls it.
func (n *Node) Expire() {
	n.asks.mu.Lock()
	n.asks.expire = true
	n.asks.mu.Unlock()
	n.Ring()
}

// A round looks at every river once, a chunk a turn.
type round struct {
	left   int  // how many rivers are still to be looked at, of the state's list
	expire bool // what is past its time goes; else visits alone are written down
}

// looks goes on with the round under way, or begins one: it writes down visits, at
// most once a minute each, and drops what is past its time.
//
// The rivers that are left to be looked at are the first of the state's list. One
// that goes leaves its place to the last of the list, which was looked at already,
// or came since.
func (n *Node) continueRound(d *draft, expire bool, now int64) {
	st := n.st
	r := n.round
	if expire && !r.expire {
		r = round{len(st.all), true}
	}
	if r.left == 0 && now-n.visitsSavedAt >= 10_000 {
		n.visitsSavedAt = now
		r = round{left: len(st.all)}
	}
	r.left = min(r.left, len(st.all))
	for looks, dropped := 0, 0; r.left > 0 && looks < roundChunk && dropped < expireChunk; looks++ {
		r.left--
		rv := st.all[r.left]
		if rd := d.rivers[rv]; rd != nil && (rd.dropped || rd.made) {
			continue
		}
		visited := rv.visited.Load()
		switch {
		case r.expire && !rv.open() && now-visited > kinds[rv.key.What].grace(n.cfg.Settings):
			if n.beginDrop(d, rv) {
				dropped++
				n.counts.expired.Add(1)
			}
			continue
		case rv.open() && now-rv.persisted >= 60_000:
			d.of(rv).visited = now
		case visited-rv.persisted >= 60_000:
			d.of(rv).visited = max(visited, 1)
		}
		if !r.expire {
			continue
		}
		for post, t := range rv.tombs {
			if looks++; now-t.at > n.cfg.Settings.tombstones.Milliseconds() {
				rd := d.of(rv)
				rd.purge = append(rd.purge, post)
				d.log.purged = max(d.log.purged, t.counter)
			}
		}
	}
	if r.left == 0 {
		r.expire = false
	}
	d.round = r
}

// leaves has the draft drop a river that nobody has open; false if somebody opened
// it since. From now on it can't be opened, see [Node.Watch]: who wants to waits
// for the turn to be over.
func (n *Node) beginDrop(d *draft, rv *river) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if rv.open() {
		return false
	}
	n.st.order.leave(rv)
	rv.leaving = true
	n.leaving = append(n.leaving, rv)
	d.of(rv).dropped = true
	return true
}

// stay puts the rivers back that a turn was about to drop, and failed.
func (n *Node) undoDrops() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, rv := range n.leaving {
		if rv.leaving = false; n.st.rivers[rv.id] == rv && rv.segment == segmentNone && !rv.open() {
			n.st.order.seat(rv, segmentOnce, rv.visited.Load())
		}
	}
	n.leaving = n.leaving[:0]
}

// trim raises the floor of rivers that grew too long, lets go of those that
// nobody has open and that have too much to be decided again, and of whatever
// there is no room for.
func (n *Node) trim(d *draft, asked *asks) {
	s := n.cfg.Settings
	for rv, rd := range d.rivers {
		if !rd.dropped && !rd.made && !rv.open() && len(rv.marks)+len(rd.mark) > s.Deepest { // to build it again costs less
			n.beginDrop(d, rv)
		}
		most := s.Deepest + s.Deepest/5
		if rv.open() {
			most = s.OpenMost
		}
		if len(rv.order) <= most || rd.dropped || rd.floor != nil {
			continue
		}
		floor := rv.order[most*9/10-1].cursor
		rd.floor, rd.finished = &floor, false
		for post, e := range rd.put {
			if e.cursor.Below(floor) {
				delete(rd.put, post)
				if rv.entries[post] != nil { // it stood above the floor before
					put(&rd.gone, post, true)
				}
			}
		}
	}
	n.evictMany(d)
	n.evict(d, asked, n.purge(d))
}

// purge drops the posts, cards and timelines that nothing in the state needs, some
// of them a turn, and returns how many bytes those take. It walks over what goes
// and what the draft has, and over nothing else.
//
// Builds may be under way: they lose nothing by it. What a build found it has read
// itself, in its own snapshot, over an empty state ([Node.read]): it never looks at
// what the node holds. When it is installed ([Node.merge]) the node's own copy of a
// post, card or timeline is taken where there is one, as turns kept that right; and
// else the build's, if no turn was told of a change of it since the build was
// registered, or it is read again in the turn's snapshot. So it comes to this: is
// the build's copy right where the node has none?
//
//   - It changed after the registration: whatever reads the log tells every build
//     of every change, whether the node holds what changed or not
//     ([builds.noteChanges] comes before [state.concerned]). It is read again.
//   - It changed before: the build's snapshot, which is younger than its
//     registration, has the change.
//   - A turn read the change, and failed: the next reads it again, and tells again.
//
// When, in all that, the node's own copy went makes no difference, as the answer
// does not ask for it. One turn alone could take the node's copy for there (in
// merge, or when it saw what it must read) and let it go: so nothing goes that the
// draft of the same turn shows.
func (n *Node) purge(d *draft) (bytes int64) {
	st := n.st
	if st.idle.count() == 0 {
		return 0
	}
	about := make(map[timeline.PostID]bool) // posts that this turn is about to put somewhere
	for _, rd := range d.rivers {
		for post := range rd.put {
			about[post] = true
		}
	}
	d.forget.posts = firstUnneeded(st.idle.posts, about)
	for _, post := range d.forget.posts {
		bytes += st.held[post].weight()
	}
	users := make(map[timeline.UserID]bool)
	groups := make(map[timeline.GroupID]bool)
	timelines := make(map[timeline.TimelineID]bool)
	d.visitCards(cardVisitor{
		user:  func(id timeline.UserID) { users[id] = true },
		group: func(id timeline.GroupID) { groups[id] = true },
	})
	for _, f := range d.facts {
		if f != nil {
			for _, id := range f.Places {
				timelines[id] = true
			}
		}
	}
	for rv, rd := range d.rivers {
		for _, id := range rv.gates {
			timelines[id] = true
		}
		for id := range d.wantsOf(rv) {
			if rd.made || rd.wants != nil {
				timelines[id] = true
			}
		}
	}
	d.forget.users = firstUnneeded(st.idle.users, users)
	d.forget.groups = firstUnneeded(st.idle.groups, groups)
	d.forget.timelines = firstUnneeded(st.idle.timelines, timelines)
	return bytes
}

// some returns some of a set, sorted, but for what is needed.
func firstUnneeded[K cmp.Ordered](of, needed map[K]bool) (ids []K) {
	for id := range of {
		if len(ids) == purgeChunk {
			break
		}
		if !needed[id] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Why a river was evicted, for metrics.
const (
	evictedMemory  = "memory"
	evictedRiverDB = "river_db"
	evictedMany    = "searches"
)

// evict lets go of the rivers that the lru names, until what is left is within the
// budgets of memory and river DB; going is how many bytes of memory go already, as
// nothing needs them. What can't be done in one turn the next ones do.
//
// Posts that no river holds go first, so that no river goes in their place. Where
// only open rivers are left the node is full: it keeps no further ones, and answers
// for those from the primary.
func (n *Node) evict(d *draft, asked *asks, going int64) {
	st := n.st
	over, why := n.excess()
	for rv, rd := range d.rivers {
		if rd.dropped {
			over -= rv.bytes
		}
	}
	over -= going
	if over <= 0 {
		n.full.Store(false)
		return
	}
	if len(st.idle.posts) > len(d.forget.posts) {
		return
	}
	now := n.now()
	looks, places, picked := evictLooks, 0, 0
	var spared []*river // of which the draft has something
	for over > 0 && picked < evictChunk && places < evictPlaces && looks > 0 {
		rv := n.takeNext(now, &looks)
		if rv == nil {
			break
		}
		if rd := d.rivers[rv]; asked.refresh[rv] || rd != nil && (rd.made || len(rd.put) > 0) || !n.beginDrop(d, rv) {
			spared = append(spared, rv)
			continue
		}
		picked++
		places += len(rv.order)
		over -= rv.bytes
		for _, e := range rv.order {
			if len(e.post.rivers) == 1 {
				over -= e.post.weight()
			}
		}
		n.counts.evict(why)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, rv := range spared {
		if rv.segment == segmentNone && !rv.leaving && !rv.open() {
			st.order.seat(rv, segmentOnce, now)
		}
	}
	n.full.Store(over > 0 && picked == 0 && st.order.empty())
}

// over returns by how many bytes the state is beyond the budget of memory, or so
// many that the river DB comes within its own, and which of the two it is; none or
// less: there is room.
func (n *Node) excess() (bytes int64, why string) {
	bytes, why = n.st.bytes-n.cfg.Settings.Memory, evictedMemory
	if n.db == nil {
		return bytes, why
	}
	// A river takes about as much of the one as of the other.
	if most := n.cfg.Settings.RiverDB - min(journalLimit, n.cfg.Settings.RiverDB/4); n.db.used > most {
		if much := int64(float64(n.st.bytes) * float64(n.db.used-most) / float64(n.db.used)); much > bytes {
			return much, evictedRiverDB
		}
	}
	return bytes, why
}

// burdened reports whether another turn is to let go of something, though nobody
// asks for one. A little that is idle goes with the next turn, whatever that is for.
func (n *Node) hasExcess() bool {
	over, _ := n.excess()
	return n.st.idle.count() > purgeChunk || n.round.expire || over > 0 && !n.full.Load()
}

// lastOf takes the river from the lru that is to go next.
func (n *Node) takeNext(now int64, looks *int) *river {
	n.mu.Lock()
	defer n.mu.Unlock()
	rv := n.st.order.next(now, looks)
	if rv != nil {
		n.st.order.leave(rv)
	}
	return rv
}

// mostMany is how many searches and days are kept that nobody has open.
const mostMany = 1000

// evictMany lets go of searches and days, where more are kept than should be. Of
// those there is a number of their own: everybody can think of another, and each
// post is held against all searches. Those that were visited again stay longest.
func (n *Node) evictMany(d *draft) {
	st := n.st
	if len(st.unbounded) <= mostMany {
		return
	}
	type candidate struct {
		rv      *river
		again   int // 1: it was visited again
		visited int64
	}
	var idle []candidate
	n.mu.RLock()
	for rv := range st.unbounded {
		if rd := d.rivers[rv]; !rv.open() && (rd == nil || !rd.dropped && !rd.made) {
			c := candidate{rv: rv, visited: rv.visited.Load()}
			if rv.frequent || rv.revisited() {
				c.again = 1
			}
			idle = append(idle, c)
		}
	}
	n.mu.RUnlock()
	if len(idle) <= mostMany {
		return
	}
	// Some more go, so that it is not done each time.
	over := len(idle) - mostMany + mostMany/10
	slices.SortFunc(idle, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.again, b.again), cmp.Compare(a.visited, b.visited))
	})
	for _, c := range idle[:min(over, len(idle))] {
		if n.beginDrop(d, c.rv) {
			n.counts.evict(evictedMany)
		}
	}
}
