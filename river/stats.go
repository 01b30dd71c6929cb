package river

import (
	"os"
	"sync/atomic"
	"time"
)

// Stats describe a node's data and work, for metrics and the status page.
type Stats struct {
	Living map[Kind]int // rivers, by kind
	Open   map[Kind]int // rivers that sockets listen to
	// The contents of the rivers: entries, posts behind them (folds), viewers with
	// their sets.
	Entries, Posts, Viewers int

	Marks      int           // marked posts, counted once for each river
	Marked     int           // rivers with marks
	OldestMark time.Duration // for how long the river that has waited longest has had marks
	Sweeping   int           // rivers with a sweep that has not ended
	Jobs       int           // jobs under way

	Builds, BuildsFailed int64 // first visits and extensions, since the start
	Building             int   // builds under way

	Turns, TurnsFailed int64
	Age                time.Duration // the greatest age of pages: the time since the last published turn began
	Lag                int64         // changes that the last turn followed
	Position           int64         // the highest position of the change log that pages contain

	Expired              int64            // rivers dropped for want of visits
	Ahead                Ahead            // rivers built before their readers came
	Shortened            int64            // how often a river was shortened to the depth that its readers scroll
	Evicted              map[string]int64 // rivers dropped for want of room, by the limit that was exceeded
	Memory, MemoryBudget int64            // the estimated bytes that the state takes, and the budget
	Quarantined          int              // posts left out of all rivers because showing them panics
	Renewed              int64            // how often the river DB was replaced while the node ran
	Size                 int64            // the size of the river DB's file and its journal, in bytes
	SizeBudget           int64            // the budget of the river DB, in bytes
	Full                 bool             // open rivers alone exceed the budgets, so no others are kept
	RiverDBIncomplete    bool             // the river DB does not have everything that the node knows, so a restart would begin with less
}

// A Turn describes one turn of the loop, for metrics.
type Turn struct {
	Took    time.Duration
	Changes int   // changes that the turn followed
	Decided int   // entries that the turn decided
	Err     error // nil: the turn was published
}

// counts are the counters of a node, which only rise.
type counts struct {
	builds, buildsFailed, turnsFailed, expired, shortened, renewed, lag atomic.Int64
	ahead, aheadHits, aheadMisses, firstHomes                           atomic.Int64
	evictedMemory, evictedRiverDB, evictedMany                          atomic.Int64
}

// evict counts a river that was dropped for want of room.
func (c *counts) evict(why string) {
	switch why {
	case evictedMemory:
		c.evictedMemory.Add(1)
	case evictedRiverDB:
		c.evictedRiverDB.Add(1)
	case evictedMany:
		c.evictedMany.Add(1)
	}
}

// evicted returns how many rivers were dropped for want of room, by the limit that
// was exceeded.
func (c *counts) evicted() map[string]int64 {
	return map[string]int64{evictedMemory: c.evictedMemory.Load(), evictedRiverDB: c.evictedRiverDB.Load(), evictedMany: c.evictedMany.Load()}
}

// aheadOf returns how many rivers were built ahead, and for how many of them the reader came.
func (c *counts) aheadOf() Ahead {
	hits := c.aheadHits.Load()
	return Ahead{Built: c.ahead.Load(), Hits: hits, Misses: c.aheadMisses.Load(), First: hits + c.firstHomes.Load()}
}

// built counts a build.
func (c *counts) built(err error) {
	c.builds.Add(1)
	if err != nil {
		c.buildsFailed.Add(1)
	}
}

// Stats returns the node's present Stats. It walks over the rivers, but not over
// their entries, and no turn can be published meanwhile.
func (n *Node) Stats() Stats {
	n.builds.mu.Lock()
	building := len(n.builds.under)
	n.builds.mu.Unlock()
	s := Stats{
		Living: make(map[Kind]int), Open: make(map[Kind]int), Building: building,
		Builds: n.counts.builds.Load(), BuildsFailed: n.counts.buildsFailed.Load(),
		Turns: n.turns.Load(), TurnsFailed: n.counts.turnsFailed.Load(), Age: n.Age(), Lag: n.counts.lag.Load(),
		Expired: n.counts.expired.Load(), Shortened: n.counts.shortened.Load(), Ahead: n.counts.aheadOf(), Evicted: n.counts.evicted(), Renewed: n.counts.renewed.Load(),
		RiverDBIncomplete: n.dbIncomplete.Load(), Full: n.full.Load(), MemoryBudget: n.cfg.Settings.Memory, SizeBudget: n.cfg.Settings.RiverDB,
	}
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(n.cfg.Path + suffix); err == nil {
			s.Size += info.Size()
		}
	}
	out, _ := n.quarantine.list()
	s.Quarantined = len(out)
	n.mu.RLock()
	defer n.mu.RUnlock()
	st := n.st
	s.Memory = st.bytes + n.deepPages.bytes.Load()
	s.Posts, s.Viewers, s.Jobs, s.Position = len(st.held), len(st.viewers), len(st.jobs), st.position
	for key, rv := range st.byKey {
		s.Living[key.What]++
		if rv.open() {
			s.Open[key.What]++
		}
		s.Entries += len(rv.order)
		s.Marks += len(rv.marks)
		if len(rv.marks) > 0 {
			s.Marked++
			s.OldestMark = max(s.OldestMark, time.Since(rv.marked))
		}
		if rv.stale != 0 {
			s.Sweeping++
		}
	}
	return s
}
