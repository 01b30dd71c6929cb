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

// Config holds the parts that a node is made of.
type Config struct {
	Store    *timeline.Store
	Path     string // the path of the river DB, a file that may be lost at any time
	Settings Settings
	Log      *slog.Logger
	Now      func() time.Time // nil: the clock at the start, and the time elapsed since
	// Ended is called with the hash of each session or token whose end is in the change log. It
	// may be nil.
	Ended func(hash []byte)
	// Forgot is called after the node missed changes, which may include ends of
	// sessions. The callee must then trust no earlier answer about sessions, and
	// close all open pages. It may be nil.
	Forgot func()
	// Turned is called after each turn. It may be nil.
	Turned func(Turn)
	// Built is called after each build, with its duration and its error. It may be nil.
	Built func(what Kind, took time.Duration, err error)
	// Came is called once for each river that was built ahead: when its reader comes, or when
	// the river is dropped before. It must not block. It may be nil.
	Came func(key Key, came bool)
	// Sealed is called when a right was taken away and the loop did not finish a
	// turn in time. The callee must close all open pages. It may be nil.
	Sealed func()

	// Reached is called with the name of each point in the node's work; a test can kill the
	// process at the point. It may be nil.
	Reached func(point string)

	hooks  hooks  // nil: hooks that call Reached
	checks access // nil: [checks]
}

// A Node keeps rivers: it serves them from memory, follows the change log, and keeps a copy in
// SQLite. Many goroutines may call its methods at once.
type Node struct {
	cfg    Config
	store  *timeline.Store
	log    *slog.Logger
	secret []byte // the key from which names of rivers are made

	mu sync.RWMutex // guards st and everything in it
	st *state
	db *riverDB // used by the loop alone; nil while there is no river DB

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

	full         atomic.Bool // memory is full, and only open rivers are left
	scarce       atomic.Bool // too little room to build a river before a reader asks for it
	dbIncomplete atomic.Bool // the river DB does not have everything that the node knows
	counts       counts
}

// loop holds the fields that only the loop reads and writes.
type loop struct {
	draft         *draft            // the draft of the turn under way
	following     []timeline.Change // the changes of the present turn, or of the last turn if it failed
	panics        int               // how many turns in a row panicked for unknown reasons
	timeouts      int               // how many turns in a row exceeded Limits.Turn
	appliedEarly  map[int64]bool    // changes applied before they had a position
	queue         []*river          // rivers with marks, oldest first
	stale         map[*river]bool
	visitsSavedAt int64 // when visits were last written to the river DB
	round         round
	leaving       []*river // rivers that the turn under way drops
	shortening    []*river // closed rivers that the turn shortens
	rebuild       rebuild
}

// progress records the turns that were published.
type progress struct {
	start       time.Time    // ages are measured from here: the wall clock may jump
	lastBegan   atomic.Int64 // when the last published turn began, since start; 0: none was published
	sealedUntil atomic.Int64 // nothing is shown until the turn of this number is published
	lastTurn    atomic.Int64 // the number of the newest published turn
	turns       atomic.Int64
}

// Open returns a node with the rivers of its river DB, or without rivers if the
// river DB can't be used. The node serves nothing before [Node.Run] has published
// the first turn.
func Open(ctx context.Context, cfg Config) (*Node, error) {
	cfg.Settings.setDefaults()
	if cfg.Now == nil {
		// A change of the wall clock must not age a river that was visited a minute
		// ago.
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

// openDB opens the river DB and loads its state. It replaces an unusable river DB by a new one.
// If it can't make a new one, turns try again.
func (n *Node) openDB(ctx context.Context) {
	st := newState()
	db, err := openRiverDB(ctx, n.cfg.Path)
	if err == nil {
		if st, err = db.load(ctx); err == nil && len(st.quarantine.posts) > 0 {
			err = errors.New("the earlier process left posts out, and this one may be able to show them")
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
	// The file may be an old copy, or come from another node. The counter begins above all
	// counters that pages can have from such a life, so that no page takes the counter of one
	// life for the counter of another.
	now := n.now()
	st.counter = max(st.counter, now)
	for _, rv := range st.rivers { // the clock may have been ahead in that life
		rv.visited.Store(min(rv.visited.Load(), now))
		rv.persisted, rv.created = min(rv.persisted, now), min(rv.created, now)
		for post, t := range rv.tombs {
			rv.tombs[post] = tomb{t.counter, min(t.at, now)}
		}
	}
	st.seatAll()
	n.setState(st, db)
}

// setState sets the node's state and river DB.
func (n *Node) setState(st *state, db *riverDB) {
	st.checks, st.quarantine = n.cfg.checks, n.quarantine
	n.mu.Lock()
	old := n.st
	n.st, n.db = st, db
	n.mu.Unlock()
	n.rebuild, n.round, n.leaving, n.shortening = rebuild{}, round{}, nil, nil
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
			n.wake(rv) // the watches find that the river ended
		}
	}
}

// empty returns a state without rivers, as the base of a build's draft.
func (n *Node) empty() *state {
	st := newState()
	st.checks, st.quarantine = n.cfg.checks, n.quarantine
	n.mu.RLock()
	defer n.mu.RUnlock()
	st.siteState = n.st.siteState
	return st
}

func (n *Node) now() int64 { return n.cfg.Now().UnixMilli() }

// Ring asks the loop for a turn.
func (n *Node) Ring() {
	select {
	case n.ring <- struct{}{}:
	default:
	}
}

// Age returns how long ago the last published turn began: the greatest age of
// anything that the node shows. Before the first turn it returns a day.
func (n *Node) Age() time.Duration {
	last := n.lastBegan.Load()
	if last == 0 {
		return 24 * time.Hour
	}
	return time.Since(n.start) - time.Duration(last)
}

// behind returns for how long no turn was published, for callers that wait for a turn. Unlike
// [Node.Age] it counts from the node's start before the first turn: a node that has just started
// is not behind, because its first turn may be under way.
func (n *Node) behind() time.Duration {
	if n.lastBegan.Load() == 0 {
		return time.Since(n.start)
	}
	return n.Age()
}

// Position returns the highest position of the change log that pages contain.
func (n *Node) Position() int64 {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.st.position
}

// whole returns the position up to which pages contain the whole log, and a channel that is
// closed when the next turn is published.
func (n *Node) whole() (position int64, next <-chan struct{}) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.st.whole, n.next
}

// Site returns the settings of the site, as of the last turn.
func (n *Node) Site() timeline.SiteSettings {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.st.site
}

// Turns returns how many turns were published.
func (n *Node) Turns() int64 { return n.turns.Load() }
