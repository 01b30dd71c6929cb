package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// effect is what the answer to a write tells of what it changed: the entry as
// it now stands in the river that the actor has on the screen (API §2.6), by
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
	Post   entryJSON  `json:"post"`
	Users  usersJSON  `json:"users"`
	Groups groupsJSON `json:"groups"`
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

// acted brings the node to where a write of the actor's is seen, and tells what
// it did to the post in the river on the screen. The write is done, whatever
// happens here: what can't be told is left out.
func (s *Server) acted(w http.ResponseWriter, q *request, post timeline.PostID) effect {
	told, _ := s.actedOn(w, q, post)
	return told
}

// actedOn is acted, and the post as an entry, in the river on the screen or else
// on its own page; nil where that can't be told.
func (s *Server) actedOn(w http.ResponseWriter, q *request, post timeline.PostID) (effect, *river.View) {
	told := effect{Entries: map[string]effectEntry{}}
	key, named, is := s.onScreen(q)
	var view *river.View
	if is {
		var err error
		if view, err = s.rivers.Acted(q.Context(), key, post); err != nil {
			s.untold(q, err)
		} else {
			told.tell(q, view, named, post)
		}
	}
	if view == nil || !view.Live {
		// Not even that river was waited for.
		s.caughtUp(w, q)
	}
	told.Position = s.seen(w, q)
	if view == nil || len(view.Entries) == 0 {
		view = s.alone(q, post)
	}
	return told, view
}

// alone reads a post as an entry of its own page, without making that page's
// river; nil where it can't be had.
func (s *Server) alone(q *request, post timeline.PostID) *river.View {
	if q.html {
		return nil // nobody looks
	}
	view, err := s.rivers.Acted(q.Context(), river.Key{Viewer: q.who.User, What: river.KindPost, TheirID: int64(post)}, post)
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
	c := cards{view.Users, view.Groups}
	if q.wantsFragments() {
		told.HTML = map[string]string{idText(post): entryHTML(view.Sets, e, c)}
		return
	}
	one := effectEntry{Post: entryOf(view.Sets, e, c)}
	one.Users, one.Groups = c.shapes(view.Sets)
	for _, name := range named {
		told.Entries[name] = one
	}
}

// entryHTML is an entry as it stands in a page.
func entryHTML(viewer *timeline.Sets, e *river.Entry, c cards) string {
	m := page.EntryModel{Entry: e, Sets: viewer, Cards: page.Cards{Users: c.users, Groups: c.groups}}
	return page.EntryHTML(m)
}

// caughtUp waits until what the request wrote is in the pages of this node, or
// for as long as such a wait may take.
func (s *Server) caughtUp(w http.ResponseWriter, q *request) {
	if err := s.rivers.Sync(q.Context()); err != nil {
		s.untold(q, err)
	}
	s.seen(w, q)
}

// tightened waits, however long, until what the request took away is shown to
// nobody any more.
func (s *Server) tightened(w http.ResponseWriter, q *request) error {
	if err := s.rivers.Tighten(q.Context()); err != nil {
		return err
	}
	s.seen(w, q)
	return nil
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
	return s.acted(w, q, timeline.PostID(post))
}
