package river

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"amstel.dev/amstel/timeline"
)

// A node serves from memory, and uses its river DB only to continue after a restart. So a river DB
// that is lost while the node runs (deleted, replaced, damaged, or on a full disk) changes no
// page: turns go on without the file, and write everything that the node knows to a new one, a
// chunk of rivers each turn. A river that was not written yet has no row in the new file. So after
// a crash a node has fewer rivers, but each river is right.

// saveRarely is the factor by which the pause between attempts grows at most.
const saveRarely = 60

// A rebuild holds the rivers still to be written to a new river DB. Only the loop uses it.
type rebuild struct {
	rivers []*river // rivers not written yet
	begun  bool     // whether the parts that belong to no river are written
	posts  map[timeline.PostID]bool
	next   time.Time // when to try again to create a river DB
	pause  time.Duration
}

// ended returns the value of a rebuild that was completed or has failed. It keeps the pause, so
// that a river DB that fails again and again is not created again at once.
func (s *rebuild) ended() rebuild { return rebuild{next: s.next, pause: s.pause} }

// active reports whether something is left to write.
func (s *rebuild) active() bool { return s.posts != nil }

// discardDB discards the river DB, and logs why. The node goes on without one.
func (n *Node) discardDB(err error) {
	n.log.Error("river DB lost: turns will write all rivers to a new one", "path", n.cfg.Path, "err", err)
	n.db.discard()
	n.db = nil
	n.dbIncomplete.Store(true)
	for _, rv := range n.st.rivers {
		rv.saved = false
	}
	n.rebuild = n.rebuild.ended()
}

// reopenDB creates a new river DB if there is none and the pause is over.
func (n *Node) reopenDB(ctx context.Context) {
	if n.db != nil || time.Now().Before(n.rebuild.next) {
		return
	}
	first := n.cfg.Settings.SaveAgain
	if time.Since(n.rebuild.next) > saveRarely*first { // the last attempt was long ago
		n.rebuild.pause = 0
	}
	n.rebuild.pause = min(max(2*n.rebuild.pause, first), saveRarely*first)
	n.rebuild.next = time.Now().Add(n.rebuild.pause)
	db, err := n.newDB(ctx)
	if err != nil {
		n.log.Warn("no river DB can be created: a restart would lose all rivers", "path", n.cfg.Path, "again_in", n.rebuild.pause, "err", err)
		return
	}
	n.db = db
	n.counts.renewed.Add(1)
	n.rebuild.rivers, n.rebuild.posts = n.rebuild.rivers[:0], make(map[timeline.PostID]bool)
	for _, rv := range n.st.rivers {
		n.rebuild.rivers = append(n.rebuild.rivers, rv)
	}
	// Rivers that were visited last are written first.
	slices.SortFunc(n.rebuild.rivers, func(a, b *river) int { return cmp.Compare(b.visited.Load(), a.visited.Load()) })
}

func (n *Node) newDB(ctx context.Context) (*riverDB, error) {
	if err := n.reached(pointWriting); err != nil {
		return nil, err
	}
	return createRiverDB(ctx, n.cfg.Path)
}

// saveRest runs when the loop ends. It compares the whole river DB with its ledger, and writes
// as many missing rivers as time allows, those visited last first.
func (n *Node) saveRest(ctx context.Context) {
	until := time.Now().Add(n.cfg.Settings.saveWithin)
	if n.db != nil {
		err := n.db.checkIntact()
		if err == nil {
			err = n.db.compare(math.MaxInt)
		}
		if err != nil {
			n.discardDB(err)
		}
	}
	n.rebuild.next = time.Time{}
	for n.reopenDB(ctx); n.rebuild.active() && n.db != nil && time.Now().Before(until); {
		n.persist(ctx, newDraft(n.st), n.now())
		if n.reached(pointWritten) != nil {
			return
		}
	}
}

// persist writes a turn to the river DB, and some of the rivers left to write. If
// writing fails, the river DB is discarded; the turn itself succeeds.
func (n *Node) persist(ctx context.Context, d *draft, now int64) {
	if n.db == nil {
		return
	}
	chunk := n.rebuild.chunk(n.st, n.cfg.Settings.saved)
	err := n.write(ctx, d, now, chunk)
	if err != nil {
		n.discardDB(err)
		return
	}
	for _, rv := range chunk {
		rv.saved = true
	}
	for rv, rd := range d.rivers {
		rv.saved = rv.saved || rd.made
	}
	if !n.rebuild.active() {
		return
	}
	n.rebuild.begun = true
	if len(n.rebuild.rivers) == 0 {
		n.rebuild = n.rebuild.ended()
		n.dbIncomplete.Store(false)
		n.log.Info("the river DB is complete again", "path", n.cfg.Path)
	}
}

// write writes a turn to the river DB. After a panic the content of the file is
// unknown, so write returns an error.
func (n *Node) write(ctx context.Context, d *draft, now int64, chunk []*river) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: writing turn %d panicked: %v\n%s", errRiverDB, d.counter, p, stack())
		}
	}()
	if err := n.reached(pointWriting); err != nil {
		return err
	}
	return n.db.write(ctx, d, now, &n.rebuild, chunk)
}

// chunk removes and returns the rivers to write next: about most entries in all,
// and at least one river.
func (s *rebuild) chunk(st *state, most int) (chunk []*river) {
	for entries := 0; len(s.rivers) > 0 && entries < most; {
		rv := s.rivers[0]
		s.rivers = s.rivers[1:]
		if st.rivers[rv.id] != rv || rv.saved {
			continue
		}
		entries += len(rv.order) + 20
		chunk = append(chunk, rv)
	}
	return chunk
}

// save writes rivers in their state before the present turn, which is written afterwards. Before
// the first river it writes the parts that rivers share.
func (w *writer) save(st *state, s *rebuild, chunk []*river, now int64) {
	if !s.begun {
		w.saveTimelines(st)
		for id, c := range st.users {
			w.do(`insert or replace into cards (what, id, json, changed) values ('user', ?, ?, ?)`, id, w.text(c.card), c.changed)
		}
		for id, c := range st.groups {
			w.do(`insert or replace into cards (what, id, json, changed) values ('group', ?, ?, ?)`, id, w.text(c.card), c.changed)
		}
		w.jobs(st.jobs)
	}
	for _, rv := range chunk {
		w.saveSets(st, rv.key.Viewer)
		for _, e := range rv.order {
			w.savePost(s, e.post)
		}
		w.saveRiver(rv, now)
	}
	if len(s.rivers) == 0 { // and posts that no river holds now
		for _, h := range st.held {
			w.savePost(s, h)
		}
	}
}

func (w *writer) saveTimelines(st *state) {
	rows := newTimelineRows(w)
	for id, t := range st.timelines {
		rows.add(t, st.accessAt[id])
	}
	rows.flush()
}

// saveSets writes the sets of a viewer.
func (w *writer) saveSets(st *state, user timeline.UserID) {
	if v := st.viewers[user]; v != nil && v.sets != nil {
		w.sets(user, v.sets, v.changed)
	}
}

// savePost writes a post's folds, unless they were written before.
func (w *writer) savePost(s *rebuild, h *held) {
	post := h.facts.ID
	if s.posts[post] || h.fold == nil {
		return
	}
	s.posts[post] = true
	w.fold(h.fold, h.facts, h.all != nil, h.changed)
	w.do(`delete from comment_folds where post_id = ?`, post)
	if h.all != nil {
		for _, c := range h.all.Comments.Comments {
			w.comment(post, c, h.changed)
		}
	}
}

// saveRiver writes a river and its entries, tombstones and marks.
func (w *writer) saveRiver(rv *river, now int64) {
	w.riverRow(rv, riverRow{rv.finished, rv.floor, rv.version, rv.stale, rv.staleTwice, rv.swept, rv.changed, rv.trimmed, rv.persisted}, now)
	w.feeds(rv)
	for _, e := range rv.order {
		w.entryRow(rv, e, e.post.facts, now, e.version, e.changed)
	}
	for post, t := range rv.tombs {
		w.do(`insert or replace into entries (river_id, post_id, version, per_river_folded, fresh_at, updated_at, deleted, river_version, changed)
			values (?, ?, 0, '{}', 0, ?, 1, ?, ?)`, rv.id, post, t.at, rv.version, t.counter)
	}
	if len(rv.marks) > 0 {
		w.marks(rv, rv.marks)
	}
}
