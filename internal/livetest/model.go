package livetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// tooMany is the number of ops above which a resume is answered with a reset.
const tooMany = 60

// state is the state of an entry from a counter on. Without a fold the entry is not in the river.
type state struct {
	counter int64
	fold    *timeline.Fold
	at      timeline.Cursor
}

// model is one river. The states of each entry are in ascending order of counters.
type model struct {
	generation int
	ended      bool
	purged     int64
	entries    map[timeline.PostID][]state
	watches    map[*watch]bool
}

func newModel(generation int) *model {
	return &model{generation: generation, entries: map[timeline.PostID][]state{}, watches: map[*watch]bool{}}
}

func (m *model) epoch() string { return fmt.Sprintf("epoch-%d", m.generation) }

// put adds a state to its entry.
func (m *model) put(s state) { m.entries[s.at.Post] = append(m.entries[s.at.Post], s) }

// end ends the river and notifies its watches.
func (m *model) end() {
	m.ended = true
	for w := range m.watches {
		w.ring()
	}
}

// shownSince reports whether the entry was in the window at counter from, or at any later one.
func (m *model) shownSince(post timeline.PostID, from int64, w river.Window) bool {
	then := state{}
	for _, s := range m.entries[post] {
		if s.counter <= from {
			then = s
		} else if s.within(w) {
			return true
		}
	}
	return then.within(w)
}

// present returns the present states of all entries in the river, top first.
func (m *model) present() []state { return m.entriesIn(river.Window{High: timeline.Top}) }

// entriesIn returns the present states of the entries in the window, top first.
func (m *model) entriesIn(w river.Window) []state {
	var all []state
	for _, states := range m.entries {
		if s := states[len(states)-1]; s.within(w) {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b state) int { return a.at.Compare(b.at) })
	return all
}

// within reports whether the entry is in the window in this state.
func (s state) within(w river.Window) bool {
	return s.fold != nil && s.at.Below(w.High) && !s.at.Below(w.Low)
}

// page returns the entries that a new page shows, top first.
func (m *model) page(at river.At) []state {
	all := m.entriesIn(river.Window{High: high(at)})
	all = all[min(at.Skip, len(all)):]
	return all[:min(count(at), len(all))]
}

// high returns the upper end of a page.
func high(at river.At) timeline.Cursor {
	if at.Before != (timeline.Cursor{}) {
		return at.Before
	}
	return timeline.Top
}

// count returns how many entries a page asks for.
func count(at river.At) int {
	if at.Count == 0 {
		return 25
	}
	return at.Count
}

// fill returns the window with its lower end moved down until the window holds as many entries
// as its page asked for, but not below Bottom.
func (m *model) fill(w river.Window) river.Window {
	all := w
	all.Low = w.Bottom
	switch in := m.entriesIn(all); {
	case len(m.entriesIn(w)) >= w.Count:
	case len(in) <= w.Count:
		w = all
	default:
		w.Low = in[w.Count-1].at
	}
	return w
}

// window returns the window of a page that shows the posts in have: down to the lowest of them that
// is in the river, or without a lower end if that is the lowest entry of the river.
func (m *model) window(at river.At, have []river.Have) river.Window {
	w := river.Window{High: high(at), Count: count(at)}
	all := m.entriesIn(w)
	if len(all) == 0 {
		return w
	}
	has := map[timeline.PostID]bool{}
	for _, h := range have {
		has[h.Post] = true
	}
	for i, s := range slices.Backward(all) {
		if !has[s.at.Post] {
			continue
		}
		if i < len(all)-1 {
			w.Low = s.at
		}
		return w
	}
	// None of the posts is in the river: the window is that of a new page.
	page := all[min(at.Skip, len(all)-1):]
	if page = page[:min(count(at), len(page))]; len(page) < len(all) {
		w.Low = page[len(page)-1].at
	}
	return w
}

// ops returns the ops that change a page with the posts in shown into the present window: it
// removes the posts that are not in the window, and sends each entry for which differs returns
// true.
func (m *model) ops(w river.Window, differs func(state) bool, shown map[timeline.PostID]bool) []river.Op {
	var gone, ops []river.Op
	above := timeline.PostID(0)
	is := map[timeline.PostID]bool{}
	for _, s := range m.entriesIn(w) {
		is[s.at.Post] = true
		if differs(s) {
			ops = append(ops, river.Op{Post: s.at.Post, After: above, Entry: s.entry()})
		}
		above = s.at.Post
	}
	for post := range shown {
		if !is[post] {
			gone = append(gone, river.Op{Post: post, Gone: true})
		}
	}
	slices.SortFunc(gone, func(a, b river.Op) int { return int(a.Post - b.Post) })
	return append(gone, ops...)
}

// opsSince returns the ops for a page at counter from. Apart from the posts in have, the page may
// show each entry that was in its old window at that counter or later: the answer to a write can
// reach the page before the patch. w is the filled window; entries below the old window are new.
func (m *model) opsSince(from int64, have []river.Have, old, w river.Window) []river.Op {
	shown := map[timeline.PostID]bool{}
	for post := range m.entries {
		if m.shownSince(post, from, old) {
			shown[post] = true
		}
	}
	for _, h := range have {
		shown[h.Post] = true
	}
	return m.ops(w, func(s state) bool { return s.counter > from || s.at.Below(old.Low) }, shown)
}

// opsByTags returns the ops for a page without a usable counter, from the posts and tags in have.
func (m *model) opsByTags(have []river.Have, w river.Window) []river.Op {
	shown, tags := map[timeline.PostID]bool{}, map[timeline.PostID]string{}
	for _, h := range have {
		shown[h.Post], tags[h.Post] = true, h.Tag
	}
	// A tag does not change when a post moves. So rest has the undecided posts in the order of
	// the page: a post that is not the first of rest has moved.
	var rest []timeline.PostID
	for _, h := range have {
		if states := m.entries[h.Post]; len(states) > 0 && states[len(states)-1].within(w) {
			rest = append(rest, h.Post)
		}
	}
	return m.ops(w, func(s state) bool {
		i := slices.Index(rest, s.at.Post)
		if i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
		return i != 0 || tags[s.at.Post] != Tag(s.fold)
	}, shown)
}

// entry returns the entry of a river in this state.
func (s state) entry() *river.Entry {
	return &river.Entry{
		Facts: &timeline.Facts{ID: s.at.Post, Version: s.fold.Version, Author: s.fold.Author, FreshAt: s.at.FreshAt},
		Fold:  s.fold, Tag: Tag(s.fold), Public: true, Cursor: s.at,
	}
}

// Tag returns the tag of an entry with a fold. As in a node, the tag does not depend on
// versions and times of change: an entry that shows the same again has the same tag again.
func Tag(fold *timeline.Fold) string {
	bare := *fold
	bare.Version, bare.Text.CommentsVersion, bare.Text.FreshAt = 0, 0, 0
	text, err := json.Marshal(&bare)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}
