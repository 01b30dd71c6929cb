package river

import (
	"context"
	"fmt"
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
	// milestoneApart is how many entries are between two milestones, and
	// mostPassages how many walks have theirs kept.
	milestoneApart = 100
	mostPassages   = 256
)

// A milestone is the place of an entry, with how many entries a walk has passed
// there, and how many posts it has looked at.
type milestone struct {
	at             timeline.Cursor
	passed, looked int
}

// pass walks from a place over as many entries of a river as a page passes over,
// down to the last one above low, and returns where it came: at the bottom if
// there are no entries below. Of the posts on its way it reads only what decides
// whether they are in the river, and holds nothing.
func (d *draft) pass(ctx context.Context, sn *timeline.Snapshot, rv *river, from milestone, low timeline.Cursor, skip, candidates int, noted func(milestone)) (to milestone, bottom bool, err error) {
	d.of(rv).finished = true // so that everything that is chosen can be decided
	choice := d.choice(rv)
	most := passChunk
	if len(choice.Timelines) > fewFeeds || rv.query != nil {
		most = 200
	}
	to = from
	for to.passed < skip && to.looked < candidates && !sn.Searched() {
		chosen, err := sn.Choose(ctx, choice, to.at, min(skip-to.passed, most))
		if err != nil {
			return to, false, err
		}
		facts, err := d.passing(ctx, sn, rv, choice, chosen.Posts)
		if err != nil {
			return to, false, err
		}
		for _, c := range chosen.Posts {
			if !low.Below(c) {
				return to, true, nil
			}
			to.at = c
			to.looked++
			if rv.chosen != nil {
				rv.chosen[c.Post] = c
			}
			e := d.judge(rv, facts[c.Post])
			delete(rv.chosen, c.Post)
			if e == nil || rv.counts != nil && !rv.counts(e) {
				continue
			}
			if to.passed++; to.passed%milestoneApart == 0 {
				noted(to)
			}
			if to.passed == skip {
				break
			}
		}
		delete(d.matches, rv)
		switch {
		case to.passed == skip:
		case chosen.Low == timeline.Cursor{}:
			return to, true, nil
		default:
			to.at = chosen.Low
		}
	}
	return to, false, nil
}

// passing reads what decides whether posts are in a river, and leaves nothing of
// that in the draft but what a search finds in them.
func (d *draft) passing(ctx context.Context, sn *timeline.Snapshot, rv *river, choice timeline.Choice, posts []timeline.Cursor) (map[timeline.PostID]*timeline.Facts, error) {
	if rv.query == nil {
		return d.outlines(ctx, sn, rv, choice, posts)
	}
	for _, c := range posts { // a query may ask for any of the facts
		d.needFacts[c.Post] = true
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
func (d *draft) outlines(ctx context.Context, sn *timeline.Snapshot, rv *river, choice timeline.Choice, posts []timeline.Cursor) (map[timeline.PostID]*timeline.Facts, error) {
	outline := timeline.Outline{In: slices.Collect(maps.Keys(choice.Timelines)), Mentions: kinds[rv.key.What].named}
	facts := make(map[timeline.PostID]*timeline.Facts, len(posts))
	for _, portion := range d.base.out.portions(postsAt(posts)) {
		d.doing("facts", portion...)
		some, err := sn.Outlines(ctx, portion, outline)
		if err != nil {
			return nil, err
		}
		d.at = nil // nobody is cleared of suspicion by a part of the facts
		maps.Copy(facts, some)
	}
	unknown := make(map[timeline.TimelineID]bool)
	for _, f := range facts {
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

// deepPage reads the page of a river that passes over entries, and returns the
// same page as one that begins below them.
func (n *Node) deepPage(ctx context.Context, sn *timeline.Snapshot, d *draft, rv *river, at At) (At, error) {
	walk := walkOf(rv, at)
	state, err := n.stateOf(ctx, sn)
	if err != nil {
		return at, err
	}
	from := n.walks.nearest(walk, state, at.Skip, at.After)
	if from == (milestone{}) {
		from.at = at.above()
	}
	var found []milestone
	to, bottom, err := d.pass(ctx, sn, rv, from, at.After, at.Skip, at.Skip+n.cfg.Settings.Candidates, func(m milestone) { found = append(found, m) })
	if err != nil {
		return at, err
	}
	if rv.asOf == 0 { // what is left of a run that is not the last changes without a word in the log
		n.walks.keep(walk, state, found)
	}
	rd := d.of(rv)
	if bottom || to.passed < at.Skip {
		rd.finished = bottom
		if rd.floor = new(timeline.Cursor); !bottom {
			*rd.floor = to.at
		}
		return At{Count: at.Count, After: at.After}, d.fill(ctx, sn)
	}
	at.Before, at.StartFrom, at.Skip = to.at, 0, 0
	return at, d.range_(ctx, sn, rv, to.at, timeline.Cursor{}, at.count()+1, n.cfg.Settings.Candidates)
}

// stateOf names the state of the primary that a snapshot shows: two of the same
// name show the same. Of two snapshots of one log the later one shows all changes
// of the earlier one, so as many changes are the same changes. Empty: the state
// has no name.
func (n *Node) stateOf(ctx context.Context, sn *timeline.Snapshot) (string, error) {
	log, err := sn.Log(ctx, 0, "", "")
	if err != nil || log.Broken {
		return "", err
	}
	return fmt.Sprintf("%s %d %d", log.Epoch, log.Head+int64(len(log.Unplaced)), n.out.revision()), nil
}

// A walk names the way to pages far down: all pages of one walk pass over the same
// entries.
type walk struct {
	key       Key
	sorted    timeline.Order
	above     timeline.Cursor
	noReplies bool
}

func walkOf(rv *river, at At) walk { return walk{rv.key, rv.sorted, at.above(), at.NoReplies} }

// passages remember the milestones of walks, so that a client that goes from page
// to page, or asks for one again and again, has each entry passed over once. They
// are good for the state of the primary that the walk was in, and for no other.
type passages struct {
	mu    sync.Mutex
	walks map[walk]*passage
	clock int64 // of use
}

type passage struct {
	state string
	marks []milestone // in their order
	used  int64
}

// nearest returns the last milestone on a walk that a page can begin to walk from:
// zero if there is none.
func (p *passages) nearest(w walk, state string, skip int, low timeline.Cursor) milestone {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.walks[w]
	if known == nil || state == "" || known.state != state {
		return milestone{}
	}
	p.clock++
	known.used = p.clock
	for _, m := range slices.Backward(known.marks) {
		if m.passed <= skip && low.Below(m.at) {
			return m
		}
	}
	return milestone{}
}

// keep adds milestones of a walk to those that are remembered for the state.
func (p *passages) keep(w walk, state string, marks []milestone) {
	if len(marks) == 0 || state == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.walks[w]
	if known == nil || known.state != state {
		known = &passage{state: state}
		put(&p.walks, w, known)
	}
	p.clock++
	known.used = p.clock
	for _, m := range marks {
		if last := len(known.marks); last == 0 || known.marks[last-1].passed < m.passed {
			known.marks = append(known.marks, m)
		}
	}
	if len(p.walks) > mostPassages {
		var oldest walk
		for w, known := range p.walks {
			if first := p.walks[oldest]; first == nil || known.used < first.used {
				oldest = w
			}
		}
		delete(p.walks, oldest)
	}
}
