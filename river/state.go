package river

import (
	linked "container/list"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/timeline"
)

// state is all that a node knows: one state of the primary, as far as its
// living rivers show it. The loop changes it, by applying a draft, under the
// node's lock; all values that it points to are of one snapshot and immutable.
type state struct {
	rivers    map[int64]*river
	byKey     map[Key]*river
	held      map[timeline.PostID]*held
	timelines map[timeline.TimelineID]timeline.Timeline
	viewers   map[timeline.UserID]*viewer
	users     map[timeline.UserID]card[*timeline.UserCard]
	groups    map[timeline.GroupID]card[*timeline.GroupCard]

	fed          map[timeline.TimelineID]map[*river]bool      // the rivers that a timeline feeds
	single       map[timeline.PostID]map[*river]bool          // the pages of a single post
	gated        map[timeline.TimelineID]map[*river]bool      // the rivers whose page it opens
	unbounded    map[*river]bool                              // those that anybody can think of
	search       map[*river]bool                              // those of a query
	notice       map[timeline.PostID]map[timeline.UserID]bool // who has not read what he was told of the post
	uncounted    map[timeline.UserID]bool                     // viewers whose notices were not counted yet
	accessAt     map[timeline.TimelineID]int64                // the counter at which its access last changed
	accessBefore map[timeline.TimelineID]int64                // the one at which it changed before that
	lastAccessAt int64                                        // the highest of those

	logState
	counter    int64 // raised once a turn
	lastID     int64 // of a river
	quarantine *quarantine
	all        []*river // rivers, in no order
	order      lru
	tally

	checks access
}

// A logState is where a state stands: in the change log, and in the work that changes
// leave to later turns.
type logState struct {
	cursor   int64  // of the change log: all up to it is applied
	nonce    string // of the row there
	logEpoch string
	position int64 // the highest position that pages contain
	whole    int64 // the position up to which they contain all
	jobs     []job
	purged   int64 // the highest counter at which a tombstone was dropped
	siteState
}

// A siteState is how the whole site is sorted and ranked.
type siteState struct {
	site timeline.SiteSettings
	run  int64 // the last of the rankings
}

func newState() *state {
	return &state{
		rivers:       make(map[int64]*river),
		byKey:        make(map[Key]*river),
		held:         make(map[timeline.PostID]*held),
		timelines:    make(map[timeline.TimelineID]timeline.Timeline),
		viewers:      make(map[timeline.UserID]*viewer),
		users:        make(map[timeline.UserID]card[*timeline.UserCard]),
		groups:       make(map[timeline.GroupID]card[*timeline.GroupCard]),
		fed:          make(map[timeline.TimelineID]map[*river]bool),
		single:       make(map[timeline.PostID]map[*river]bool),
		gated:        make(map[timeline.TimelineID]map[*river]bool),
		unbounded:    make(map[*river]bool),
		search:       make(map[*river]bool),
		notice:       make(map[timeline.PostID]map[timeline.UserID]bool),
		uncounted:    make(map[timeline.UserID]bool),
		accessAt:     make(map[timeline.TimelineID]int64),
		accessBefore: make(map[timeline.TimelineID]int64),
		quarantine:   newQuarantine(tells(func(string) {})),
		checks:       checks{},
	}
}

// A river holds all and only what its viewer may see at or above its floor.
type river struct {
	id       int64
	key      Key
	epoch    string // random, when it is made
	sorted   timeline.Order
	query    *timeline.Query // of a search
	wants    map[timeline.TimelineID]bool
	gates    []timeline.TimelineID // one must be readable to open the page; none: there is no gate
	floor    timeline.Cursor
	finished bool // the floor is the bottom
	entries  map[timeline.PostID]*entry
	order    []*entry // newest first
	tombs    map[timeline.PostID]tomb
	marks    map[timeline.PostID]bool // posts to decide again before it is shown
	marked   time.Time                // when it got the first of them
	changed  int64                    // the counter at which entries last came or left, or its rights changed
	trimmed  int64                    // the counter at which its floor last rose
	lowered  int64                    // the counter at which its floor last fell; 0: not since the node started
	created  int64                    // milliseconds
	saved    bool                     // SQLite has it; the loop's
	index    int                      // in the state's list of all
	bytes    int64                    // what it was last weighed at; load: its entries
	load     int64
	sweepState
	visiting
	seating
	oneAnswer
}

// sweepState is how far a river follows its viewer's sets; see turn_sweep.go.
type sweepState struct {
	version    int64           // raised each time the sets changed
	stale      int64           // the counter at which they did, while it is not yet swept to its end; else 0
	swept      timeline.Cursor // how far down it is
	staleTwice bool            // they did when it was not swept since the time before
	sweptSince int64           // the counter at which that sweep began, or the river was made
}

// visiting is when somebody looked at a river, and whose pages have it open.
type visiting struct {
	visited   atomic.Int64 // milliseconds
	persisted int64        // the visit that SQLite knows
	watches   map[*Watch]bool
	watching  atomic.Int32 // how many watches there are
}

// seating is where a river is in the lru.
type seating struct {
	seat     *linked.Element
	segment  segment
	seated   int64 // since when, in milliseconds
	frequent bool  // it was visited again
	leaving  bool  // the turn under way takes it away: it can't be opened
}

// oneAnswer is of a river that is made for one answer only.
type oneAnswer struct {
	asOf     int64                               // of a ranking: the run that it shows
	chosen   map[timeline.PostID]timeline.Cursor // and its order then
	includes func(*entry) bool                   // which entries the page has; nil: all
}

// An entry is one post in one river.
type entry struct {
	post    *held
	cursor  timeline.Cursor
	reasons Reasons
	hidden  bool
	hits    []string          // the words that a search found
	fold    *timeline.Fold    // the viewer's own, where bans leave people out
	hash    digest            // of that
	without []timeline.UserID // whom that leaves out, sorted
	version int64             // of the river, when it was last decided
	decided int64             // the counter then
	own     digest            // a hash of what only this viewer is shown of it
	changed int64
	moved   int64 // the counter at which it came to its place
	known   int64 // changes of the shared fold up to this counter are no news to the viewer
	span    *span // where it stood since pages were last told of it; nil: at its place
}

// A tomb says when an entry left.
type tomb struct {
	counter int64
	at      int64 // milliseconds
}

// held is a post that rivers hold.
type held struct {
	facts   *timeline.Facts
	fold    *timeline.Fold
	all     *timeline.Fold // with every comment, where a single-post page lives
	hash    digest         // of the fold
	allHash digest
	changed int64 // the counter at which the fold last changed
	allAt   int64 // the one at which that with every comment did
	touched int64 // the counter at which a card on it last changed, whoever is shown that
	rivers  map[*river]bool
}

// A viewer is somebody with living rivers.
type viewer struct {
	sets    *timeline.Sets
	unread  *timeline.Unread // nil: not read yet; of everybody else, never
	changed int64
	rivers  map[*river]bool
	bytes   int64 // what they were last weighed at
}

// A card is joined to entries when they are shown.
type card[C any] struct {
	card    C
	hash    digest
	changed int64
}

// open says whether a socket listens.
func (rv *river) open() bool { return rv.watching.Load() > 0 }

// right says whether the river shows what it should, as far as the loop knows.
func (rv *river) upToDate() bool { return len(rv.marks) == 0 && rv.stale == 0 }

// holds says whether the river's range covers a place.
func (rv *river) holds(c timeline.Cursor) bool { return rv.finished || !c.Below(rv.floor) }

// find answers where in the order a cursor stands or would stand.
func (rv *river) find(c timeline.Cursor) int {
	i, _ := slices.BinarySearchFunc(rv.order, c, func(e *entry, c timeline.Cursor) int { return e.cursor.Compare(c) })
	return i
}

// insert puts an entry into its place.
func (rv *river) insert(e *entry) {
	rv.entries[e.post.facts.ID] = e
	rv.order = slices.Insert(rv.order, rv.find(e.cursor), e)
}

// remove takes a post's entry out, if there is one.
func (rv *river) remove(post timeline.PostID) {
	e := rv.entries[post]
	if e == nil {
		return
	}
	delete(rv.entries, post)
	i := rv.find(e.cursor)
	rv.order = slices.Delete(rv.order, i, i+1)
}

// mayOpen is the first of the access checks: whether the viewer may open the
// page at all. A post's page is as readable as the post.
func mayOpen(b basis, rv *river) error {
	sets := b.setsOf(rv.key.Viewer)
	if sets.Suspended {
		return timeline.ErrUnauthorized
	}
	if kinds[rv.key.What].list && sets.Lists[timeline.ListID(rv.key.TheirID)] == nil {
		return timeline.ErrNotFound
	}
	if len(rv.gates) == 0 {
		return nil
	}
	for _, id := range rv.gates {
		if gate, known := b.timeline(id); known && b.access().opens(sets, gate) {
			return nil
		}
	}
	gate, known := b.timeline(rv.gates[0])
	if !known || gate.Access == timeline.AccessClosed {
		return timeline.ErrNotFound
	}
	if gate.What.OfUser() {
		if mine, banned := sets.Bans[timeline.UserID(gate.TheirID)]; banned && !mine {
			return timeline.ErrNotFound
		}
	}
	return timeline.ErrForbidden
}

func (st *state) timeline(id timeline.TimelineID) (timeline.Timeline, bool) {
	t, ok := st.timelines[id]
	return t, ok
}

func (st *state) setsOf(user timeline.UserID) *timeline.Sets {
	if v := st.viewers[user]; v != nil {
		return v.sets
	}
	return nil
}

func (st *state) wantsOf(rv *river) map[timeline.TimelineID]bool { return rv.wants }

func (st *state) holds(rv *river, c timeline.Cursor) bool { return rv.holds(c) }

func (st *state) userCard(id timeline.UserID) *timeline.UserCard { return st.users[id].card }

func (st *state) access() access { return st.checks }

func (st *state) settings() timeline.SiteSettings { return st.site }

// matched is as it was when the post was last decided: a post of which words
// changed is decided in the same turn.
func (st *state) matched(rv *river, post timeline.PostID) (hits []string, ok bool) {
	e := rv.entries[post]
	if e == nil {
		return nil, false
	}
	return e.hits, true
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
