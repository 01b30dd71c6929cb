package river

import "amstel.dev/amstel/timeline"

// A mark is a post that is to be decided again in a river before the river is shown.
// Rivers that nobody has open get marks; turns work off some of them each, and all of
// a river that somebody asks for.

// later decides a post in a river now if the river is open or asked for, else
// leaves a mark.
func (r *router) decideOrMark(rv *river, post timeline.PostID) {
	r.routed++
	if rv.open() || r.asked.refresh[rv] {
		r.draft.enqueue(rv, post)
		return
	}
	r.draft.mark(rv, post)
}

// mark leaves a post of a river to a later turn.
func (d *draft) mark(rv *river, post timeline.PostID) {
	rd := d.of(rv)
	if !rv.marks[post] && !rd.decide[post] {
		put(&rd.mark, post, true)
	}
}

// overtaken has a river brought right in the next turn that was opened while this
// one was under way, and took it for closed.
func (n *Node) overtaken(rv *river) {
	if !rv.open() {
		return
	}
	n.asks.mu.Lock()
	defer n.asks.mu.Unlock()
	put(&n.asks.refresh, rv, true)
}

// workMarks decides what is marked in the rivers asked for, all of it, and in
// others as far as a turn's budget goes, oldest first.
func (r *router) decideMarks() {
	n := r.node
	for rv := range r.asked.refresh {
		if n.st.rivers[rv.id] != rv {
			continue // it ended since
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
