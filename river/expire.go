package river

import (
	"cmp"
	"slices"

	"amstel.dev/amstel/timeline"
)

// expireChunk is how many rivers go in one turn, so that it stays short.
const expireChunk = 200

// Expire asks the loop to let go of what nobody looked at: rivers idle longer
// than their grace, never open ones; then folds and cards that nothing shows,
// and tombstones past their time. Cron calls it.
func (n *Node) Expire() {
	n.asks.mu.Lock()
	n.asks.expire = true
	n.asks.mu.Unlock()
	n.Ring()
}

// expire puts a chunk of it into a turn, and asks for another while there is
// more.
func (n *Node) expire(d *draft, now int64) {
	st := n.st
	dropped := 0
	for _, rv := range st.rivers {
		visited := rv.visited.Load()
		rd := d.rivers[rv]
		switch {
		case rv.open() || rd != nil && rd.dropped:
		case now-visited > kinds[rv.key.What].grace(n.cfg.Settings):
			if dropped++; dropped > expireChunk {
				n.Expire()
				return
			}
			d.of(rv).dropped = true
			n.counts.expired.Add(1)
			continue
		}
		for post, t := range rv.tombs {
			if now-t.at > n.cfg.Settings.Tombstones.Milliseconds() {
				rd := d.of(rv)
				rd.purge = append(rd.purge, post)
				d.done.purged = max(d.done.purged, t.counter)
			}
		}
	}
	if dropped == 0 { // all that rivers hold is known now
		n.purge(d)
	}
}

// purge drops folds and cards that nothing shows.
func (n *Node) purge(d *draft) {
	st := n.st
	n.builds.mu.Lock()
	building := len(n.builds.under) > 0
	n.builds.mu.Unlock()
	if building {
		return // a build may rely on them: another time
	}
	// To find the cards that nothing shows all must be looked at: only when they
	// may be half of those there are.
	cards := len(st.users)+len(st.groups) > 2*n.shown+1000 || len(st.rivers) == 0
	users := make(map[timeline.UserID]bool)
	groups := make(map[timeline.GroupID]bool)
	on := cardsOf{
		user:  func(id timeline.UserID) { users[id] = true },
		group: func(id timeline.GroupID) { groups[id] = true },
	}
	about := make(map[timeline.PostID]bool) // posts that this turn is about to put somewhere
	for _, rd := range d.rivers {
		for post := range rd.decide {
			about[post] = true
		}
	}
	for post, h := range st.held {
		if len(h.rivers) == 0 && !about[post] {
			d.dropHeld = append(d.dropHeld, post)
			continue
		}
		if !cards {
			continue
		}
		on.fold(h.fold)
		on.fold(h.all)
		on.places(h.facts, d.timeline)
		for rv := range h.rivers {
			e := rv.entries[post]
			on.fold(e.fold)
			on.reasons(e.reasons)
		}
	}
	slices.Sort(d.dropHeld)
	if !cards {
		return
	}
	for _, rv := range st.rivers {
		on.subject(rv.key)
	}
	if len(about) > 0 || len(d.facts) > 0 {
		return // cards: in a turn that shows nothing new
	}
	for id := range st.users {
		if !users[id] {
			d.dropUsers = append(d.dropUsers, id)
		}
	}
	for id := range st.groups {
		if !groups[id] {
			d.dropGroups = append(d.dropGroups, id)
		}
	}
	n.shown = len(users) + len(groups)
}

// trim raises the floor of rivers that grew too long, lets go of those that
// nobody has open and that have too much to be decided again, and writes down
// visits, at most once a minute each.
func (n *Node) trim(d *draft) {
	st, s := n.st, n.cfg.Settings
	for rv, rd := range d.rivers {
		if !rv.open() && len(rv.marks)+len(rd.mark) > s.Deepest { // to build it again costs less
			rd.dropped = true
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
	n.evict(d, n.st.many, s.Many)
	n.evictAny(d)
	now := n.now()
	if now-n.looked < 10_000 {
		return
	}
	n.looked = now
	for _, rv := range st.rivers {
		if visited := rv.visited.Load(); visited-rv.persisted >= 60_000 || rv.open() && now-rv.persisted >= 60_000 {
			if rd := d.of(rv); !rd.dropped {
				rd.visited = max(visited, 1)
				if rv.open() {
					rd.visited = now
				}
			}
		}
	}
}

// evictAny lets go of the rivers that nobody looked at for longest, where more are
// kept than there is room for.
func (n *Node) evictAny(d *draft) {
	if most := n.cfg.Settings.Most; len(n.st.rivers) > most {
		all := make(map[*river]bool, len(n.st.rivers))
		for _, rv := range n.st.rivers {
			all[rv] = true
		}
		n.evict(d, all, most)
	}
}

// evict lets go of those of some rivers that nobody looked at for longest, where
// more are kept than should be. Of searches and days there is a number of their own:
// everybody can think of another, and each post is held against all searches.
func (n *Node) evict(d *draft, some map[*river]bool, most int) {
	if len(some) <= most {
		return
	}
	var idle []*river
	for rv := range some {
		if rd := d.rivers[rv]; !rv.open() && (rd == nil || !rd.dropped && !rd.made) {
			idle = append(idle, rv)
		}
	}
	if len(idle) <= most {
		return
	}
	// Some more go, so that it is not done each time.
	over := len(idle) - most + most/10
	slices.SortFunc(idle, func(a, b *river) int { return cmp.Compare(a.visited.Load(), b.visited.Load()) })
	for _, rv := range idle[:min(over, len(idle))] {
		d.of(rv).dropped = true
		n.counts.evicted.Add(1)
	}
}
