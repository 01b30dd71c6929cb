package river

import "amstel.dev/amstel/timeline"

// A draft is the next state while a turn, a build or a check makes it: the values
// read from the snapshot, laid over those of the base state. The base state does
// not change until the whole draft is applied.
type draft struct {
	base    *state
	counter int64 // of the state that the draft becomes
	log     logState
	readings
	need          needs
	rivers        map[*river]*riverDraft
	touched       map[timeline.PostID]bool // posts that are shown differently, though their folds are the same
	accessChanged []timeline.TimelineID    // timelines with changed access: all their posts are shown differently
	followed      bool                     // the sets of a person changed, who need not have a river
	forget        forgotten
	attempt
	decided int      // how many entries the draft decided
	queue   []*river // rivers with marks that the turn had no time for
	round   round    // the round over all rivers; see room_expire.go
}

// A readings holds the values that a draft read from its snapshot.
type readings struct {
	facts     map[timeline.PostID]*timeline.Facts // nil: the post does not exist
	folds     map[timeline.PostID]*timeline.Fold
	alls      map[timeline.PostID]*timeline.Fold // with every comment
	timelines map[timeline.TimelineID]timeline.Timeline
	sets      map[timeline.UserID]*timeline.Sets
	users     map[timeline.UserID]*timeline.UserCard
	groups    map[timeline.GroupID]*timeline.GroupCard
	matches   map[*river]map[timeline.PostID]matched // the words that searches found
	unread    map[timeline.UserID]*timeline.Unread
	hashes    map[*timeline.Fold]digest // of the folds
}

// A needs holds the values that the next filling of a draft reads.
type needs struct {
	facts    map[timeline.PostID]bool
	folds    map[timeline.PostID]bool
	alls     map[timeline.PostID]bool
	personal map[timeline.UserID]map[timeline.PostID][]*entry // folds for one viewer
}

// forgotten are the values that no river holds or shows any longer.
type forgotten struct {
	posts     []timeline.PostID
	users     []timeline.UserID
	groups    []timeline.GroupID
	timelines []timeline.TimelineID
}

// A riverDraft describes how a turn changes one river.
type riverDraft struct {
	made    bool // the river is new
	dropped bool
	changed bool                         // the page shows something beside its entries differently, or the viewer's sets changed
	wants   map[timeline.TimelineID]bool // the timelines that feed the river; nil: unchanged
	visited int64                        // the time of the visit to write; 0: none
	depthDraft
	entriesDraft
	sweepDraft
}

// A depthDraft describes how far down a river is held.
type depthDraft struct {
	floor    *timeline.Cursor // nil: unchanged
	finished bool             // with floor: the river has no entry below the held ones
}

// An entriesDraft describes which posts of a river are decided, and the outcome.
type entriesDraft struct {
	decide map[timeline.PostID]bool // posts to decide
	put    map[timeline.PostID]*entry
	gone   map[timeline.PostID]bool
	same   []timeline.PostID // decided, and unchanged
	mark   map[timeline.PostID]bool
	unmark map[timeline.PostID]bool
	purge  []timeline.PostID // tombstones older than Limits.tombstones
}

// A sweepDraft describes how far the sweep of a river came.
type sweepDraft struct {
	sweepStarted bool             // its viewer's sets changed: the river must be swept from the top
	swept        *timeline.Cursor // how far down the sweep came; with sweepDone: to its end
	sweepDone    bool
}

func newDraft(base *state) *draft {
	return &draft{
		base:    base,
		counter: base.counter + 1,
		log:     base.logState,
		readings: readings{
			facts:     make(map[timeline.PostID]*timeline.Facts),
			folds:     make(map[timeline.PostID]*timeline.Fold),
			alls:      make(map[timeline.PostID]*timeline.Fold),
			timelines: make(map[timeline.TimelineID]timeline.Timeline),
			sets:      make(map[timeline.UserID]*timeline.Sets),
			users:     make(map[timeline.UserID]*timeline.UserCard),
			groups:    make(map[timeline.GroupID]*timeline.GroupCard),
		},
		need: needs{
			facts:    make(map[timeline.PostID]bool),
			folds:    make(map[timeline.PostID]bool),
			alls:     make(map[timeline.PostID]bool),
			personal: make(map[timeline.UserID]map[timeline.PostID][]*entry),
		},
		rivers:  make(map[*river]*riverDraft),
		touched: make(map[timeline.PostID]bool),
	}
}

// riverDraft returns the draft of a river, and makes one at the first use.
func (d *draft) riverDraft(rv *river) *riverDraft {
	rd := d.rivers[rv]
	if rd == nil {
		rd = &riverDraft{}
		d.rivers[rv] = rd
	}
	return rd
}

// enqueue notes that the next filling of the draft decides a post in a river.
func (d *draft) enqueue(rv *river, post timeline.PostID) {
	rd := d.riverDraft(rv)
	put(&rd.decide, post, true)
	if rv.marks[post] {
		put(&rd.unmark, post, true)
	}
	delete(rd.mark, post)
}

func (d *draft) timeline(id timeline.TimelineID) (timeline.Timeline, bool) {
	if t, ok := d.timelines[id]; ok {
		return t, true
	}
	t, ok := d.base.timelines[id]
	return t, ok
}

func (d *draft) setsOf(user timeline.UserID) *timeline.Sets {
	if s, ok := d.sets[user]; ok {
		return s
	}
	if v := d.base.viewers[user]; v != nil {
		return v.sets
	}
	return nil
}

// factsOf returns a post's facts. It returns nil if the post does not exist, is
// quarantined, or was not read.
func (d *draft) factsOf(post timeline.PostID) *timeline.Facts {
	if d.base.quarantine.has(post) {
		return nil
	}
	if f, ok := d.facts[post]; ok {
		return f
	}
	if h := d.base.held[post]; h != nil {
		return h.facts
	}
	return nil
}

// factsKnown reports whether the answer of factsOf is reliable for a post: nil then means that
// the post is not to be shown, and not merely that its facts were not read.
func (d *draft) factsKnown(post timeline.PostID) bool {
	_, read := d.facts[post]
	return read || d.base.held[post] != nil || d.base.quarantine.has(post)
}

func (d *draft) wantsOf(rv *river) map[timeline.TimelineID]bool {
	if rd := d.rivers[rv]; rd != nil && rd.wants != nil {
		return rd.wants
	}
	return rv.wants
}

// holds reports whether a cursor lies in the river's range, as the draft leaves the
// range.
func (d *draft) holds(rv *river, c timeline.Cursor) bool {
	if rd := d.rivers[rv]; rd != nil && rd.floor != nil {
		return rd.finished || !c.Below(*rd.floor)
	}
	return rv.holds(c)
}

func (d *draft) userCard(id timeline.UserID) *timeline.UserCard {
	if card, read := d.users[id]; read {
		return card
	}
	return d.base.userCard(id)
}

func (d *draft) access() access { return d.base.checks }

func (d *draft) settings() timeline.SiteSettings { return d.log.site }

// put sets m[k] in a map that may not have been made yet.
func put[M ~map[K]V, K comparable, V any](m *M, k K, v V) {
	if *m == nil {
		*m = make(M)
	}
	(*m)[k] = v
}
