package river

import "amstel.dev/amstel/timeline"

// A mark is a post that must be decided again in a river before the river is shown.
// Closed rivers get marks instead of decisions. Each turn decides some of the
// marked posts, and all of those in a river that a visit waits for.

// decideOrMark enqueues a post for a decision in this turn if the river is open or
// asked for, and else marks the post in the river.
func (r *router) decideOrMark(rv *river, post timeline.PostID) {
	r.routed++
	if rv.open() || r.asked.refresh[rv] {
		r.draft.enqueue(rv, post)
		return
	}
	r.draft.mark(rv, post)
}

// mark leaves the decision of a post in a river to a later turn.
func (d *draft) mark(rv *river, post timeline.PostID) {
	rd := d.riverDraft(rv)
	if !rv.marks[post] && !rd.decide[post] {
		put(&rd.mark, post, true)
	}
}

// updateNextTurn asks the next turn to bring a river up to date. The river was opened during
// this turn, after the turn had taken it for closed.
func (n *Node) updateNextTurn(rv *river) {
	if !rv.open() {
		return
	}
	n.asks.mu.Lock()
	defer n.asks.mu.Unlock()
	put(&n.asks.refresh, rv, true)
}

// decideMarks enqueues all marked posts of the rivers asked for, and as many of the
// others as Limits.Marks allows, oldest mark first.
func (r *router) decideMarks() {
	n := r.node
	for rv := range r.asked.refresh {
		if n.st.rivers[rv.id] != rv {
			continue // the river ended in the meantime
		}
		for post := range rv.marks {
			r.draft.enqueue(rv, post)
		}
	}
	budget := n.cfg.Settings.Marks
	for i, rv := range n.queue {
		if n.st.rivers[rv.id] != rv {
			continue
		}
		for post := range rv.marks {
			if budget == 0 {
				r.draft.queue = n.queue[i:]
				return
			}
			r.draft.enqueue(rv, post)
			budget--
		}
	}
}
