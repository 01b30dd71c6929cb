package river

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"

	"amstel.dev/amstel/timeline"
)

// read reads a build's range in a snapshot of its own.
func (n *Node) read(ctx context.Context, b *build) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("building %v: %w", b.key, n.poisonError(b.draft, p))
		}
	}()
	sn, err := n.store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer sn.Close()
	d := newDraft(n.empty())
	b.draft = d
	b.made, err = d.construct(ctx, sn, b.key)
	if err != nil {
		return err
	}
	if err := n.reached(pointBuilding); err != nil {
		return err
	}
	sn.SearchFor(n.cfg.Settings.Search)
	if err := d.fillRange(ctx, sn, b.made, b.from, timeline.Cursor{}, b.need, n.cfg.Settings.Candidates); err != nil {
		return err
	}
	n.quarantine.clearSuspects(d.handledAlone)
	if kinds[b.key.What].single && len(d.rivers[b.made].put) == 0 {
		return timeline.ErrNotFound // the same answer for a missing post and for a post that the viewer must not know of
	}
	return nil
}

// construct creates a river without entries, in a draft over an empty state. It
// returns an error if the viewer may not open the page.
func (d *draft) construct(ctx context.Context, sn *timeline.Snapshot, key Key) (*river, error) {
	if !d.access().addressable(key) {
		return nil, timeline.ErrNotFound
	}
	k := kinds[key.What]
	sets, feeds, err := sn.Sets(ctx, []timeline.UserID{key.Viewer})
	if err != nil {
		return nil, err
	}
	d.sets[key.Viewer] = sets[key.Viewer]
	maps.Copy(d.timelines, feeds)
	rv := &river{key: key, epoch: rand.Text(), sorted: orderOf(d, key)}
	if whats := k.timelines(); len(whats) > 0 {
		found, err := sn.TimelinesOf(ctx, key.TheirID, whats...)
		if err != nil {
			return nil, err
		}
		for id, t := range found {
			d.timelines[id] = t
			for _, what := range k.subject {
				if t.What == what && (what != timeline.WhatUserFYEO || t.TheirID == int64(key.Viewer)) {
					put(&rv.wants, id, true)
				}
			}
		}
		if len(rv.wants) == 0 {
			return nil, timeline.ErrNotFound
		}
		for _, what := range k.gates {
			for id, t := range found {
				if t.What == what {
					rv.gates = append(rv.gates, id)
				}
			}
		}
	}
	if k.fedBySets() {
		rv.wants = homeOf(key, d.sets[key.Viewer])
	}
	if k.search {
		if err := rv.compile(ctx, sn); err != nil {
			return nil, err
		}
		if err := d.readNamedTimelines(ctx, sn, rv); err != nil {
			return nil, err
		}
	}
	if err := mayOpen(d, rv); err != nil {
		return nil, err
	}
	rd := d.riverDraft(rv)
	rd.made = true
	rd.floor = &timeline.Cursor{}
	rd.finished = true // so that every chosen post can be decided
	return rv, nil
}

// outlinesFrom is the number of posts that a page reads in full. If the page is incomplete after
// so many posts, it will probably reject most of the next posts too. From then on it reads only
// outlines, which suffice to decide.
const outlinesFrom = 200

// fillRange decides the posts of a river below from and at or above low, newest
// first, and reads the folds and cards that the entries show. It stops when need
// entries are found, when candidates posts were looked at, or when the snapshot has
// searched for too long. The floor in the river's draft tells how far it came.
func (d *draft) fillRange(ctx context.Context, sn *timeline.Snapshot, rv *river, from, low timeline.Cursor, need, candidates int) error {
	rd := d.riverDraft(rv)
	if kinds[rv.key.What].single {
		d.enqueue(rv, timeline.PostID(rv.key.TheirID))
		return d.fill(ctx, sn)
	}
	choice := d.choice(rv)
	at, found, looked := from, 0, 0
	for chunk := min(need, 50); ; chunk = min(2*chunk, 200) {
		chosen, err := sn.Choose(ctx, choice, at, chunk)
		if err != nil {
			return err
		}
		facts := d.factsOf
		if looked < outlinesFrom || rv.query != nil {
			for _, c := range chosen.Posts {
				d.need.facts[c.Post] = true
			}
			if err := d.fillFacts(ctx, sn); err != nil {
				return err
			}
			if err := d.matchChosen(ctx, sn, rv, chosen.Posts); err != nil {
				return err
			}
		} else { // most posts are rejected here; fill reads the facts of the others
			read, err := d.outlines(ctx, sn, rv, choice, chosen.Posts, true)
			if err != nil {
				return err
			}
			facts = func(post timeline.PostID) *timeline.Facts { return read[post] }
		}
		bottom := chosen.Low == timeline.Cursor{}
		for _, c := range chosen.Posts {
			if c.Below(low) {
				bottom = true
				break
			}
			at = c
			looked++
			if rv.chosen != nil {
				rv.chosen[c.Post] = c
			}
			if e := d.decideGuarded(rv, facts(c.Post)); e == nil || rv.includes != nil && !rv.includes(e) {
				delete(d.facts, c.Post)
				delete(rv.chosen, c.Post)
				continue
			}
			d.enqueue(rv, c.Post)
			if found++; found == need {
				break
			}
		}
		if found < need && !bottom {
			if at = chosen.Low; at.Below(low) {
				bottom = true
			}
		}
		if bottom && found < need || found == need || looked >= candidates || sn.Searched() {
			if found == 0 && !bottom && sn.Searched() {
				if err := sn.TooBroad(rv.query); err != nil {
					return err
				}
			}
			rd.finished = bottom && found < need
			if rd.finished {
				at = timeline.Cursor{}
			}
			rd.floor = &at
			// Posts below the floor are not part of the result.
			for post, f := range d.facts {
				if rv.sorted == timeline.OrderFresh && f != nil && f.Cursor().Below(at) {
					delete(d.facts, post)
				}
			}
			return d.fill(ctx, sn)
		}
	}
}
