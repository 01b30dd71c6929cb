package river

import (
	"cmp"
	"slices"

	"amstel.dev/amstel/timeline"
)

// Limits of the work in one turn, which keep turns short.
const (
	expireChunk = 200  // rivers that expire
	evictChunk  = 200  // rivers evicted
	evictLooks  = 1000 // rivers looked at to find those to evict
	evictPlaces = 4000 // entries of evicted rivers
	purgeChunk  = 4000 // posts purged, and as many cards and timelines
	roundChunk  = 2000 // rivers and tombstones that a round looks at
)

// Expire asks the loop to drop old tombstones, and closed rivers whose grace since the last
// visit is over. Cron calls it.
func (n *Node) Expire() {
	n.asks.mu.Lock()
	defer n.asks.mu.Unlock()
	n.asks.expire = true
	n.Ring()
}

// A round looks at every river once, a chunk a turn.
type round struct {
	left   int  // how many rivers of the state's list are left to look at
	expire bool // expired rivers and tombstones are dropped; else only visits are written
}

// continueRound continues the present round, or begins one. A round writes the times of visits to
// the river DB, at most once a minute for each river, and may drop expired rivers and tombstones.
//
// The rivers left to look at are the first ones of the state's list. If such a river is dropped,
// the last river of the list takes its index; the round has looked at the last river already, or
// the last river is new.
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
		case r.expire && !rv.open() && now-visited > n.grace(rv):
			if n.beginDrop(d, rv) {
				dropped++
				n.counts.expired.Add(1)
			}
			continue
		case rv.open() && now-rv.persisted >= 60_000:
			d.riverDraft(rv).visited = now
		case visited-rv.persisted >= 60_000:
			d.riverDraft(rv).visited = max(visited, 1)
		}
		if !r.expire {
			continue
		}
		for post, t := range rv.tombs {
			if looks++; now-t.at > n.cfg.Settings.tombstones.Milliseconds() {
				rd := d.riverDraft(rv)
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

// grace returns for how many milliseconds a river is kept after its last visit.
func (n *Node) grace(rv *river) int64 {
	grace := kinds[rv.key.What].grace(n.cfg.Settings)
	if rv.ahead.Load() {
		return min(grace, aheadFor.Milliseconds())
	}
	return grace
}

// beginDrop marks a closed river to be dropped by the draft. It returns false if the river was opened in
// the meantime. From now on the river can't be opened: [Node.Watch] waits for the end of the
// turn.
func (n *Node) beginDrop(d *draft, rv *river) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if rv.open() {
		return false
	}
	n.st.order.remove(rv)
	rv.leaving = true
	n.leaving = append(n.leaving, rv)
	d.riverDraft(rv).dropped = true
	return true
}

// beginShorten notes that the draft shortens a closed river to its depth. It returns false if
// the river was opened in the meantime. The river can't be opened until the end of the turn, so
// that no open page is cut off.
func (n *Node) beginShorten(rv *river) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if rv.open() {
		return false
	}
	rv.shortening = true
	n.shortening = append(n.shortening, rv)
	return true
}

// endShortening lets the rivers that a published turn shortened be opened again.
func (n *Node) endShortening() {
	if len(n.shortening) == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.clearShortening()
}

func (n *Node) clearShortening() {
	for _, rv := range n.shortening {
		rv.shortening = false
	}
	n.shortening = n.shortening[:0]
}

// undoDrops restores the rivers that a failed turn was about to drop or shorten.
func (n *Node) undoDrops() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.clearShortening()
	for _, rv := range n.leaving {
		if rv.leaving = false; n.st.rivers[rv.id] == rv && rv.segment == segmentNone && !rv.open() {
			n.st.order.insert(rv, segmentOnce, rv.visited.Load())
		}
	}
	n.leaving = n.leaving[:0]
}

// trim raises the floor of rivers that are too long: closed rivers that are longer than their
// readers scroll ([Settings.depth]), and open rivers that are longer than [Limits.OpenMost]. It
// drops closed rivers with too many marks, and makes room if the node exceeds a budget.
func (n *Node) trim(d *draft, asked *asks) {
	s := n.cfg.Settings
	for rv, rd := range d.rivers {
		if !rd.dropped && !rd.made && !rv.open() && len(rv.marks)+len(rd.mark) > s.Deepest { // building the river again costs less than deciding its marks
			n.beginDrop(d, rv)
		}
		if rd.dropped || rd.floor != nil {
			continue
		}
		depth := s.depth(rv)
		most := depth + depth/5
		if rv.open() || len(rv.order) > most && !n.beginShorten(rv) {
			most = s.OpenMost
		}
		if len(rv.order) <= most {
			continue
		}
		floor := rv.order[most*9/10-1].cursor
		rd.floor, rd.finished = &floor, false
		for post, e := range rd.put {
			if e.cursor.Below(floor) {
				delete(rd.put, post)
				if n.st.entryOf(rv, post) != nil { // the entry stood above the floor before
					put(&rd.gone, post, true)
				}
			}
		}
	}
	n.evictMany(d)
	n.evict(d, asked, n.purge(d))
}

// purge drops posts, cards and timelines that nothing in the state needs, up to a limit per turn,
// and returns their weight in bytes. It looks only at the dropped values and at the draft.
//
// Builds under way lose nothing. A build reads everything that it needs in a snapshot of its own,
// over an empty state ([Node.read]), and never looks at the values of the node. When the build is
// installed ([Node.merge]), the node's own copy of a post, card or timeline wins, because turns
// kept the node's copy right. Without a copy of the node's, the build's copy is used, unless a
// turn read a change of the value since the build was registered; then the value is read again in
// the turn's snapshot. So only one question is left: is the build's copy right if the node has
// none?
//
//   - The post changed after the registration: every turn notes every change in
//     every build, whether or not the node holds the post. So the post is read again.
//   - The post changed before the registration: the build's snapshot is younger
//     than its registration, and has the change.
//   - A turn read the change, and failed: the next turn reads the change again, and
//     notes the change again.
//
// In none of these cases does the time of the purge matter. Only the same turn could still rely on
// the node's copy (in merge, or when it finds out which values to read). So a turn purges nothing
// that its own draft shows.
func (n *Node) purge(d *draft) (bytes int64) {
	st := n.st
	if st.idle.count() == 0 {
		return 0
	}
	about := make(map[timeline.PostID]bool) // posts that this turn puts into rivers
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

// firstUnneeded returns up to purgeChunk ids of a set, sorted, except the needed ones.
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

// Reasons for evicting a river, for metrics.
const (
	evictedMemory  = "memory"
	evictedRiverDB = "river_db"
	evictedMany    = "searches"
)

// evict drops the rivers that the lru names, until the rest is within the budgets of memory and of
// the river DB. Going is the number of bytes that purge already freed. Work above the limits of a
// turn is left to the next turns.
//
// Posts that no river holds are purged first, so that no river is evicted in their place. If only
// open rivers are left, the node is full: it keeps no new rivers, and answers visits of new rivers
// from the primary.
func (n *Node) evict(d *draft, asked *asks, going int64) {
	st := n.st
	over, why := n.excess()
	n.scarce.Store(why != evictedMemory || over > -n.cfg.Settings.Memory/roomAhead)
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
	var spared []*river // rivers that the draft is about to change
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
			if len(e.post.entries) == 1 {
				over -= e.post.weight()
			}
		}
		n.counts.evict(why)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, rv := range spared {
		if rv.segment == segmentNone && !rv.leaving && !rv.open() {
			st.order.insert(rv, segmentOnce, now)
		}
	}
	n.full.Store(over > 0 && picked == 0 && st.order.empty())
}

// excess returns by how many bytes the state, with the progress of deep paths,
// exceeds the budget of memory, or by how many bytes the state must shrink to bring
// the river DB within its budget, and names the tighter of the two budgets. A result
// of zero or less means that there is room.
func (n *Node) excess() (bytes int64, why string) {
	bytes, why = n.st.bytes+n.deepPages.bytes.Load()-n.cfg.Settings.Memory, evictedMemory
	if n.db == nil {
		return bytes, why
	}
	// A river takes about the same share of memory and of the river DB.
	if most := n.cfg.Settings.RiverDB - min(journalLimit, n.cfg.Settings.RiverDB/4); n.db.used > most {
		if much := int64(float64(n.st.bytes) * float64(n.db.used-most) / float64(n.db.used)); much > bytes {
			return much, evictedRiverDB
		}
	}
	return bytes, why
}

// hasExcess reports whether another turn is needed to drop something. A few idle
// values do not need one: they go with the next turn.
func (n *Node) hasExcess() bool {
	over, _ := n.excess()
	return n.st.idle.count() > purgeChunk || n.round.expire || over > 0 && !n.full.Load()
}

// takeNext removes from the lru the river to be evicted next, and returns the river.
func (n *Node) takeNext(now int64, looks *int) *river {
	n.mu.Lock()
	defer n.mu.Unlock()
	rv := n.st.order.next(now, looks)
	if rv != nil {
		n.st.order.remove(rv)
	}
	return rv
}

// mostMany is the number of closed searches and days that are kept.
const mostMany = 1000

// evictMany drops closed searches and days if there are more than mostMany. Searches and days have
// a limit of their own, because any visitor can think of another one, and each changed post is
// matched with all searches. Rivers that were visited more than once are kept longest.
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
	// Drop a tenth more than needed, so that not every turn has to drop some.
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
