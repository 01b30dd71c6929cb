package river

import (
	"cmp"
	"time"
)

// Settings limit how much a node holds, and for how long. Zero values are replaced
// by the defaults given with each.
type Settings struct {
	Grace     time.Duration // how long a river is kept after its last visit: 4 h
	GraceHome time.Duration // the same for a home: 24 h
	Deepest   int           // entries a river may hold; deeper pages are read from the primary: 500
	Shallow   int           // entries that a river may always hold, however few its reader views; at most Deepest: 60
	Memory    int64         // bytes that the state may take, by estimate: 2 GiB
	RiverDB   int64         // bytes that the river DB's files may take: 4 GiB
	Limits
}

// Limits bound a node's work. Tests and benchmarks alone set other limits than the defaults.
type Limits struct {
	OpenMost   int           // entries an open river may grow to: 1,000
	Candidates int           // posts that a visit reads before it returns a short page: 10,000
	Marks      int           // marked posts that a turn decides, besides the posts that visitors wait for: 200
	Waiting    int           // waiting builds, or pages for a single answer, that one client may have: 100
	Patience   time.Duration // how long a page that is not kept waits at most: 10 s
	SaveAgain  time.Duration // the first pause before a river DB that can't be written is tried again: 1 s
	Tight      time.Duration // how long WaitRevoked waits before it seals the node: 2 s
	Behind     time.Duration // how long without a turn before the node reports that it is behind: 2 s
	Blind      time.Duration // how long without a turn until the node shows nothing: 30 s
	Turn       time.Duration // the time limit of a turn, which is then tried again on other connections: 15 s
	Poll       time.Duration // the pause between turns without a doorbell: 250 ms
	Answer     time.Duration // how long the answer to a write waits for the loop: 300 ms
	Search     time.Duration // how long a search may look for the posts of a page; a slower search returns a short page; a single statement may take five times as long: 1 s

	tombstones time.Duration // how long removals are kept for pages that slept: 24 h
	chunk      int           // posts of a river in one sweep by a turn, or of a timeline in one walk: 100
	saved      int           // entries that a turn writes to replace a lost river DB: 2,000
	saveWithin time.Duration // how long a stopping node writes rivers: 5 s
	builders   int           // builds at a time: 4
	searchers  int           // builds of searches at a time, in addition: 2
}

// setDefaults replaces zero values by the defaults.
func (s *Settings) setDefaults() {
	s.Grace = cmp.Or(s.Grace, 4*time.Hour)
	s.GraceHome = cmp.Or(s.GraceHome, 24*time.Hour)
	s.Deepest = cmp.Or(s.Deepest, 500)
	s.Shallow = min(cmp.Or(s.Shallow, 60), s.Deepest)
	s.Memory = cmp.Or(s.Memory, 2<<30)
	s.RiverDB = cmp.Or(s.RiverDB, 4<<30)
	s.OpenMost = cmp.Or(s.OpenMost, 1000)
	s.Candidates = cmp.Or(s.Candidates, 10_000)
	s.Marks = cmp.Or(s.Marks, 200)
	s.Waiting = cmp.Or(s.Waiting, 100)
	s.Patience = cmp.Or(s.Patience, 10*time.Second)
	s.SaveAgain = cmp.Or(s.SaveAgain, time.Second)
	s.Tight = cmp.Or(s.Tight, 2*time.Second)
	s.Behind = cmp.Or(s.Behind, 2*time.Second)
	s.Blind = cmp.Or(s.Blind, 30*time.Second)
	s.Turn = cmp.Or(s.Turn, 15*time.Second)
	s.Poll = cmp.Or(s.Poll, 250*time.Millisecond)
	s.tombstones = cmp.Or(s.tombstones, 24*time.Hour)
	s.chunk = cmp.Or(s.chunk, 100)
	s.saved = cmp.Or(s.saved, 2000)
	s.saveWithin = cmp.Or(s.saveWithin, 5*time.Second)
	s.builders = cmp.Or(s.builders, 4)
	s.searchers = cmp.Or(s.searchers, 2)
	s.Search = cmp.Or(s.Search, time.Second)
	s.Answer = cmp.Or(s.Answer, 300*time.Millisecond)
}
