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

// tooMany ops are a reset.
const tooMany = 60

// state is what an entry was from a counter on; no fold: it was not there.
type state struct {
	counter int64
	fold    *timeline.Fold
	at      timeline.Cursor
}

// model is one river: every state of every entry, in order.
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

func (m *model) put(s state) { m.entries[s.at.Post] = append(m.entries[s.at.Post], s) }

func (m *model) end() {
	m.ended = true
	for w := range m.watches {
		w.ring()
	}
}

// ever says whether the entry was in the window at a counter, or at any time since.
func (m *model) ever(post timeline.PostID, from int64, w river.Window) bool {
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

// now are the entries that are there, top first.
func (m *model) now() []state { return m.entriesIn(river.Window{High: timeline.Top}) }

// entriesIn returns the entries in the window, top first.
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

func (s state) within(w river.Window) bool {
	return s.fold != nil && s.at.Below(w.High) && !s.at.Below(w.Low)
}

// page are the entries of a page.
func (m *model) page(at river.At) []state {
	all := m.entriesIn(river.Window{High: high(at)})
	all = all[min(at.Skip, len(all)):]
	return all[:min(count(at), len(all))]
}

func high(at river.At) timeline.Cursor {
	if at.Before != (timeline.Cursor{}) {
		return at.Before
	}
	return timeline.Top
}

func count(at river.At) int {
	if at.Count == 0 {
		return 25
	}
	return at.Count
}

// fill lowers a window's end until as many entries are in it as its page asked for.
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

// window is the part that a page shows that has those posts: down to the lowest
// of them that is there, and to the bottom where that is the river's lowest.
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
	// Nothing of what the page shows is there: it is given what a new page has.
	page := all[min(at.Skip, len(all)-1):]
	if page = page[:min(count(at), len(page))]; len(page) < len(all) {
		w.Low = page[len(page)-1].at
	}
	return w
}

// ops bring a page that shows those posts to what is now in the window, where
// differs says so.
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

// since are the ops from a counter on, for a page that shows what it says it has
// and what was in its window then or at any time since: its own posts reach it
// before patches do. The window is filled: what is below the end that it had is new.
func (m *model) since(from int64, have []river.Have, was, w river.Window) []river.Op {
	shown := map[timeline.PostID]bool{}
	for post := range m.entries {
		if m.ever(post, from, was) {
			shown[post] = true
		}
	}
	for _, h := range have {
		shown[h.Post] = true
	}
	return m.ops(w, func(s state) bool { return s.counter > from || s.at.Below(was.Low) }, shown)
}

// unlike are the ops for a page that shows what have says.
func (m *model) unlike(have []river.Have, w river.Window) []river.Op {
	shown, tags := map[timeline.PostID]bool{}, map[timeline.PostID]string{}
	for _, h := range have {
		shown[h.Post], tags[h.Post] = true, h.Tag
	}
	// Where a post stands on the page is not told by tags: one that is not the
	// next on it, those before taken out, has moved.
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

// entry is the state as rivers show it.
func (s state) entry() *river.Entry {
	return &river.Entry{
		Facts: &timeline.Facts{ID: s.at.Post, Version: s.fold.Version, Author: s.fold.Author, FreshAt: s.at.FreshAt},
		Fold:  s.fold, Tag: Tag(s.fold), Public: true, Place: s.at,
	}
}

// Tag returns the tag of an entry that shows the fold. As in a node the tag leaves out
// the numbers that rise with every change: what shows the same again has the tag that
// it had.
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
