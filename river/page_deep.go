package river

import (
	"context"
	"maps"
	"slices"
	"sync"

	"amstel.dev/amstel/timeline"
)

const (
	// passChunk is how many posts a walk to a page far down decides at a time, where
	// few timelines feed the river: of each of them as many are looked at.
	passChunk = 1000
	// fewFeeds is how many timelines are few.
	fewFeeds = 4
	// mostPassages is how many walks are remembered.
	mostPassages = 100
)

// A walk names the way to pages far down: all pages of one walk pass over the same
// entries.
type deepPath struct {
	key       Key
	sorted    timeline.Order
	above     timeline.Cursor
	noReplies bool
}

func deepPathOf(rv *river, at At) deepPath {
	return deepPath{rv.key, rv.sorted, at.upperBound(), at.NoReplies}
}

// A passage says where the entries stand, in their order, that a walk passed over
// in one state of the primary: all of them that stand at or above low.
type deepProgress struct {
	entries []timeline.Cursor
	low     timeline.Cursor // zero: the walk came to the bottom
	state   stateID
	used    int64
}

// A stateID names a state of the primary, by the change log. Of two snapshots of
// one log the later one shows all changes of the earlier one, so it shows more.
type stateID struct {
	epoch, nonce string // an empty epoch: the state has no name
	head         int64
	changes      int64 // how many the state shows, of the whole log, with those that have no position yet
	out          int64 // which posts are left out; see quarantine.go
}

// deepPage reads the page of a river that passes over entries, and returns the
// same page as one that begins below them.
func (n *Node) deepPage(ctx context.Context, sn *timeline.Snapshot, d *draft, rv *river, at At) (At, error) {
	d.of(rv).finished = true // so that everything that is chosen can be decided
	walk, p := deepPathOf(rv, at), &deepProgress{low: at.upperBound()}
	// What is left of a run that is not the last changes without a word in the log.
	if rv.asOf == 0 {
		var err error
		if p, err = n.recall(ctx, sn, d, rv, walk); err != nil {
			return at, err
		}
	}
	if err := d.passOver(ctx, sn, rv, p, at.After, at.Skip, at.Skip+n.cfg.Settings.Candidates); err != nil {
		return at, err
	}
	n.deepPages.keep(walk, p)
	if above, _ := slices.BinarySearchFunc(p.entries, at.After, timeline.Cursor.Compare); above < at.Skip {
		rd := d.of(rv)
		if rd.finished, rd.floor = !at.After.Below(p.low), new(timeline.Cursor); !rd.finished {
			*rd.floor = p.low
		}
		return At{Count: at.Count, After: at.After}, d.fill(ctx, sn)
	}
	at.Before, at.StartFrom, at.Skip = p.entries[at.Skip-1], 0, 0
	return at, d.fillRange(ctx, sn, rv, at.Before, timeline.Cursor{}, at.count()+1, n.cfg.Settings.Candidates)
}

// pass goes on with a walk until it has passed over as many entries as a page
// does, or is at low or at the bottom, or has looked at too many posts: then the
// next visit of the page goes on from there. Of the posts it reads only what
// decides whether they are in the river, and holds nothing.
func (d *draft) passOver(ctx context.Context, sn *timeline.Snapshot, rv *river, p *deepProgress, low timeline.Cursor, skip, candidates int) error {
	choice := d.choice(rv)
	most := passChunk
	if len(choice.Timelines) > fewFeeds || rv.query != nil {
		most = 200
	}
	for looked := 0; len(p.entries) < skip && low.Below(p.low) && looked < candidates && !sn.Searched(); {
		chosen, err := sn.Choose(ctx, choice, p.low, min(skip-len(p.entries), most))
		if err != nil {
			return err
		}
		entries, err := d.cursorsIn(ctx, sn, rv, chosen.Posts, true)
		if err != nil {
			return err
		}
		p.entries, p.low = append(p.entries, entries...), chosen.Low
		looked += len(chosen.Posts)
	}
	return nil
}

// among decides posts, and returns where those stand that are in a river. Chosen
// says that they were chosen for it.
func (d *draft) cursorsIn(ctx context.Context, sn *timeline.Snapshot, rv *river, posts []timeline.Cursor, chosen bool) (entries []timeline.Cursor, err error) {
	facts, err := d.passing(ctx, sn, rv, posts, chosen)
	if err != nil {
		return nil, err
	}
	for _, c := range posts {
		if rv.chosen != nil {
			rv.chosen[c.Post] = c
		}
		if e := d.decideGuarded(rv, facts[c.Post]); e != nil && (rv.includes == nil || rv.includes(e)) {
			entries = append(entries, e.cursor)
		}
		delete(rv.chosen, c.Post)
	}
	delete(d.matches, rv)
	return entries, nil
}

// recall returns what is remembered of a walk, brought to the state that a snapshot
// shows: each post that changed is decided again. A change that may concern any
// number of posts, as that of an access or of the viewer's sets, has the walk begin
// anew.
func (n *Node) recall(ctx context.Context, sn *timeline.Snapshot, d *draft, rv *river, w deepPath) (*deepProgress, error) {
	known := n.deepPages.get(w)
	log, err := sn.Log(ctx, known.state.head, known.state.nonce, known.state.epoch)
	if err == nil && log.Broken {
		known = deepProgress{}
		log, err = sn.Log(ctx, 0, "", "")
	}
	if err != nil {
		return nil, err
	}
	p := &deepProgress{low: w.above}
	if !log.Broken {
		p.state = stateID{log.Epoch, log.Nonce, log.Head, log.Head + int64(len(log.Unplaced)), n.quarantine.revision()}
	}
	if known.state.epoch == "" || known.state.out != p.state.out || known.state.changes > p.state.changes {
		return p, nil
	}
	changed := make(map[timeline.PostID]bool)
	for _, c := range slices.Concat(log.Changes, log.Unplaced) {
		switch {
		case c.Kind == timeline.ChangePost:
			changed[c.Post] = true
		case c.Kind == timeline.ChangeAccess, c.Kind == timeline.ChangeViewer && c.User == rv.key.Viewer:
			return p, nil
		}
	}
	if len(changed) > passChunk {
		return p, nil
	}
	p.low = known.low
	p.entries = slices.DeleteFunc(slices.Clone(known.entries), func(c timeline.Cursor) bool { return changed[c.Post] })
	var posts []timeline.Cursor
	for post := range changed {
		posts = append(posts, timeline.Cursor{Post: post})
	}
	entries, err := d.cursorsIn(ctx, sn, rv, posts, false)
	if err != nil {
		return nil, err
	}
	for _, c := range entries {
		if c.Below(w.above) && !c.Below(p.low) {
			p.entries = append(p.entries, c)
		}
	}
	slices.SortFunc(p.entries, timeline.Cursor.Compare)
	return p, nil
}

// passing reads what decides whether posts are in a river, and leaves nothing of
// that in the draft but what a search finds in them.
func (d *draft) passing(ctx context.Context, sn *timeline.Snapshot, rv *river, posts []timeline.Cursor, chosen bool) (map[timeline.PostID]*timeline.Facts, error) {
	if rv.query == nil {
		return d.outlines(ctx, sn, rv, d.choice(rv), posts, chosen)
	}
	for _, c := range posts { // a query may ask for any of the facts
		d.need.facts[c.Post] = true
	}
	if err := d.fillFacts(ctx, sn); err != nil {
		return nil, err
	}
	if err := d.matchChosen(ctx, sn, rv, posts); err != nil {
		return nil, err
	}
	facts := maps.Clone(d.facts)
	clear(d.facts)
	return facts, nil
}

// outlines reads the part of the facts of posts that decides whether they are in
// a river, and the timelines that they were put into.
func (d *draft) outlines(ctx context.Context, sn *timeline.Snapshot, rv *river, choice timeline.Choice, posts []timeline.Cursor, chosen bool) (map[timeline.PostID]*timeline.Facts, error) {
	in := slices.Collect(maps.Keys(choice.Timelines))
	outline := timeline.Outline{In: in, Mentions: kinds[rv.key.What].named}
	// What was chosen from a single timeline is in there. Since when it is, only homes
	// ask, and with which rank, only rankings.
	sure := chosen && len(in) == 1 && !kinds[rv.key.What].fedBySets() && rv.sorted != timeline.OrderRanked
	if sure {
		outline.In = nil
	}
	facts := make(map[timeline.PostID]*timeline.Facts, len(posts))
	for _, portion := range d.base.quarantine.batches(postsAt(posts)) {
		d.begin("facts", portion...)
		some, err := sn.Outlines(ctx, portion, outline)
		if err != nil {
			return nil, err
		}
		d.handling = nil // nobody is cleared of suspicion by a part of the facts
		maps.Copy(facts, some)
	}
	unknown := make(map[timeline.TimelineID]bool)
	for _, f := range facts {
		if sure {
			f.In = in
		}
		for _, id := range f.Places {
			if _, known := d.timeline(id); !known {
				unknown[id] = true
			}
		}
	}
	if len(unknown) == 0 {
		return facts, nil
	}
	places, err := sn.Timelines(ctx, keysOf(unknown))
	if err != nil {
		return nil, err
	}
	maps.Copy(d.timelines, places)
	return facts, nil
}

// passages remember walks, so that a client that goes from page to page, or asks
// for one again and again, has each entry passed over once.
type deepCache struct {
	mu    sync.Mutex
	walks map[deepPath]*deepProgress
	clock int64 // of use
}

// get returns what is remembered of a walk, zero for nothing. Its entries are
// shared by all visits.
func (p *deepCache) get(w deepPath) deepProgress {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.walks[w]
	if known == nil {
		return deepProgress{}
	}
	p.clock++
	known.used = p.clock
	return *known
}

// keep remembers a passage, unless one of a later state is remembered, or one of
// that state which goes further down.
func (p *deepCache) keep(w deepPath, one *deepProgress) {
	if one.state.epoch == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.walks[w]; known != nil && known.state.epoch == one.state.epoch && (known.state.changes > one.state.changes ||
		known.state == one.state && known.low.Below(one.low)) {
		return
	}
	p.clock++
	one.used = p.clock
	put(&p.walks, w, one)
	if len(p.walks) > mostPassages {
		var oldest deepPath
		for w, known := range p.walks {
			if first := p.walks[oldest]; first == nil || known.used < first.used {
				oldest = w
			}
		}
		delete(p.walks, oldest)
	}
}
