package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// effect is what the answer to a write tells of what it changed: the entry as
// it now stands in the river that the actor has on the screen (docs/wire.md#shapes), by
// the names under which the actor may know that river.
type effect struct {
	Entries map[string]effectEntry `json:"entries"`
	Epoch   string                 `json:"epoch,omitempty"`
	Counter int64                  `json:"counter,omitempty"`
	// Position is how far the log is that has what was done: a page that connects to
	// another node brings it, and is shown nothing from before.
	Position int64 `json:"position,omitempty"`
	// For our own pages: the entry's HTML by the post's id, and the posts that
	// are not in the river.
	HTML map[string]string `json:"html,omitempty"`
	Gone []timeline.PostID `json:"gone,omitempty"`
}

type effectEntry struct {
	Post   mokum.Entry  `json:"post"`
	Users  mokum.Users  `json:"users"`
	Groups mokum.Groups `json:"groups"`
}

// onScreen is the river that the request names as the one on the screen, if it
// is one of the actor's.
func (s *Server) onScreen(q *request) (key river.Key, named []string, is bool) {
	signature := q.Header.Get("X-River-Signature")
	uuid, _, _ := strings.Cut(signature, "/")
	if uuid == "" {
		return river.Key{}, nil, false
	}
	key, known := s.rivers.Named(uuid)
	if !known || key.Viewer != q.who.User {
		return river.Key{}, nil, false
	}
	named = []string{uuid}
	if signature != uuid {
		named = append(named, signature)
	}
	return key, named, true
}

// acted tells what a write of the actor's did to a post in the river on the screen,
// and returns the river's view of the post; nil where that can't be told. The write
// is done, whatever happens here.
func (s *Server) acted(w http.ResponseWriter, q *request, post timeline.PostID) (effect, *river.View) {
	told := effect{Entries: map[string]effectEntry{}}
	var view *river.View
	told.Position = s.await(w, q, func() (current bool) {
		key, named, is := s.onScreen(q)
		if !is {
			return false
		}
		read, err := s.rivers.EntryAfterWrite(q.Context(), key, post)
		if err != nil {
			s.untold(q, err)
			return false
		}
		view = read
		told.tell(q, view, named, post)
		return view.Live
	})
	return told, view
}

// actedOn is acted, with a view of the post's own page where the river on the
// screen does not have the post; nil where that can't be told either.
func (s *Server) actedOn(w http.ResponseWriter, q *request, post timeline.PostID) (effect, *river.View) {
	told, view := s.acted(w, q, post)
	if view == nil || len(view.Entries) == 0 {
		view = s.alone(q, post)
	}
	return told, view
}

// resultOf is the answer to a write that makes nothing.
type resultOf struct {
	Result string `json:"result"`
	effect
}

// doneTo is done for what was done to a post, and made nothing.
func (s *Server) doneTo(w http.ResponseWriter, q *request, post timeline.PostID, to, result string) error {
	told, _ := s.acted(w, q, post)
	return s.done(w, q, to, resultOf{result, told})
}

// alone reads a post as an entry of its own page, without making that page's
// river; nil where it can't be had.
func (s *Server) alone(q *request, post timeline.PostID) *river.View {
	if q.html {
		return nil // nobody looks
	}
	view, err := s.rivers.EntryAfterWrite(q.Context(), river.Key{Viewer: q.who.User, What: river.KindPost, TheirID: int64(post)}, post)
	if err != nil {
		s.untold(q, err)
		return nil
	}
	if len(view.Entries) == 0 {
		return nil
	}
	return view
}

// untold logs why the answer to a write can't tell what it did. That a river may
// not be opened any more, or that the node is behind, is no fault of ours.
func (s *Server) untold(q *request, err error) {
	level := slog.LevelDebug
	if explain(err).Status == http.StatusInternalServerError && q.Context().Err() == nil {
		level = slog.LevelError
	}
	s.log.Log(q.Context(), level, "after a write", "method", q.Method, "route", routeOf(q.Request), "user", q.who.User, "err", err)
}

func (told *effect) tell(q *request, view *river.View, named []string, post timeline.PostID) {
	if view.Live {
		told.Epoch, told.Counter = view.Epoch, view.Counter
	}
	if len(view.Entries) == 0 {
		if q.wantsFragments() {
			told.Gone = []timeline.PostID{post}
		}
		return
	}
	e := &view.Entries[0]
	c := mokum.Cards{Users: view.Users, Groups: view.Groups}
	if q.wantsFragments() {
		told.HTML = map[string]string{mokum.IDText(post): entryHTML(q.words, view.Sets, e, c)}
		return
	}
	one := effectEntry{Post: mokum.EntryOf(view.Sets, e, c)}
	one.Users, one.Groups = c.Shapes(view.Sets)
	for _, name := range named {
		told.Entries[name] = one
	}
}

// entryHTML is an entry as it stands in a page.
func entryHTML(words catalogue.Language, viewer *timeline.Sets, e *river.Entry, c mokum.Cards) string {
	m := page.EntryModel{Words: words, Entry: e, Sets: viewer, Cards: page.Cards{Users: c.Users, Groups: c.Groups}}
	return page.EntryHTML(m)
}

// await waits for what the request wrote, as an answer may begin only after: where
// that took a right away, however long, until what it took is shown to no one any
// more; else until the pages of this node have it, or for as long as such a wait may
// take. It returns the position that the visitor's next page shows; 0 where nothing
// changed. Where read is given, it reads a river for the answer, after what was taken
// is gone, and reports whether the node had come so far.
//
// It is called before each answer to a write begins (see handle), so that no action
// needs to know what its write came to.
func (s *Server) await(w http.ResponseWriter, q *request, read func() (current bool)) (position int64) {
	wrote := q.wrote.Take()
	if wrote.Revoked {
		s.rivers.WaitRevoked()
	}
	switch {
	case read != nil && read():
	case wrote.Revoked:
	case wrote.Changed || read != nil:
		if err := s.rivers.WaitApplied(q.Context()); err != nil {
			s.untold(q, err)
		}
	default:
		return 0
	}
	return s.seen(w, q)
}

// seen has the visitor's next page, on whichever node, show what this one knows, and
// answers the position of that. A node that can't keep up does not know what was
// written just now: the primary says how far that is.
func (s *Server) seen(w http.ResponseWriter, q *request) int64 {
	position := s.rivers.Position()
	if s.behind() {
		if head, err := s.store.Sequence(q.Context()); err == nil {
			position = max(position, head)
		}
	}
	if !q.token {
		s.setPosition(w, position)
	}
	return position
}

// doneOn is done for what ended a reason: a form of an entry names the post, and
// is told what became of that in the river on the screen.
func (s *Server) doneOn(w http.ResponseWriter, q *request, to, result string) error {
	return s.done(w, q, to, resultOf{result, s.actedAbout(w, q)})
}

// actedAbout is acted for the post that the body names, if it does.
func (s *Server) actedAbout(w http.ResponseWriter, q *request) effect {
	post, err := strconv.ParseInt(fmt.Sprint(q.body["post"]), 10, 64)
	if _, _, is := s.onScreen(q); err != nil || post <= 0 || q.html || !is {
		return effect{Entries: map[string]effectEntry{}}
	}
	told, _ := s.acted(w, q, timeline.PostID(post))
	return told
}
