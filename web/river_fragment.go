package web

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync/atomic"
	"weak"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// A fragment is an entry as a member's page has it, in one form. Drawing an entry is most of the work of a
// page, so fragments are kept, and a page that has changed in one entry is joined from the fragments of
// the others.
type fragment struct {
	shown  entryState
	text   string
	sum    [16]byte // a hash of text
	serial uint64   // another one for each fragment that is kept; 0: it is not kept
}

// A fragmentKey names an entry of a river in one form. A viewer's river has at most one fragment for each: a
// newer state of the entry replaces the older.
type fragmentKey struct {
	river river.Key
	post  timeline.PostID
	form  string // the form and, for HTML, the language and the zone of times
}

// An entryState is everything on which a fragment depends besides its key. The tag is a hash of the entry
// as the viewer is shown it, and of the actions that the post and its places offer. The other fields are
// the facts that the tag leaves out, and the viewer's rights as a whole.
type entryState struct {
	sets              weak.Pointer[timeline.Sets] // of the viewer; changed sets are another value
	tag               string
	version, comments int // of the post, and of its comments
	freshAt           int64
	cursor            timeline.Cursor
	points            int64
}

// stateOf returns the state of an entry for a viewer.
func stateOf(sets *timeline.Sets, e *river.Entry) entryState {
	return entryState{weak.Make(sets), e.Tag, e.Fold.Version, e.Fold.Text.CommentsVersion, e.Fold.Text.FreshAt, e.Cursor, e.Points}
}

// lastSerial is the serial number of the newest fragment.
var lastSerial atomic.Uint64

// verifyFragment is nil, except in tests, where it compares a kept fragment with a new drawing.
var verifyFragment func(kept string, draw func() string)

// A fragments keeps fragments, up to a number of bytes.
type fragments struct {
	held *cache.Sized[fragmentKey, *fragment]
}

func newFragments(most int) fragments {
	return fragments{cache.NewSized(most, func(key fragmentKey, f *fragment) int {
		return len(f.text) + len(key.form) + len(key.river.Query) + len(f.shown.tag) + 512
	})}
}

// get returns the fragment of an entry: the kept one if the entry is in the same state, else a new one,
// which draw returns. Draw panics with a *page.Poisoned if the entry can't be drawn.
func (h fragments) get(view *river.View, e *river.Entry, form string, draw func() string) *fragment {
	defer page.Blame(e)
	key := fragmentKey{view.Key, e.Fold.Post, form}
	state := stateOf(view.Sets, e)
	keeps := e.Tag != "" && view.Live
	if keeps {
		if f, held := h.held.Get(key); held && f.shown == state {
			if verifyFragment != nil {
				verifyFragment(f.text, draw)
			}
			return f
		}
	}
	f := &fragment{shown: state, text: draw()}
	sum := sha256.Sum256([]byte(f.text))
	copy(f.sum[:], sum[:])
	if keeps {
		f.serial = lastSerial.Add(1)
		h.held.Put(key, f)
	}
	return f
}

// jsonFragment returns an entry in Mokum's shape.
func (s *Server) jsonFragment(view *river.View, e *river.Entry) *fragment {
	return s.fragments.get(view, e, "json", func() string {
		return string(wirejson.MustEncode(mokum.EntryOf(view.Sets, e, s.cardsOf(view))))
	})
}

// storeFragment returns an entry in Mokum's shape, as it stands in a script element.
func (s *Server) storeFragment(view *river.View, e *river.Entry) *fragment {
	return s.fragments.get(view, e, "store", func() string {
		return page.EscapeScript(s.jsonFragment(view, e).text)
	})
}

// htmlFragment returns an entry as HTML, for a page whose context has the reader's look. A fragment can't have a form
// for a comment, because each page gives the form a new UUID; only a post's own page has such a form.
func (s *Server) htmlFragment(ctx context.Context, m page.RiverModel, look page.Look, e *river.Entry) *fragment {
	return s.fragments.get(m.View, e, "html "+m.Words.Code()+" "+look.Zone, func() string {
		return page.EntryIn(ctx, m, e)
	})
}

// A run is a list of fragments that stand in a page one after another, with a separator between them.
type run struct {
	fragments []*fragment
	separator string
}

// key returns a name that no other run has; empty if there are no fragments, or if a fragment is not kept, so that the
// run can't come again.
func (r run) key() string {
	if len(r.fragments) == 0 {
		return ""
	}
	key := make([]byte, 0, 1+8*len(r.fragments))
	key = append(key, r.separator...)
	for _, f := range r.fragments {
		if f.serial == 0 {
			return ""
		}
		key = binary.LittleEndian.AppendUint64(key, f.serial)
	}
	return string(key)
}
