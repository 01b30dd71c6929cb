package river

import (
	"slices"

	"amstel.dev/amstel/timeline"
)

// A viewer must not learn of the actions of a person across a ban, or of the fate of a timeline
// that holds a post but that the viewer can't read. So an entry counts as changed only for viewers
// who are shown the entry differently. For example, when a banned person comments on the topmost
// post of a home, the post becomes fresher but stays topmost and looks the same: the viewer's page
// gets no op.
//
// A post that is topmost already, or alone on its page, can come up without showing any change.

// A span is the range of cursors at which an entry stood since pages were last sent the entry,
// both ends included.
type span struct{ low, high timeline.Cursor }

// sharedFold returns the fold of the post that viewers share in a river of this kind, and the
// fold's hash.
func (h *held) sharedFold(rv *river) (*timeline.Fold, digest) {
	if kinds[rv.key.What].single && h.all != nil {
		return h.all, h.allHash
	}
	return h.fold, h.hash
}

// sharedChangedAt returns the counter at the last change of the shared fold in a river of this
// kind.
func (h *held) sharedChangedAt(rv *river) int64 {
	if kinds[rv.key.What].single && h.all != nil {
		return h.allAt
	}
	return h.changed
}

// sharedHash returns the hash of a held post's shared fold, as the draft leaves the fold.
func (d *draft) sharedHash(rv *river, h *held) digest {
	post := h.facts.ID
	fold := d.folds[post]
	if kinds[rv.key.What].single && (d.alls[post] != nil || h.all != nil) {
		fold = d.alls[post]
	}
	if fold == nil {
		_, hash := h.sharedFold(rv)
		return hash
	}
	hash, known := d.hashes[fold]
	if !known {
		hash = foldHash(fold)
		put(&d.hashes, fold, hash)
	}
	return hash
}

// shownHashes returns the hashes of the folds that a viewer sees in an entry and in the entry
// that replaces it: the entry's own fold, else the shared fold.
func (d *draft) shownHashes(rv *river, old, now *entry) (was, is digest) {
	before, after := old.rest(), now.rest()
	was, is = before.hash, after.hash
	if before.fold == nil {
		_, was = old.post.sharedFold(rv)
	}
	if after.fold == nil {
		is = d.sharedHash(rv, old.post)
	}
	return was, is
}

// sameFold reports whether a viewer is shown the same fold of an entry as before.
// If both entries show the shared fold, the answer is yes: changes of shared folds
// are tracked with the post, not with the entry.
func (d *draft) sameFold(rv *river, old, now *entry) bool {
	if old.rest().fold == nil && now.rest().fold == nil {
		return true
	}
	was, is := d.shownHashes(rv, old, now)
	return was == is
}

// keepUnchanged keeps entries of a river's draft from counting as changed if they
// look as before and stand between the same neighbours. If the cursor of an entry moved
// without any visible effect, the entry gets a span instead.
func (d *draft) keepUnchanged(rv *river, rd *riverDraft) {
	if rd.sweepStarted {
		return
	}
	single := kinds[rv.key.What].single
	for post, e := range rd.put {
		old := d.base.entryOf(rv, post)
		if old == nil || old.own != e.own || !rv.confirmed(old) || d.base.accessChangedSince(old) {
			continue
		}
		moved := old.cursor != e.cursor
		if moved && !single && (len(rd.put) > 1 || len(rd.gone) > 0 || rd.floor != nil || !rv.keepsRank(old, e.cursor)) {
			continue
		}
		if was, is := d.shownHashes(rv, old, e); was != is {
			continue
		}
		e.changed, e.known = old.changed, d.counter
		if at := old.post.sharedChangedAt(rv); old.rest().fold == nil && at > old.known {
			e.changed = max(e.changed, at)
		}
		switch {
		case single:
			e.moved = old.moved
		case moved:
			e.span = old.span.including(old.cursor).including(e.cursor)
		default:
			e.span = old.span
		}
	}
}

// keepsRank reports whether an entry stands below and above the same entries when it
// moves to a place.
func (rv *river) keepsRank(e *entry, to timeline.Cursor) bool {
	i := rv.find(e.cursor)
	return (i == 0 || to.Below(rv.order[i-1].cursor)) && (i == len(rv.order)-1 || rv.order[i+1].cursor.Below(to)) && rv.holds(to)
}

// including returns the span widened to include a cursor.
func (s *span) including(c timeline.Cursor) *span {
	if s == nil {
		return &span{c, c}
	}
	wide := *s
	if c.Below(wide.low) {
		wide.low = c
	}
	if wide.high.Below(c) {
		wide.high = c
	}
	return &wide
}

// mayHaveHeld reports whether pages of the window may still show an entry that has left the
// window since the pages were last sent it.
func (w Window) mayHaveHeld(e *entry) bool {
	return e.span != nil && e.span.low.Below(w.High) && !e.span.high.Below(w.Low)
}

// alwaysHeld reports whether an entry was in the window all the time since pages
// were last sent the entry.
func (w Window) alwaysHeld(e *entry) bool {
	return e.span == nil || e.span.high.Below(w.High) && !e.span.low.Below(w.Low)
}

// cardsChangedAt returns the counter at the last change of a card that an entry shows.
func (st *state) cardsChangedAt(rv *river, e *entry) (changed int64) {
	on := cardVisitor{
		user:  func(id timeline.UserID) { changed = max(changed, st.users[id].changed) },
		group: func(id timeline.GroupID) { changed = max(changed, st.groups[id].changed) },
	}
	fold := e.rest().fold
	if fold == nil {
		fold, _ = e.post.sharedFold(rv)
	}
	on.visitFold(fold)
	places, _ := placesFor(st.viewers[rv.key.Viewer].sets, e.post.facts, st.timeline)
	for _, t := range places {
		on.visitTimeline(t.What, t.TheirID)
	}
	on.visitReasons(e.reasons)
	return changed
}

// accessChangedAt returns the counter at which the access of a place of the entry's
// post last changed, if the entry was not decided since and the viewer is shown the
// change.
func (st *state) accessChangedAt(e, now *entry) (changed int64) {
	differs := now == nil || now.own != e.own
	for _, id := range e.post.facts.Places {
		if at := st.accessAt[id]; at > e.decided && (differs || st.accessBefore[id] > e.decided) {
			changed = max(changed, at)
		}
	}
	return changed
}

// accessChangedTwice reports whether the access of a place changed twice since an
// entry was decided. Between the two changes pages may have been shown another form
// of the entry.
func (d *draft) accessChangedTwice(e *entry) bool {
	return slices.ContainsFunc(e.post.facts.Places, func(id timeline.TimelineID) bool {
		return d.base.accessAt[id] > e.decided && (d.base.accessBefore[id] > e.decided || slices.Contains(d.accessChanged, id))
	})
}
