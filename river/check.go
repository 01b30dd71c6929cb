package river

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"amstel.dev/amstel/timeline"
)

// CheckOptions select the rivers to check, and limit how often a check is repeated.
type CheckOptions struct {
	Viewer *timeline.UserID // check only this viewer's rivers; nil: all rivers
	Tries  int              // how often a river that changed in the meantime is checked again; 0: 20
	Pause  time.Duration    // between two tries; 0: 250 ms
}

// A Checked is the result of a check.
type Checked struct {
	Rivers      int // rivers that were compared
	Entries     int // the entries of these rivers
	Differences int
	Unsettled   int // rivers not compared, because marks, sweeps or jobs are left
}

// Check compares every living river of a river DB with a fresh build over the same range: the
// oracle, in production. Check reads the file beside the node that owns the file. If a change
// during the check may explain a difference, the river is checked again. Other differences are
// reported, one line each.
func Check(ctx context.Context, store *timeline.Store, path string, opts CheckOptions, report func(string)) (Checked, error) {
	if opts.Tries == 0 {
		opts.Tries = 20
	}
	if opts.Pause == 0 {
		opts.Pause = 250 * time.Millisecond
	}
	db, err := sql.Open("sqlite3", fileOf(path)+"?mode=ro&_query_only=1&_busy_timeout=5000")
	if err != nil {
		return Checked{}, fmt.Errorf("%w: %w", errRiverDB, err)
	}
	defer func() { _ = db.Close() }() // nothing was written
	var (
		sum  Checked
		todo map[Key]bool // nil: all
	)
	for try := 1; ; try++ {
		st, err := loadFrom(ctx, db)
		if err != nil {
			return sum, err
		}
		c := &check{store: store, st: st, final: try == opts.Tries, report: report, again: make(map[Key]bool)}
		if err := c.run(ctx, opts.Viewer, todo); err != nil {
			return sum, err
		}
		sum.Rivers += c.sum.Rivers
		sum.Entries += c.sum.Entries
		sum.Differences += c.sum.Differences
		sum.Unsettled += c.sum.Unsettled
		if todo = c.again; len(todo) == 0 || try == opts.Tries {
			return sum, nil
		}
		pause := time.NewTimer(opts.Pause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return sum, ctx.Err()
		}
	}
}

func loadFrom(ctx context.Context, db *sql.DB) (*state, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRiverDB, err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	return load(ctx, tx)
}

// A check compares the rivers of one state.
type check struct {
	store  *timeline.Store
	st     *state
	final  bool // the last try
	report func(string)
	sum    Checked
	again  map[Key]bool // rivers to check again
}

func (c *check) run(ctx context.Context, viewer *timeline.UserID, todo map[Key]bool) error {
	rivers := make([]*river, 0, len(c.st.rivers))
	for _, rv := range c.st.rivers {
		if (viewer == nil || rv.key.Viewer == *viewer) && (todo == nil || todo[rv.key]) {
			rivers = append(rivers, rv)
		}
	}
	slices.SortFunc(rivers, func(a, b *river) int { return int(a.id - b.id) })
	for _, rv := range rivers {
		if !rv.upToDate() || len(c.st.jobs) > 0 {
			if c.final {
				c.sum.Unsettled++
			} else {
				c.again[rv.key] = true
			}
			continue
		}
		found, exact, err := compare(ctx, c.store, c.st, rv)
		if err != nil {
			return err
		}
		if len(found) > 0 && !exact && !c.final {
			c.again[rv.key] = true
			continue
		}
		c.sum.Rivers++
		c.sum.Entries += len(rv.order)
		c.sum.Differences += len(found)
		for _, line := range found {
			c.report(fmt.Sprintf("viewer %d, %s: %s", rv.key.Viewer, rv.key.Descriptor(), line))
		}
	}
	return nil
}

// compare builds a river again and returns the differences. Exact reports whether
// nothing was committed between the river's state and the build.
func compare(ctx context.Context, store *timeline.Store, st *state, rv *river) (found []string, exact bool, err error) {
	sn, err := store.Snapshot(ctx)
	if err != nil {
		return nil, false, err
	}
	defer sn.Close()
	log, err := sn.Log(ctx, st.cursor, st.nonce, st.logEpoch)
	if err != nil {
		return nil, false, err
	}
	exact = !log.Broken && len(log.Changes) == 0 && len(log.Unplaced) == 0
	over := newState()
	over.quarantine = st.quarantine
	d := newDraft(over)
	d.log.siteState = siteState{log.Site, log.Run}
	d.log.site.Source = timeline.SourceSettings{} // a fresh build reads the timelines
	fresh, err := d.construct(ctx, sn, rv.key)
	if err != nil {
		if may := mayOpen(st, rv); may != nil {
			return nil, exact, nil // neither river can be opened, so neither is shown
		}
		return []string{fmt.Sprintf("a fresh build says %q", err)}, exact, nil
	}
	low := rv.floor
	if rv.finished {
		low = timeline.Cursor{}
	}
	if err := d.fillRange(ctx, sn, fresh, timeline.Top, low, 1<<30, 1<<30); err != nil {
		return nil, false, err
	}
	d.base.apply(d, 0)
	return unlike(st.everything(rv), d.base.everything(fresh)), exact, nil
}

// shownEntry is the visible form of an entry, as text that can be compared.
type shownEntry struct {
	post timeline.PostID
	tag  string
	text string
}

// everything returns the visible form of all entries of a river, with cards, in the
// river's order.
func (st *state) everything(rv *river) []shownEntry {
	var all []shownEntry
	for _, e := range rv.order {
		c := st.newCardCollector()
		shown, may := st.entry(rv, e, c)
		if !may {
			continue
		}
		text, err := json.Marshal(struct {
			At     timeline.Cursor
			Facts  *timeline.Facts
			Fold   *timeline.Fold
			Why    Reasons
			Liked  bool
			Hidden bool
			Hits   []string
			Places []timeline.Timeline
			Public bool
			Users  any
			Groups any
		}{e.cursor, shown.Facts, shown.Fold, shown.Reasons, shown.Liked, shown.Hidden, shown.Hits, shown.Places, shown.Public, c.users, c.groups})
		if err != nil {
			panic("river: an entry that is no JSON: " + err.Error()) // it is plain structs
		}
		all = append(all, shownEntry{shown.Facts.ID, shown.Tag, string(text)})
	}
	return all
}

// unlike returns the differences between two lists of entries: of a river, and of a fresh
// build of the river.
func unlike(have, want []shownEntry) []string {
	var found []string
	in := func(list []shownEntry) map[timeline.PostID]shownEntry {
		m := make(map[timeline.PostID]shownEntry, len(list))
		for _, e := range list {
			m[e.post] = e
		}
		return m
	}
	had, wanted := in(have), in(want)
	for _, e := range want {
		switch h, has := had[e.post]; {
		case !has:
			found = append(found, fmt.Sprintf("post %d is missing", e.post))
		case h.text != e.text:
			found = append(found, fmt.Sprintf("post %d is %s, and should be %s", e.post, h.text, e.text))
		case h.tag != e.tag:
			found = append(found, fmt.Sprintf("post %d has tag %s, and should have %s", e.post, h.tag, e.tag))
		}
	}
	for _, e := range have {
		if _, has := wanted[e.post]; !has {
			found = append(found, fmt.Sprintf("post %d should not be there", e.post))
		}
	}
	if len(found) == 0 && !slices.EqualFunc(have, want, func(a, b shownEntry) bool { return a.post == b.post }) {
		found = append(found, "the order differs")
	}
	return found
}
