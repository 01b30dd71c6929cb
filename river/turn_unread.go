package river

import (
	"context"
	"slices"

	"amstel.dev/amstel/timeline"
)

// The number of unread notices of a viewer depends on the visibility rule, like everything that
// is shown. So the notices are counted again not only when one is added or removed, but also after
// a change of the viewer's rights, of a post or a person that a notice is about, of the access of
// a timeline, or of the settings of a group.

// recount notes the viewers for whom a turn's changes may have changed the count of
// unread notices.
func (r *router) recount(news []timeline.Change) {
	st := r.node.st
	need := func(user timeline.UserID) {
		if user != 0 && st.viewers[user] != nil {
			put(&r.unread, user, true)
		}
	}
	all := func(depends func(*timeline.Unread) bool) {
		for user, v := range st.viewers {
			if v.unread != nil && depends(v.unread) {
				need(user)
			}
		}
	}
	for _, c := range news {
		switch c.Kind {
		case timeline.ChangeNotice, timeline.ChangeViewer:
			need(c.User)
		case timeline.ChangePost:
			for user := range st.notice[c.Post] {
				need(user)
			}
		case timeline.ChangeAccess:
			all(func(u *timeline.Unread) bool {
				return slices.ContainsFunc(c.Timelines, func(id timeline.TimelineID) bool {
					_, depends := slices.BinarySearch(u.Places, id)
					return depends
				})
			})
		case timeline.ChangeCard:
			all(func(u *timeline.Unread) bool {
				return slices.Contains(u.People, c.User) || c.Group != 0 && slices.Contains(u.Groups, c.Group)
			})
		}
	}
}

// count counts the unread notices of the viewers whom recount noted, and of viewers not counted
// yet.
func (r *router) count(ctx context.Context, sn *timeline.Snapshot) error {
	return r.draft.countUnread(ctx, sn, r.toCount())
}

// toCount returns the sets of the viewers for which the turn counts unread notices.
func (r *router) toCount() map[timeline.UserID]*timeline.Sets {
	d, st := r.draft, r.node.st
	for user := range st.uncounted {
		put(&r.unread, user, true)
	}
	for user := range d.sets {
		if user != 0 && st.viewers[user] == nil {
			put(&r.unread, user, true)
		}
	}
	sets := make(map[timeline.UserID]*timeline.Sets, len(r.unread))
	for user := range r.unread {
		if s := d.setsOf(user); s != nil {
			sets[user] = s
		}
	}
	return sets
}

// countUnread counts the unread notices of viewers, by the sets of each.
func (d *draft) countUnread(ctx context.Context, sn *timeline.Snapshot, sets map[timeline.UserID]*timeline.Sets) error {
	if len(sets) == 0 {
		return nil
	}
	unread, err := sn.Unread(ctx, sets)
	if err != nil {
		return err
	}
	for user, u := range unread {
		put(&d.unread, user, u)
	}
	return nil
}

// countFresh counts the unread notices of a viewer for an answer from the primary, if the
// node has not counted them.
func (n *Node) countFresh(ctx context.Context, sn *timeline.Snapshot, d *draft, user timeline.UserID) error {
	if user == 0 {
		return nil
	}
	n.mu.RLock()
	v := n.st.viewers[user]
	if v != nil && v.unread != nil {
		put(&d.unread, user, v.unread)
	}
	n.mu.RUnlock()
	if d.unread[user] != nil {
		return nil
	}
	return d.countUnread(ctx, sn, map[timeline.UserID]*timeline.Sets{user: d.setsOf(user)})
}

// applyUnread takes over the counts, and wakes the pages of viewers with a changed count.
func (st *state) applyUnread(d *draft, wake map[*river]bool) {
	for user, unread := range d.unread {
		v := st.viewers[user]
		if v == nil {
			continue
		}
		if v.unread == nil || v.unread.Count != unread.Count || v.unread.Directs != unread.Directs {
			for rv := range v.rivers {
				wake[rv] = true
			}
		}
		st.linkNotices(user, v.unread, unread)
		v.unread = unread
		st.reweighViewer(v)
		delete(st.uncounted, user)
	}
}

// linkNotices updates the index of the viewers who have an unread notice about
// each post.
func (st *state) linkNotices(user timeline.UserID, was, now *timeline.Unread) {
	if was != nil {
		for _, post := range was.Posts {
			delete(st.notice[post], user)
			if len(st.notice[post]) == 0 {
				delete(st.notice, post)
			}
		}
	}
	if now != nil {
		for _, post := range now.Posts {
			if st.notice[post] == nil {
				st.notice[post] = make(map[timeline.UserID]bool)
			}
			st.notice[post][user] = true
		}
	}
}

// unread returns the viewer's numbers of unread notices.
func (st *state) unread(user timeline.UserID) (u Unread) {
	if v := st.viewers[user]; v != nil && v.unread != nil {
		u = Unread{v.unread.Count, v.unread.Directs}
	}
	return u
}

// Unread are a viewer's numbers of unread notices, each at most 100.
type Unread struct {
	Notices int // see [timeline.Unread]
	Directs int // directs with such notices
}

// Unread returns the numbers of unread notices of the watched river's viewer. It returns false
// if the viewer is not signed in.
func (w *Watch) Unread() (u Unread, known bool) {
	w.node.mu.RLock()
	defer w.node.mu.RUnlock()
	return w.node.st.unread(w.rv.key.Viewer), w.rv.key.Viewer != 0
}
