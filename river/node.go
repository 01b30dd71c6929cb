package river

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/timeline"
)

// Settings bound what a node holds, and for how long. Zero values are replaced
// by the defaults given with each.
type Settings struct {
	Grace      time.Duration // a river idle longer goes: 4 h
	GraceHome  time.Duration // a home river: 24 h
	Tombstones time.Duration // how long a removal is told to pages that slept: 24 h
	Deepest    int           // entries a river may hold; deeper pages are read from the primary: 500
	OpenMost   int           // entries an open river may grow to: 1,000
	Candidates int           // posts a visit looks at before it gives a short page: 10,000
	Chunk      int           // posts that a turn sweeps of a river, or walks of a timeline: 100
	Memory     int64         // bytes that all that is held may take, as well as they can be counted: 2 GiB
	RiverDB    int64         // bytes that the river DB's files may take: 4 GiB
	Apart      time.Duration // how long after the first a visit must come to count as another: 10 s
	Many       int           // searches and days that nobody has open and that are kept all the same: 1,000
	Marks      int           // marks worked off in a turn beside what is asked for: 200
	Save       int           // entries that a turn writes of what a lost river DB had: 2,000
	SaveAgain  time.Duration // after which a disk that takes no river DB is tried again, at first: 1 s
	Builders   int           // builds at a time: 4
	Searchers  int           // builds of searches at a time, beside the others: 2
	Strangers  int           // pages that take long, at a time, of all who are not signed in: one for every two cores
	Unkept     int           // pages at a time that are read for one answer, and such pages of searches, beside the builds: 1
	Waiting    int           // builds, or such pages, of one client that wait at most: 100
	Patience   time.Duration // how long such a page waits at most: 10 s
	SearchFor  time.Duration // what looking for a search may take for a page, which is then short; a statement may take five times that: 1 s
	Acted      time.Duration // how long an actor's answer waits for the loop: 300 ms
	Tight      time.Duration // after which a taken right closes the node: 2 s
	Behind     time.Duration // without a turn, after which the node says so: 2 s
	Blind      time.Duration // without a turn, after which it shows nothing: 30 s
	Turn       time.Duration // what a turn may take; then it is tried again, on other connections: 15 s
	Poll       time.Duration // between turns that nobody rang for: 250 ms
}

func (s *Settings) fill() {
	set := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	number := func(n *int, v int) {
		if *n == 0 {
			*n = v
		}
	}
	size := func(n *int64, v int64) {
		if *n == 0 {
			*n = v
		}
	}
	set(&s.Grace, 4*time.Hour)
	set(&s.GraceHome, 24*time.Hour)
	set(&s.Tombstones, 24*time.Hour)
	number(&s.Deepest, 500)
	number(&s.OpenMost, 1000)
	number(&s.Candidates, 10_000)
	number(&s.Chunk, 100)
	size(&s.Memory, 2<<30)
	size(&s.RiverDB, 4<<30)
	set(&s.Apart, 10*time.Second)
	number(&s.Many, 1000)
	number(&s.Marks, 200)
	number(&s.Save, 2000)
	set(&s.SaveAgain, time.Second)
	number(&s.Builders, 4)
	number(&s.Searchers, 2)
	number(&s.Strangers, max(1, runtime.GOMAXPROCS(0)/2))
	number(&s.Unkept, 1)
	number(&s.Waiting, 100)
	set(&s.Patience, 10*time.Second)
	set(&s.SearchFor, time.Second)
	set(&s.Acted, 300*time.Millisecond)
	set(&s.Tight, 2*time.Second)
	set(&s.Behind, 2*time.Second)
	set(&s.Blind, 30*time.Second)
	set(&s.Turn, 15*time.Second)
	set(&s.Poll, 250*time.Millisecond)
}

// Config is what a node is made of.
type Config struct {
	Store    *timeline.Store
	Path     string // of the river DB, which may be lost at any time
	Settings Settings
	Log      *slog.Logger
	Now      func() time.Time // nil: the clock as it was at the start, and the time since
	// Ended is told the hash of each session or token that ended, by the
	// change log; nil: nobody.
	Ended func(hash []byte)
	// Forgot is told that changes went by that the node knows nothing of, ends of
	// sessions among them: nobody may be believed to be signed in by what was
	// heard before, and open pages must be let go of; nil: nobody.
	Forgot func()
	// Turned is told of each turn; nil: nobody.
	Turned func(Turn)
	// Built is told how long each build took, and how it failed; nil: nobody.
	Built func(what Kind, took time.Duration, err error)
	// Sealed is told that a right was taken away and the loop did not come
	// through in time: open pages must be let go of; nil: nobody.
	Sealed func()

	// Reached is called with the name of each point that the node's work comes to,
	// so that a test can kill the process there; nil: nothing is called.
	Reached func(point string)

	hooks  hooks  // nil: they call Reached
	checks access // nil: [checks]
}

// A Node keeps rivers: it serves them from memory, follows the change log, and
// keeps SQLite behind it. Its methods may be called by many at once.
type Node struct {
	cfg    Config
	store  *timeline.Store
	log    *slog.Logger
	secret []byte // of the names of rivers

	mu sync.RWMutex // of what st is and of all in it
	st *state
	db *riverDB // the loop's; nil: there is none just now

	next chan struct{} // closed when the next turn is published

	ring   chan struct{}
	asks   asks
	builds builds
	walks  passages
	names  names
	life   context.Context // ends with the loop
	end    context.CancelFunc

	out *quarantine

	loop
	progress

	full   atomic.Bool // there is no room, and only open rivers are left
	adrift atomic.Bool // the river DB does not have all that the node knows
	counts counts
}

// loop is what the loop alone reads and writes.
type loop struct {
	draft  *draft            // of the turn under way
	let    []timeline.Change // that a turn followed which is not through
	fell   int               // how many turns in a row panicked, nobody knows why
	long   int               // how many turns in a row came to no end in time
	seen   map[int64]bool    // changes applied before they had a position
	queue  []*river          // rivers with marks, oldest first
	stale  map[*river]bool
	looked int64 // when visits were last written down
	round  round
	going  []*river // that the turn under way takes away
	saving saving
}

// progress is how far turns have come.
type progress struct {
	start  time.Time    // ages are measured by it: the clock on the wall may jump
	last   atomic.Int64 // when the last turn that came through began, since start; 0: none did
	sealed atomic.Int64 // nothing is shown until the turn of this number is through
	passed atomic.Int64 // the number of the newest turn that is
	turns  atomic.Int64
}

// Open makes a node of what its river DB has, if that can be used, or an empty
// one. It serves nothing before [Node.Run] has published its first turn.
func Open(ctx context.Context, cfg Config) (*Node, error) {
	cfg.Settings.fill()
	if cfg.Now == nil {
		// What was visited a minute ago is no day old because somebody set the clock.
		start := time.Now()
		cfg.Now = func() time.Time { return start.Add(time.Since(start)) }
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Reached == nil {
		cfg.Reached = func(string) {}
	}
	if cfg.hooks == nil {
		cfg.hooks = tells(cfg.Reached)
	}
	if cfg.checks == nil {
		cfg.checks = checks{}
	}
	secret, err := cfg.Store.Secret(ctx, "river_secret")
	if err != nil {
		return nil, err
	}
	n := &Node{cfg: cfg, store: cfg.Store, log: cfg.Log, secret: secret, ring: make(chan struct{}, 1), next: make(chan struct{}), out: newQuarantine(cfg.hooks)}
	n.start, n.seen = time.Now(), make(map[int64]bool)
	n.life, n.end = context.WithCancel(context.WithoutCancel(ctx))
	n.builds.open(&cfg.Settings)
	n.openDB(ctx)
	return n, nil
}

// openDB opens the river DB and takes up the state it has. One that can't be
// used is thrown away; where none can be made, turns try again.
func (n *Node) openDB(ctx context.Context) {
	st := newState()
	db, err := openRiverDB(ctx, n.cfg.Path)
	if err == nil {
		if st, err = db.load(ctx); err == nil && len(st.out.out) > 0 {
			err = errors.New("posts were left out: this process may do better")
		}
		if err != nil {
			n.log.Warn("starting a new river DB", "path", n.cfg.Path, "err", err)
			st = newState()
			db, err = db.renew(ctx)
		}
	}
	if err != nil {
		n.log.Error("no river DB", "path", n.cfg.Path, "err", err)
		db = nil
		n.adrift.Store(true)
	}
	// A file may be an older picture of itself, or another node's: what pages were
	// told in one life must not be taken for what was counted in another.
	now := n.now()
	st.counter = max(st.counter, now)
	for _, rv := range st.rivers { // of a clock that was ahead in that life
		rv.visited.Store(min(rv.visited.Load(), now))
		rv.persisted, rv.created = min(rv.persisted, now), min(rv.created, now)
		for post, t := range rv.tombs {
			rv.tombs[post] = tomb{t.counter, min(t.at, now)}
		}
	}
	st.seatAll(n.cfg.Settings.Apart)
	n.take(st, db)
}

// take makes the node stand at a state and a river DB of its own.
func (n *Node) take(st *state, db *riverDB) {
	st.checks, st.out = n.cfg.checks, n.out
	n.mu.Lock()
	old := n.st
	n.st, n.db = st, db
	n.mu.Unlock()
	n.saving, n.round, n.going = saving{}, round{}, nil
	n.full.Store(false)
	n.queue = n.queue[:0]
	n.stale = make(map[*river]bool)
	for _, rv := range st.rivers {
		if len(rv.marks) > 0 {
			n.queue = append(n.queue, rv)
		}
		if rv.stale != 0 {
			n.stale[rv] = true
		}
	}
	clear(n.seen)
	if old != nil {
		for _, rv := range old.rivers {
			n.wake(rv) // its watches find that it is gone
		}
	}
}

// empty is a state that knows nothing, to build over.
func (n *Node) empty() *state {
	st := newState()
	st.checks, st.out = n.cfg.checks, n.out
	n.mu.RLock()
	defer n.mu.RUnlock()
	st.siteState = n.st.siteState
	return st
}

func (n *Node) now() int64 { return n.cfg.Now().UnixMilli() }

// Ring asks the loop for a turn now.
func (n *Node) Ring() {
	select {
	case n.ring <- struct{}{}:
	default:
	}
}

// Age is how long ago the last turn began that came through: how old what the
// node shows may be. Before the first one it is a day.
func (n *Node) Age() time.Duration {
	last := n.last.Load()
	if last == 0 {
		return 24 * time.Hour
	}
	return time.Since(n.start) - time.Duration(last)
}

// behind is how long turns have not come through, as far as waiting for one is
// concerned: a node that has just started may still take its first.
func (n *Node) behind() time.Duration {
	if n.last.Load() == 0 {
		return time.Since(n.start)
	}
	return n.Age()
}

// Position is the highest position of the change log that pages contain.
func (n *Node) Position() int64 {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.st.position
}

// whole returns the position up to which pages contain all that was logged, and
// a channel that is closed when the next turn is published.
func (n *Node) whole() (position int64, next <-chan struct{}) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.st.whole, n.next
}

// Site is how administrators have set the site, as of the last turn.
func (n *Node) Site() timeline.SiteSettings {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.st.site
}

// Turns counts the turns that came through.
func (n *Node) Turns() int64 { return n.turns.Load() }
