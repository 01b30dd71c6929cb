package river

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"amstel.dev/amstel/timeline"
)

const (
	// passChunk is the number of posts that a deep walk decides at a
	// time, if few timelines feed the river: the primary then looks at that many
	// posts of each timeline.
	passChunk = 1000
	// fewFeeds is the greatest number of timelines that count as few.
	fewFeeds = 4
	// mostPassages is the number of deep paths of which the progress is remembered.
	mostPassages = 100
	// passagesShare is the divisor of the memory budget for remembered progress: it may take a
	// 64th of the budget, which is 32 MiB of 2 GiB.
	passagesShare = 64
)

// A deepPath identifies the way down to deep pages. All pages with the same path
// pass over the same entries. For example, pages 30 and 31 of one home have the
// same path, so page 31 goes on where page 30 ended.
type deepPath struct {
	key       Key
	sorted    timeline.Order
	above     timeline.Cursor
	noReplies bool
}

func deepPathOf(rv *river, at At) deepPath {
	return deepPath{rv.key, rv.sorted, at.upperBound(), at.NoReplies}
}

// A deepProgress has the cursors of the entries that a deep path has passed over, in their order,
// in one state of the primary: all entries at or above low.
type deepProgress struct {
	entries []timeline.Cursor
	low     timeline.Cursor // zero: the path came to the bottom
	state   stateID
	used    int64
}

// A stateID names a state of the primary, by the change log. Of two snapshots of
// the same log, the later one contains all changes of the earlier one.
type stateID struct {
	epoch, nonce string // an empty epoch means that the state has no name
	head         int64
	changes      int64 // how many changes of the whole log the state contains, including those without a position
	out          int64 // the revision of the quarantine
}

// deepPage reads a page of a river that skips entries. It returns the equivalent page that
// begins at a cursor and skips none.
func (n *Node) deepPage(ctx context.Context, sn *timeline.Snapshot, d *draft, rv *river, at At) (At, error) {
	d.riverDraft(rv).finished = true // so that every chosen post can be decided
	path, p := deepPathOf(rv, at), &deepProgress{low: at.upperBound()}
	// Earlier runs of a ranking lose posts without a change in the log, so their
	// progress can't be remembered.
	if rv.asOf == 0 {
		var err error
		if p, err = n.recall(ctx, sn, d, rv, path); err != nil {
			return at, err
		}
	}
	if err := d.passOver(ctx, sn, rv, p, at.After, at.Skip, at.Skip+n.cfg.Settings.Candidates); err != nil {
		return at, err
	}
	n.deepPages.store(path, p, n.cfg.Settings.Memory/passagesShare)
	if above, _ := slices.BinarySearchFunc(p.entries, at.After, timeline.Cursor.Compare); above < at.Skip {
		rd := d.riverDraft(rv)
		if rd.finished, rd.floor = !at.After.Below(p.low), new(timeline.Cursor); !rd.finished {
			*rd.floor = p.low
		}
		return At{Count: at.Count, After: at.After}, d.fill(ctx, sn)
	}
	at.Before, at.StartFrom, at.Skip = p.entries[at.Skip-1], 0, 0
	return at, d.fillRange(ctx, sn, rv, at.Before, timeline.Cursor{}, at.count()+1, n.cfg.Settings.Candidates)
}

// passOver goes down a deep path until it has passed over skip entries, or has come to low or to
// the bottom, or has looked at too many posts. In the last case the next visit of the page
// continues there. Of each post passOver reads only the facts that decide whether the post is in
// the river, and it holds nothing.
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

// cursorsIn decides posts, and returns the cursors of the posts that are in the river. chosen
// says that the posts were chosen from the river's timelines.
func (d *draft) cursorsIn(ctx context.Context, sn *timeline.Snapshot, rv *river, posts []timeline.Cursor, chosen bool) (entries []timeline.Cursor, err error) {
	facts, err := d.readDecisiveFacts(ctx, sn, rv, posts, chosen)
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

// recall returns the remembered progress of a deep path, updated to the state of a
// snapshot: each post that changed since is decided again. If a change may concern
// any number of posts, as a change of access or of the viewer's sets does, the path
// begins again at its top.
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

// readDecisiveFacts reads the facts that decide whether posts are in a river. It leaves none of
// the facts in the draft, except for the words that a search finds in the posts.
func (d *draft) readDecisiveFacts(ctx context.Context, sn *timeline.Snapshot, rv *river, posts []timeline.Cursor, chosen bool) (map[timeline.PostID]*timeline.Facts, error) {
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

// outlines reads the part of posts' facts that decides whether the posts are in a river, and the
// timelines into which the authors put the posts.
func (d *draft) outlines(ctx context.Context, sn *timeline.Snapshot, rv *river, choice timeline.Choice, posts []timeline.Cursor, chosen bool) (map[timeline.PostID]*timeline.Facts, error) {
	in := slices.Collect(maps.Keys(choice.Timelines))
	outline := timeline.Outline{In: in, Mentions: kinds[rv.key.What].named}
	// A post chosen from a single timeline is in that timeline, so the post's timelines need not
	// be read. But homes and lists also need the time of the post's entry, and rankings need its
	// rank.
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
		d.handling = nil // reading a part of the facts clears no suspect
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

// A deepCache remembers the progress of deep paths, so that a client that goes from
// page to page, or asks for the same page again, has each entry passed over only
// once. The paths used longest ago are forgotten.
type deepCache struct {
	mu    sync.Mutex
	paths map[deepPath]*deepProgress
	clock int64        // raised with each use
	bytes atomic.Int64 // bytes of the remembered progress, which count against the memory budget
}

// weight returns the bytes that the progress of a path takes in a deepCache.
func (p *deepProgress) weight(of deepPath) int64 {
	return passageSize + textSize(of.key.Query) + int64(cap(p.entries))*cursorSize
}

// get returns the remembered progress of a path, or the zero value. All visits
// share its entries.
func (p *deepCache) get(w deepPath) deepProgress {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.paths[w]
	if known == nil {
		return deepProgress{}
	}
	p.clock++
	known.used = p.clock
	return *known
}

// store remembers the progress of a path, unless the cache already has the progress in a later
// state, or a progress that goes further down in the same state. Room is the number of bytes that
// the cache may take; progress that takes more by itself is not remembered.
func (p *deepCache) store(w deepPath, one *deepProgress, room int64) {
	if one.state.epoch == "" || one.weight(w) > room {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.paths[w]; known != nil && known.state.epoch == one.state.epoch && (known.state.changes > one.state.changes ||
		known.state == one.state && known.low.Below(one.low)) {
		return
	}
	p.forget(w)
	p.clock++
	one.used = p.clock
	put(&p.paths, w, one)
	p.bytes.Add(one.weight(w))
	for len(p.paths) > mostPassages || p.bytes.Load() > room {
		var oldest deepPath
		for w, known := range p.paths {
			if first := p.paths[oldest]; first == nil || known.used < first.used {
				oldest = w
			}
		}
		p.forget(oldest)
	}
}

// forget removes the progress of a path. The caller holds mu.
func (p *deepCache) forget(w deepPath) {
	if known := p.paths[w]; known != nil {
		p.bytes.Add(-known.weight(w))
		delete(p.paths, w)
	}
}
