package river

import (
	"context"
	"maps"
	"slices"

	"amstel.dev/amstel/timeline"
)

// A draft is what a turn, a build or a check is about to make of a state: what
// it read in its snapshot, over what the state has. Nothing of the state
// changes until the draft is applied, as a whole.
type draft struct {
	base    *state
	counter int64 // of the state that it makes

	facts     map[timeline.PostID]*timeline.Facts // nil: the post is not there
	folds     map[timeline.PostID]*timeline.Fold
	alls      map[timeline.PostID]*timeline.Fold
	timelines map[timeline.TimelineID]timeline.Timeline
	sets      map[timeline.UserID]*timeline.Sets
	users     map[timeline.UserID]*timeline.UserCard
	groups    map[timeline.GroupID]*timeline.GroupCard
	touched   map[timeline.PostID]bool // shown differently, though not folded again
	gates     []timeline.TimelineID    // what was put there is shown differently, all of it
	rivers    map[*river]*riverDraft
	matches   map[*river]map[timeline.PostID]matched // what searches found
	unread    map[timeline.UserID]*timeline.Unread

	// What to read at the next fill, and after it.
	needFacts map[timeline.PostID]bool
	needFold  map[timeline.PostID]bool
	needAll   map[timeline.PostID]bool
	personal  map[timeline.UserID]map[timeline.PostID][]*entry
	hashes    map[*timeline.Fold]digest // of folds that were read

	done struct {
		cursor   int64
		nonce    string
		logEpoch string
		position int64
		whole    int64
		jobs     []job
		purged   int64
		site     timeline.SiteSettings
		run      int64
	}
	decided    int               // how many entries
	at         []timeline.PostID // what is being done with which posts; see quarantine.go
	alone      []timeline.PostID // what was done with one post alone
	queue      []*river          // rivers whose marks the turn had no time for
	round      round             // of the rivers; see expire.go
	dropHeld   []timeline.PostID
	dropUsers  []timeline.UserID
	dropGroups []timeline.GroupID

	dropTimelines []timeline.TimelineID
}

// A riverDraft is what becomes of one river.
type riverDraft struct {
	made     bool
	dropped  bool
	wants    map[timeline.TimelineID]bool // nil: as they were
	floor    *timeline.Cursor
	finished bool                     // with floor
	decide   map[timeline.PostID]bool // posts to decide
	put      map[timeline.PostID]*entry
	gone     map[timeline.PostID]bool
	mark     map[timeline.PostID]bool
	unmark   map[timeline.PostID]bool
	same     []timeline.PostID // decided, and as they were
	renewed  bool              // its viewer's sets changed: it is to be swept from the top
	swept    *timeline.Cursor  // how far the sweep came; with done: to its end
	done     bool
	changed  bool
	purge    []timeline.PostID // tombstones past their time
	visited  int64             // to be written; 0: not
}

func newDraft(base *state) *draft {
	d := &draft{
		base:      base,
		counter:   base.counter + 1,
		facts:     make(map[timeline.PostID]*timeline.Facts),
		folds:     make(map[timeline.PostID]*timeline.Fold),
		alls:      make(map[timeline.PostID]*timeline.Fold),
		timelines: make(map[timeline.TimelineID]timeline.Timeline),
		sets:      make(map[timeline.UserID]*timeline.Sets),
		users:     make(map[timeline.UserID]*timeline.UserCard),
		groups:    make(map[timeline.GroupID]*timeline.GroupCard),
		touched:   make(map[timeline.PostID]bool),
		rivers:    make(map[*river]*riverDraft),
		needFacts: make(map[timeline.PostID]bool),
		needFold:  make(map[timeline.PostID]bool),
		needAll:   make(map[timeline.PostID]bool),
		personal:  make(map[timeline.UserID]map[timeline.PostID][]*entry),
	}
	d.done.cursor, d.done.nonce, d.done.logEpoch, d.done.position = base.cursor, base.nonce, base.logEpoch, base.position
	d.done.jobs, d.done.purged = base.jobs, base.purged
	d.done.site, d.done.run = base.site, base.run
	return d
}

// of answers the draft of a river, made at its first use.
func (d *draft) of(rv *river) *riverDraft {
	rd := d.rivers[rv]
	if rd == nil {
		rd = &riverDraft{}
		d.rivers[rv] = rd
	}
	return rd
}

// task says that a post must be decided in a river, in this draft.
func (d *draft) task(rv *river, post timeline.PostID) {
	rd := d.of(rv)
	put(&rd.decide, post, true)
	if rv.marks[post] {
		put(&rd.unmark, post, true)
	}
	delete(rd.mark, post)
}

// mark leaves a post of a river to a later turn.
func (d *draft) mark(rv *river, post timeline.PostID) {
	rd := d.of(rv)
	if !rv.marks[post] && !rd.decide[post] {
		put(&rd.mark, post, true)
	}
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

// factsOf answers a post's facts; nil where it is not there or not known.
func (d *draft) factsOf(post timeline.PostID) *timeline.Facts {
	if d.base.out.has(post) {
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

// knows says whether factsOf can be relied on for a post.
func (d *draft) knows(post timeline.PostID) bool {
	_, read := d.facts[post]
	return read || d.base.held[post] != nil || d.base.out.has(post)
}

func (d *draft) wantsOf(rv *river) map[timeline.TimelineID]bool {
	if rd := d.rivers[rv]; rd != nil && rd.wants != nil {
		return rd.wants
	}
	return rv.wants
}

// holds says whether the river's range, as the draft leaves it, covers a place.
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

func (d *draft) settings() timeline.SiteSettings { return d.done.site }

// fill reads what the tasks need, decides them, and reads what then is shown.
// After it the draft is whole.
func (d *draft) fill(ctx context.Context, sn *timeline.Snapshot) error {
	if err := d.fillFacts(ctx, sn); err != nil {
		return err
	}
	if err := d.matchDue(ctx, sn); err != nil {
		return err
	}
	for rv, rd := range d.rivers {
		if rd.dropped {
			continue
		}
		for post := range rd.decide {
			d.settle(rv, rd, post)
		}
	}
	if err := d.fillFolds(ctx, sn); err != nil {
		return err
	}
	if err := d.fillCards(ctx, sn); err != nil {
		return err
	}
	for rv, rd := range d.rivers {
		d.compare(rv, rd)
	}
	return nil
}

// fillFacts reads the facts asked for, and those of posts to decide that are
// not known.
func (d *draft) fillFacts(ctx context.Context, sn *timeline.Snapshot) error {
	for _, rd := range d.rivers {
		for post := range rd.decide {
			if !d.knows(post) {
				d.needFacts[post] = true
			}
		}
	}
	ids := slices.Sorted(maps.Keys(d.needFacts))
	clear(d.needFacts)
	if len(ids) == 0 {
		return nil
	}
	for _, portion := range d.base.out.portions(ids) {
		for some := range slices.Chunk(portion, factsChunk) {
			if err := d.readFacts(ctx, sn, some); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *draft) readFacts(ctx context.Context, sn *timeline.Snapshot, posts []timeline.PostID) error {
	d.doing("facts", posts...)
	facts, timelines, err := sn.Facts(ctx, posts)
	if err != nil {
		return err
	}
	d.did()
	for _, id := range posts {
		d.facts[id] = facts[id]
	}
	for id, t := range timelines {
		// Of the others only those that feed a river count, and they are
		// known from its making.
		if t.What.Base() {
			d.timelines[id] = t
		}
	}
	return nil
}

// factsChunk is of how many posts one statement reads the facts, so that none is
// long where a turn has much to catch up with.
const factsChunk = 500

// tell decides a post, by which it is to blame for what happens there.
func (d *draft) tell(rv *river, post timeline.PostID) *entry { return d.judge(rv, d.factsOf(post)) }

// judge decides a post by facts that the draft need not hold.
func (d *draft) judge(rv *river, f *timeline.Facts) *entry {
	if f == nil {
		return nil
	}
	d.doing("decide", f.ID)
	e := decide(d, rv, f)
	d.at = nil
	return e
}

// settle decides one post in one river and says what must be read to show it.
func (d *draft) settle(rv *river, rd *riverDraft, post timeline.PostID) {
	d.decided++
	f, e := d.factsOf(post), d.tell(rv, post)
	if e == nil {
		delete(rd.put, post)
		if rv.entries[post] != nil {
			put(&rd.gone, post, true)
		}
		return
	}
	delete(rd.gone, post)
	put(&rd.put, post, e)
	h := d.base.held[post]
	if h == nil && d.folds[post] == nil {
		d.needFold[post] = true
	}
	single := kinds[rv.key.What].single
	if single && d.alls[post] == nil && (h == nil || h.all == nil) {
		d.needAll[post] = true
	}
	if met := meets(d.setsOf(rv.key.Viewer), f); len(met) > 0 {
		e.without = met
		if d.personal[rv.key.Viewer] == nil {
			d.personal[rv.key.Viewer] = make(map[timeline.PostID][]*entry)
		}
		of := d.personal[rv.key.Viewer]
		of[post] = append(of[post], e)
		e.own = digest{1} // single or not; compare makes the hash
		if single {
			e.own = digest{2}
		}
	}
}

// fillFolds reads the folds that everybody shares and those made for one.
func (d *draft) fillFolds(ctx context.Context, sn *timeline.Snapshot) error {
	if len(d.needFold) > 0 {
		if err := d.readFolds(ctx, sn, slices.Sorted(maps.Keys(d.needFold)), timeline.FoldOptions{}, d.folds); err != nil {
			return err
		}
		clear(d.needFold)
	}
	if len(d.needAll) > 0 {
		if err := d.readFolds(ctx, sn, slices.Sorted(maps.Keys(d.needAll)), timeline.FoldOptions{AllComments: true}, d.alls); err != nil {
			return err
		}
		clear(d.needAll)
	}
	for viewer, posts := range d.personal {
		sets := d.setsOf(viewer)
		var without []timeline.UserID
		var folded, single []timeline.PostID
		for post, entries := range posts {
			without = append(without, meets(sets, d.factsOf(post))...)
			for _, e := range entries {
				if e.own == (digest{2}) {
					single = append(single, post)
				} else {
					folded = append(folded, post)
				}
			}
		}
		slices.Sort(without)
		without = slices.Compact(without)
		for _, part := range []struct {
			posts []timeline.PostID
			all   bool
		}{{folded, false}, {single, true}} {
			if len(part.posts) == 0 {
				continue
			}
			slices.Sort(part.posts)
			part.posts = slices.Compact(part.posts)
			folds := make(map[timeline.PostID]*timeline.Fold)
			if err := d.readFolds(ctx, sn, part.posts, timeline.FoldOptions{Without: without, AllComments: part.all}, folds); err != nil {
				return err
			}
			for _, post := range part.posts {
				for _, e := range posts[post] {
					if (e.own == digest{2}) == part.all {
						e.fold = folds[post]
					}
				}
			}
		}
	}
	clear(d.personal)
	return nil
}

// readFolds reads the folds of posts, sorted and each once, into a map.
func (d *draft) readFolds(ctx context.Context, sn *timeline.Snapshot, posts []timeline.PostID, how timeline.FoldOptions, into map[timeline.PostID]*timeline.Fold) error {
	for _, portion := range d.base.out.portions(posts) {
		d.doing("fold", portion...)
		folds, err := sn.Folds(ctx, portion, how)
		if err != nil {
			return err
		}
		d.did()
		maps.Copy(into, folds)
	}
	return nil
}

// fillCards reads the cards that the draft's folds and entries show and nobody
// has read yet.
func (d *draft) fillCards(ctx context.Context, sn *timeline.Snapshot) error {
	users := make(map[timeline.UserID]bool)
	groups := make(map[timeline.GroupID]bool)
	need := cardsOf{
		user: func(id timeline.UserID) {
			if _, read := d.users[id]; !read {
				if _, has := d.base.users[id]; !has {
					users[id] = true
				}
			}
		},
		group: func(id timeline.GroupID) {
			if _, read := d.groups[id]; !read {
				if _, has := d.base.groups[id]; !has {
					groups[id] = true
				}
			}
		},
	}
	d.shows(need)
	if len(users) == 0 && len(groups) == 0 {
		return nil
	}
	u, g, err := sn.Cards(ctx, slices.Sorted(maps.Keys(users)), slices.Sorted(maps.Keys(groups)))
	if err != nil {
		return err
	}
	maps.Copy(d.users, u)
	maps.Copy(d.groups, g)
	return nil
}

// shows calls the functions for whatever the draft's folds and entries show.
func (d *draft) shows(on cardsOf) {
	for _, folds := range []map[timeline.PostID]*timeline.Fold{d.folds, d.alls} {
		for _, f := range folds {
			on.fold(f)
		}
	}
	for _, f := range d.facts {
		if f != nil {
			on.places(f, d.timeline)
		}
	}
	for rv, rd := range d.rivers {
		if rd.made {
			on.subject(rv.key)
		}
		for _, e := range rd.put {
			on.fold(e.fold)
			on.reasons(e.reasons)
		}
	}
}

// compare drops from a river's draft what changes nothing, and notes what moves.
func (d *draft) compare(rv *river, rd *riverDraft) {
	for post, e := range rd.put {
		d.doing("compare", post)
		e.own, e.moved, e.changed = ownHash(d, rv, e, d.factsOf(post)), d.counter, d.counter
		if e.fold != nil {
			e.hash = foldHash(e.fold)
		}
		d.at = nil
		if old := rv.entries[post]; old != nil && old.cursor == e.cursor {
			e.moved = old.moved
			// Between two changes of the viewer's sets a page may have been told of
			// it what is not so.
			again := !rv.confirmed(old) && rv.again || rd.renewed && rv.stale != 0 || d.turnedTwice(old)
			if d.alike(rv, post, old, e) && old.own == e.own && slices.Equal(old.without, e.without) && !again {
				delete(rd.put, post)
				rd.same = append(rd.same, post)
			}
		}
	}
	d.hush(rv, rd)
}

// put sets m[k] in a map that may not have been made yet.
func put[M ~map[K]V, K comparable, V any](m *M, k K, v V) {
	if *m == nil {
		*m = make(M)
	}
	(*m)[k] = v
}
