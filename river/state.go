package river

import (
	linked "container/list"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/timeline"
)

// A state is all data that a node serves: one state of the primary, as far as the living rivers
// show it. Only the loop changes the state, by applying a draft under the node's lock. All
// values behind its pointers come from one snapshot and never change.
type state struct {
	rivers    map[int64]*river
	byKey     map[Key]*river
	held      map[timeline.PostID]*held
	timelines map[timeline.TimelineID]timeline.Timeline
	viewers   map[timeline.UserID]*viewer
	users     map[timeline.UserID]card[*timeline.UserCard]
	groups    map[timeline.GroupID]card[*timeline.GroupCard]

	fed          map[timeline.TimelineID]map[*river]bool      // the rivers that each timeline feeds
	single       map[timeline.PostID]map[*river]bool          // the rivers that are the page of a single post
	gated        map[timeline.TimelineID]map[*river]bool      // the rivers of which a timeline is a gate
	unbounded    map[*river]bool                              // the rivers of unbounded kinds
	search       map[*river]bool                              // the rivers of searches
	notice       map[timeline.PostID]map[timeline.UserID]bool // the viewers with an unread notice about each post
	uncounted    map[timeline.UserID]bool                     // viewers with notices that have not been counted yet
	accessAt     map[timeline.TimelineID]int64                // the counter at which each timeline's access last changed
	accessBefore map[timeline.TimelineID]int64                // the counter at which the access changed the time before
	lastAccessAt int64                                        // the highest counter in accessAt

	logState
	counter    int64 // raised once a turn
	lastID     int64 // the highest id of a river
	followed   int64 // the counter at which the sets of any person last changed
	quarantine *quarantine
	all        []*river // rivers, in no order
	order      lru
	tally

	checks access
}

// A logState is the position of a state in the change log, and the work that
// changes left to later turns.
type logState struct {
	cursor   int64  // changes of the log up to this position are applied
	nonce    string // the nonce of the change at the cursor
	logEpoch string
	position int64 // the highest position that pages contain
	whole    int64 // the position up to which pages contain every change
	jobs     []job
	purged   int64 // the highest counter of a tombstone that was dropped
	siteState
}

// A siteState has the settings of the site, and the number of the last run of its rankings.
type siteState struct {
	site timeline.SiteSettings
	run  int64 // the latest run of the rankings
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

// A river holds exactly the posts at or above its floor that its viewer may see.
type river struct {
	id       int64
	key      Key
	epoch    string                       // a random name, given when the river is made
	sorted   timeline.Order               // the order of its entries
	query    *timeline.Query              // the compiled query of a search; else nil
	wants    map[timeline.TimelineID]bool // the timelines that feed the river
	gates    []timeline.TimelineID        // the viewer must be able to read one of these to open the page; empty: no gate
	floor    timeline.Cursor
	finished bool     // the river reaches down to the oldest post, and the floor means nothing
	order    []*entry // its entries, newest first; held.entries has them by post
	tombs    map[timeline.PostID]tomb
	marks    map[timeline.PostID]bool // posts to decide again before the river is shown
	marked   time.Time                // when the river got the first of the marks
	changed  int64                    // the counter at which entries last came or left, or the viewer's rights changed
	trimmed  int64                    // the counter when its floor last rose
	lowered  int64                    // the counter when its floor last fell; 0: not since the node started
	created  int64                    // milliseconds
	saved    bool                     // SQLite has the river; read by the loop alone
	index    int                      // the river's index in state.all
	bytes    int64                    // the river's weight at its last count; load is the part of its entries
	load     int64
	sweepState
	visiting
	seating
	oneAnswer
}

// sweepState describes how far a river agrees with its viewer's sets; see
// turn_sweep.go.
type sweepState struct {
	version    int32           // raised each time that the sets change
	stale      int64           // the counter at the change of the sets, until the river is swept to its end; then 0
	swept      timeline.Cursor // how far down the river is swept
	staleTwice bool            // the sets changed again before the sweep for the previous change ended
	sweptSince int64           // the counter at which the last sweep began, or the river was made
}

// A visiting records the last visit of a river, and the watches that keep the river open.
type visiting struct {
	visited   atomic.Int64 // milliseconds
	persisted int64        // the time of the visit that SQLite has
	watches   map[*Watch]bool
	watching  atomic.Int32 // the length of watches, which can be read without the lock
	reach     reach
	ahead     atomic.Bool // the river was built ahead, and its reader has not come yet
}

// seating is the position of a river in the lru.
type seating struct {
	seat     *linked.Element
	segment  segment
	seated   int64 // when the river was put there, in milliseconds
	frequent bool  // the river has been visited more than once
	leaving  bool  // the turn under way drops the river, which can't be opened any more

	shortening bool // the turn under way shortens the river, which can't be opened meanwhile
}

// A oneAnswer holds the values of a river that is made for a single answer.
type oneAnswer struct {
	asOf     int64                               // the run of a ranking that the river shows
	chosen   map[timeline.PostID]timeline.Cursor // the order of the posts in that run
	includes func(*entry) bool                   // reports which entries the page shows; nil: all
}

// An entry is one post in one river.
type entry struct {
	post    *held
	cursor  timeline.Cursor
	reasons Reasons
	extra   *extra // see rest
	span    *span  // the cursors of the entry since pages were last sent the entry; nil: only the present one
	own     digest // a hash of the parts that differ by viewer
	decided int64  // the counter when the entry was last decided
	changed int64  // the counter when the entry last changed for its viewer
	moved   int64  // the counter when the entry came to its cursor
	known   int64  // changes of the shared fold up to this counter do not show to the viewer
	version int32  // the river's version when the entry was last decided
	hidden  bool
}

// An extra holds the parts of an entry that few entries have. They stand apart because a node holds very many entries.
type extra struct {
	hits    []string          // the words that a search found in the post
	fold    *timeline.Fold    // the viewer's own fold, if bans leave people out; else nil
	hash    digest            // the hash of fold
	without []timeline.UserID // the people whom fold leaves out, sorted
}

// rest returns the parts of an entry that few entries have.
func (e *entry) rest() extra {
	if e.extra == nil {
		return extra{}
	}
	return *e.extra
}

// ownRest returns the same parts of a new entry, to be written.
func (e *entry) ownRest() *extra {
	if e.extra == nil {
		e.extra = new(extra)
	}
	return e.extra
}

// A tomb is a tombstone: it records when an entry left the river.
type tomb struct {
	counter int64
	at      int64 // milliseconds
}

// A held is a post in at least one river.
type held struct {
	facts   *timeline.Facts
	fold    *timeline.Fold
	all     *timeline.Fold // the fold with every comment, if the post's own page lives
	hash    digest         // the hash of fold
	allHash digest
	changed int64             // the counter at which the fold last changed
	allAt   int64             // the counter at which all last changed
	touched int64             // the counter at the last change of a card that any viewer sees on the post
	entries map[*river]*entry // the entries of the post, in all rivers
	reasons Reasons           // of the entry that was added last
}

// add adds the post's entry in a river. The entry shares the text of its reasons with the entry that was added before,
// if they are the same: the reasons for which most of its readers get a post.
func (h *held) add(rv *river, e *entry) {
	if e.reasons == h.reasons {
		e.reasons = h.reasons
	}
	h.reasons, h.entries[rv] = e.reasons, e
}

// A viewer is an account with living rivers, or viewer 0.
type viewer struct {
	sets    *timeline.Sets
	unread  *timeline.Unread // nil: not counted yet; always nil for viewer 0
	changed int64
	rivers  map[*river]bool
	bytes   int64 // the viewer's weight when it was last counted
}

// A card is a person's or a group's card. It is joined to entries when they are
// shown.
type card[C any] struct {
	card    C
	hash    digest
	changed int64
}

// open reports whether a socket listens to the river.
func (rv *river) open() bool { return rv.watching.Load() > 0 }

// upToDate reports whether the river shows all changes up to the state's position.
func (rv *river) upToDate() bool { return len(rv.marks) == 0 && rv.stale == 0 }

// holds reports whether a cursor lies in the river's range.
func (rv *river) holds(c timeline.Cursor) bool { return rv.finished || !c.Below(rv.floor) }

// find returns the index in the order at which a cursor stands or would stand.
func (rv *river) find(c timeline.Cursor) int {
	i, _ := slices.BinarySearchFunc(rv.order, c, func(e *entry, c timeline.Cursor) int { return e.cursor.Compare(c) })
	return i
}

// insert adds an entry to the river, at its place in the order.
func (rv *river) insert(e *entry) {
	rv.order = slices.Insert(rv.order, rv.find(e.cursor), e)
}

// remove removes an entry from the river.
func (rv *river) remove(e *entry) {
	i := rv.find(e.cursor)
	rv.order = slices.Delete(rv.order, i, i+1)
}

// entryOf returns the entry of a post in a river, or nil if the river has none. Rivers have no index by
// post of their own: with one, an entry would take an eighth more memory.
func (st *state) entryOf(rv *river, post timeline.PostID) *entry {
	if h := st.held[post]; h != nil {
		return h.entries[rv]
	}
	return nil
}

// mayOpen returns nil if the viewer may open the page at all, and else the error to
// answer with. It is the first of the access checks. The page of a post has no
// gate: all readers of the post may open it.
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

// matched returns the result from when the post was last decided. That result is
// still right: if the words of a post change, the post is decided in the same turn.
func (st *state) matched(rv *river, post timeline.PostID) (hits []string, ok bool) {
	e := st.entryOf(rv, post)
	if e == nil {
		return nil, false
	}
	return e.rest().hits, true
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
