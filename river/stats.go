package river

import (
	"os"
	"sync/atomic"
	"time"
)

// Stats are what a node has and has done, for metrics and the status page.
type Stats struct {
	Living map[Kind]int // rivers, by kind
	Open   map[Kind]int // those that sockets listen to
	// What they hold: entries, posts behind them (folds), viewers with their sets.
	Entries, Posts, Viewers int

	Marks      int           // places where a post is to be decided again
	Marked     int           // rivers with marks
	OldestMark time.Duration // how long the oldest of those rivers has had one
	Sweeping   int           // rivers that are not swept to their end
	Jobs       int           // walks and the like under way

	Builds, BuildsFailed int64 // first visits and extensions, since the start
	Building             int   // under way

	Turns, TurnsFailed int64
	Age                time.Duration // of what pages show: since the last turn that came through began
	Lag                int64         // changes that the last turn had to follow
	Position           int64         // of the change log, the highest that pages contain

	Expired              int64            // rivers that went for want of visits
	Evicted              map[string]int64 // and for want of room, by what was short
	Memory, MemoryBudget int64            // bytes that all of it takes, as it is counted, and those that it may
	Quarantined          int              // posts left out because showing them fails
	Renewed              int64            // how often a river DB was begun anew while the node ran
	Size                 int64            // of the river DB's file and its journal, in bytes
	SizeBudget           int64            // and what that may be
	Full                 bool             // open rivers alone take more than the budgets: no others are kept
	RiverDBIncomplete    bool             // it does not have all that the node knows: a restart would begin with less
}

// A Turn is what one turn of the loop was, for metrics.
type Turn struct {
	Took    time.Duration
	Changes int   // that it followed
	Decided int   // entries decided
	Err     error // nil: it came through
}

// counts are what only ever rises.
type counts struct {
	builds, buildsFailed, turnsFailed, expired, renewed, lag atomic.Int64
	evictedMemory, evictedRiverDB, evictedMany               atomic.Int64
}

// evict counts a river that went for want of room.
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

// evicted returns how many rivers went for want of room, by what was short.
func (c *counts) evicted() map[string]int64 {
	return map[string]int64{evictedMemory: c.evictedMemory.Load(), evictedRiverDB: c.evictedRiverDB.Load(), evictedMany: c.evictedMany.Load()}
}

// built counts a build.
func (c *counts) built(err error) {
	c.builds.Add(1)
	if err != nil {
		c.buildsFailed.Add(1)
	}
}

// Stats looks at the state and the counts. It takes a moment in which no turn can
// be published: a walk over the rivers, not over what they hold.
func (n *Node) Stats() Stats {
	n.builds.mu.Lock()
	building := len(n.builds.under)
	n.builds.mu.Unlock()
	s := Stats{
		Living: make(map[Kind]int), Open: make(map[Kind]int), Building: building,
		Builds: n.counts.builds.Load(), BuildsFailed: n.counts.buildsFailed.Load(),
		Turns: n.turns.Load(), TurnsFailed: n.counts.turnsFailed.Load(), Age: n.Age(), Lag: n.counts.lag.Load(),
		Expired: n.counts.expired.Load(), Evicted: n.counts.evicted(), Renewed: n.counts.renewed.Load(),
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
	s.Memory = st.bytes
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
