package river

import (
	"cmp"
	"time"
)

// Settings bound what a node holds, and for how long. Zero values are replaced
// by the defaults given with each.
type Settings struct {
	Grace     time.Duration // a river idle longer goes: 4 h
	GraceHome time.Duration // a home river: 24 h
	Deepest   int           // entries a river may hold; deeper pages are read from the primary: 500
	Memory    int64         // bytes that all that is held may take, as well as they can be counted: 2 GiB
	RiverDB   int64         // bytes that the river DB's files may take: 4 GiB
	Limits
}

// Limits bound a node's work. Tests and benchmarks alone set other limits than the defaults.
type Limits struct {
	OpenMost   int           // entries an open river may grow to: 1,000
	Candidates int           // posts a visit looks at before it gives a short page: 10,000
	Marks      int           // marks worked off in a turn beside what is asked for: 200
	Waiting    int           // builds, or pages that are not kept, of one client that wait at most: 100
	Patience   time.Duration // how long such a page waits at most: 10 s
	SaveAgain  time.Duration // after which a disk that takes no river DB is tried again, at first: 1 s
	Tight      time.Duration // after which a taken right closes the node: 2 s
	Behind     time.Duration // without a turn, after which the node says so: 2 s
	Blind      time.Duration // without a turn, after which it shows nothing: 30 s
	Turn       time.Duration // what a turn may take; then it is tried again, on other connections: 15 s
	Poll       time.Duration // between turns that nobody rang for: 250 ms

	tombstones time.Duration // how long a removal is told to pages that slept: 24 h
	chunk      int           // posts that a turn sweeps of a river, or walks of a timeline: 100
	saved      int           // entries that a turn writes of what a lost river DB had: 2,000
	builders   int           // builds at a time: 4
	searchers  int           // builds of searches at a time, beside the others: 2
	searchFor  time.Duration // what looking for a search may take for a page, which is then short; a statement may take five times that: 1 s
	acted      time.Duration // how long an actor's answer waits for the loop: 300 ms
}

// fill replaces zero values by the defaults.
func (s *Settings) setDefaults() {
	s.Grace = cmp.Or(s.Grace, 4*time.Hour)
	s.GraceHome = cmp.Or(s.GraceHome, 24*time.Hour)
	s.Deepest = cmp.Or(s.Deepest, 500)
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
	s.builders = cmp.Or(s.builders, 4)
	s.searchers = cmp.Or(s.searchers, 2)
	s.searchFor = cmp.Or(s.searchFor, time.Second)
	s.acted = cmp.Or(s.acted, 300*time.Millisecond)
}
