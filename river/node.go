package river

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/timeline"
)

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

	ring      chan struct{}
	asks      asks
	builds    builds
	deepPages deepCache
	names     names
	life      context.Context // ends with the loop
	end       context.CancelFunc

	quarantine *quarantine

	loop
	progress

	full         atomic.Bool // there is no room, and only open rivers are left
	dbIncomplete atomic.Bool // the river DB does not have all that the node knows
	counts       counts
}

// loop is what the loop alone reads and writes.
type loop struct {
	draft         *draft            // of the turn under way
	following     []timeline.Change // that a turn followed which is not through
	panics        int               // how many turns in a row panicked, nobody knows why
	timeouts      int               // how many turns in a row came to no end in time
	appliedEarly  map[int64]bool    // changes applied before they had a position
	queue         []*river          // rivers with marks, oldest first
	stale         map[*river]bool
	visitsSavedAt int64 // when visits were last written down
	round         round
	leaving       []*river // that the turn under way takes away
	saving        saving
}

// progress is how far turns have come.
type progress struct {
	start       time.Time    // ages are measured by it: the clock on the wall may jump
	lastBegan   atomic.Int64 // when the last turn that came through began, since start; 0: none did
	sealedUntil atomic.Int64 // nothing is shown until the turn of this number is through
	lastTurn    atomic.Int64 // the number of the newest turn that is
	turns       atomic.Int64
}

// Open makes a node of what its river DB has, if that can be used, or an empty
// one. It serves nothing before [Node.Run] has published its first turn.
func Open(ctx context.Context, cfg Config) (*Node, error) {
	cfg.Settings.setDefaults()
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
	n := &Node{cfg: cfg, store: cfg.Store, log: cfg.Log, secret: secret, ring: make(chan struct{}, 1), next: make(chan struct{}), quarantine: newQuarantine(cfg.hooks)}
	n.start, n.appliedEarly = time.Now(), make(map[int64]bool)
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
		if st, err = db.load(ctx); err == nil && len(st.quarantine.posts) > 0 {
			err = errors.New("posts were left out: this process may do better")
		}
		if err != nil {
			n.log.Warn("starting a new river DB", "path", n.cfg.Path, "err", err)
			st = newState()
			db, err = db.recreate(ctx)
		}
	}
	if err != nil {
		n.log.Error("no river DB", "path", n.cfg.Path, "err", err)
		db = nil
		n.dbIncomplete.Store(true)
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
	st.seatAll()
	n.setState(st, db)
}

// take makes the node stand at a state and a river DB of its own.
func (n *Node) setState(st *state, db *riverDB) {
	st.checks, st.quarantine = n.cfg.checks, n.quarantine
	n.mu.Lock()
	old := n.st
	n.st, n.db = st, db
	n.mu.Unlock()
	n.saving, n.round, n.leaving = saving{}, round{}, nil
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
	clear(n.appliedEarly)
	if old != nil {
		for _, rv := range old.rivers {
			n.wake(rv) // its watches find that it is gone
		}
	}
}

// empty is a state that knows nothing, to build over.
func (n *Node) empty() *state {
	st := newState()
	st.checks, st.quarantine = n.cfg.checks, n.quarantine
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
	last := n.lastBegan.Load()
	if last == 0 {
		return 24 * time.Hour
	}
	return time.Since(n.start) - time.Duration(last)
}

// behind is how long turns have not come through, as far as waiting for one is
// concerned: a node that has just started may still take its first.
func (n *Node) behind() time.Duration {
	if n.lastBegan.Load() == 0 {
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
