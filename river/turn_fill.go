package river

import (
	"context"
	"maps"
	"slices"

	"amstel.dev/amstel/timeline"
)

// fill reads the facts of the enqueued posts, decides the posts, and then reads the
// folds and cards that the decided entries show. Afterwards the draft is complete.
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
			d.decideEntry(rv, rd, post)
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

// fillFacts reads the facts in needs, and the facts of enqueued posts that the draft does not
// know yet.
func (d *draft) fillFacts(ctx context.Context, sn *timeline.Snapshot) error {
	for _, rd := range d.rivers {
		for post := range rd.decide {
			if !d.factsKnown(post) {
				d.need.facts[post] = true
			}
		}
	}
	ids := slices.Sorted(maps.Keys(d.need.facts))
	clear(d.need.facts)
	if len(ids) == 0 {
		return nil
	}
	for _, portion := range d.base.quarantine.batches(ids) {
		for some := range slices.Chunk(portion, factsChunk) {
			if err := d.readFacts(ctx, sn, some); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *draft) readFacts(ctx context.Context, sn *timeline.Snapshot, posts []timeline.PostID) error {
	d.begin("facts", posts...)
	facts, timelines, err := sn.Facts(ctx, posts)
	if err != nil {
		return err
	}
	d.end()
	for _, id := range posts {
		d.facts[id] = facts[id]
	}
	for id, t := range timelines {
		// A filter timeline is needed only if it feeds a river, and was then read when the river
		// was made.
		if t.What.Base() {
			d.timelines[id] = t
		}
	}
	return nil
}

// factsChunk is the number of posts in one statement that reads facts. It keeps each statement
// short when a turn has much to catch up with.
const factsChunk = 500

// decideGuarded decides a post by facts that need not be in the draft. If deciding panics, the
// quarantine learns which post caused the panic.
func (d *draft) decideGuarded(rv *river, f *timeline.Facts) *entry {
	if f == nil {
		return nil
	}
	d.begin("decide", f.ID)
	e := decide(d, rv, f)
	d.handling = nil
	return e
}

// decideEntry decides one post in one river, and adds to needs the values that showing the entry
// takes.
func (d *draft) decideEntry(rv *river, rd *riverDraft, post timeline.PostID) {
	d.decided++
	f := d.factsOf(post)
	e := d.decideGuarded(rv, f)
	if e == nil {
		delete(rd.put, post)
		if d.base.entryOf(rv, post) != nil {
			put(&rd.gone, post, true)
		}
		return
	}
	delete(rd.gone, post)
	put(&rd.put, post, e)
	h := d.base.held[post]
	if h == nil && d.folds[post] == nil {
		d.need.folds[post] = true
	}
	single := kinds[rv.key.What].single
	if single && d.alls[post] == nil && (h == nil || h.all == nil) {
		d.need.alls[post] = true
	}
	if met := bannedIn(d.setsOf(rv.key.Viewer), f); len(met) > 0 {
		e.ownRest().without = met
		if d.need.personal[rv.key.Viewer] == nil {
			d.need.personal[rv.key.Viewer] = make(map[timeline.PostID][]*entry)
		}
		of := d.need.personal[rv.key.Viewer]
		of[post] = append(of[post], e)
		// A placeholder until compare computes the hash. It tells fillFolds which fold to read:
		// with 2 the fold of the post's own page, which has every comment.
		e.own = digest{1}
		if single {
			e.own = digest{2}
		}
	}
}

// fillFolds reads the shared folds, and the folds of single viewers, which leave out people
// across a ban.
func (d *draft) fillFolds(ctx context.Context, sn *timeline.Snapshot) error {
	if len(d.need.folds) > 0 {
		if err := d.readFolds(ctx, sn, slices.Sorted(maps.Keys(d.need.folds)), timeline.FoldOptions{}, d.folds); err != nil {
			return err
		}
		clear(d.need.folds)
	}
	if len(d.need.alls) > 0 {
		if err := d.readFolds(ctx, sn, slices.Sorted(maps.Keys(d.need.alls)), timeline.FoldOptions{AllComments: true}, d.alls); err != nil {
			return err
		}
		clear(d.need.alls)
	}
	for viewer, posts := range d.need.personal {
		sets := d.setsOf(viewer)
		var without []timeline.UserID
		var folded, single []timeline.PostID
		for post, entries := range posts {
			without = append(without, bannedIn(sets, d.factsOf(post))...)
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
						e.ownRest().fold = folds[post]
					}
				}
			}
		}
	}
	clear(d.need.personal)
	return nil
}

// readFolds reads the folds of posts into a map. The posts are sorted and without
// duplicates.
func (d *draft) readFolds(ctx context.Context, sn *timeline.Snapshot, posts []timeline.PostID, how timeline.FoldOptions, into map[timeline.PostID]*timeline.Fold) error {
	for _, portion := range d.base.quarantine.batches(posts) {
		d.begin("fold", portion...)
		folds, err := sn.Folds(ctx, portion, how)
		if err != nil {
			return err
		}
		d.end()
		maps.Copy(into, folds)
	}
	return nil
}

// fillCards reads the cards that the draft's folds and entries show, as far as
// neither the draft nor the state has them.
func (d *draft) fillCards(ctx context.Context, sn *timeline.Snapshot) error {
	users := make(map[timeline.UserID]bool)
	groups := make(map[timeline.GroupID]bool)
	need := cardVisitor{
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
	d.visitCards(need)
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

// visitCards calls the visitor for each card that the draft's folds and entries
// show.
func (d *draft) visitCards(on cardVisitor) {
	for _, folds := range []map[timeline.PostID]*timeline.Fold{d.folds, d.alls} {
		for _, f := range folds {
			on.visitFold(f)
		}
	}
	for _, f := range d.facts {
		if f != nil {
			on.visitPlaces(f, d.timeline)
		}
	}
	for rv, rd := range d.rivers {
		if rd.made {
			on.visitSubject(rv.key)
		}
		for _, e := range rd.put {
			on.visitFold(e.rest().fold)
			on.visitReasons(e.reasons)
		}
	}
}

// compare drops the entries from a river's draft that look as before, and notes which entries
// moved.
func (d *draft) compare(rv *river, rd *riverDraft) {
	for post, e := range rd.put {
		d.begin("compare", post)
		e.own, e.moved, e.changed = ownHash(d, rv, e, d.factsOf(post)), d.counter, d.counter
		if fold := e.rest().fold; fold != nil {
			e.extra.hash = foldHash(fold)
		}
		d.handling = nil
		if old := d.base.entryOf(rv, post); old != nil && old.cursor == e.cursor {
			e.moved = old.moved
			// If the viewer's sets changed twice, or the access of a timeline did,
			// a page may have been shown another form of the entry between the two.
			// The entry then counts as changed even if it looks as it did at first.
			again := !rv.confirmed(old) && rv.staleTwice || rd.sweepStarted && rv.stale != 0 || d.accessChangedTwice(old)
			if d.sameFold(rv, old, e) && old.own == e.own && slices.Equal(old.rest().without, e.rest().without) && !again {
				delete(rd.put, post)
				rd.same = append(rd.same, post)
			}
		}
	}
	d.keepUnchanged(rv, rd)
}
