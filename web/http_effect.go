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

// An effect tells in the answer to a write how the write changed the screen: the entry as it now
// is in the river on the actor's screen (docs/wire.md#shapes), under each name that the request
// has for the river.
type effect struct {
	Entries map[string]effectEntry `json:"entries"`
	Epoch   string                 `json:"epoch,omitempty"`
	Counter int64                  `json:"counter,omitempty"`
	// Position is a log position at which the log contains the write. A page that connects to
	// another node sends the position, so that the node shows nothing older.
	Position int64 `json:"position,omitempty"`
	// HTML is the entry's HTML by the post's id, and Gone the posts that are not in the
	// river. Only our own pages get these two, instead of Entries.
	HTML map[string]string `json:"html,omitempty"`
	Gone []timeline.PostID `json:"gone,omitempty"`
}

type effectEntry struct {
	Post   mokum.Entry  `json:"post"`
	Users  mokum.Users  `json:"users"`
	Groups mokum.Groups `json:"groups"`
}

// onScreen returns the river that the request names as the river on the screen, and the request's
// names for the river. It reports false if the request names no river, or a river of another
// viewer.
func (s *Server) onScreen(q *request) (key river.Key, named []string, is bool) {
	signature := q.Header.Get("X-River-Signature")
	uuid, _, _ := strings.Cut(signature, "/")
	if uuid == "" {
		return river.Key{}, nil, false
	}
	key, known := s.rivers.Named(uuid, q.who.User, q.who.Hash)
	if !known {
		return river.Key{}, nil, false
	}
	named = []string{uuid}
	if signature != uuid {
		named = append(named, signature)
	}
	return key, named, true
}

// effectOn waits for the write of a request, and returns the effect of the write on a post in the
// river on the screen. It also returns the river's view of the post, or nil without a river. The
// write is done already, so no failure here is an error for the client.
func (s *Server) effectOn(w http.ResponseWriter, q *request, post timeline.PostID) (effect, *river.View) {
	told := effect{Entries: map[string]effectEntry{}}
	var view *river.View
	told.Position = s.await(w, q, func() (current bool) {
		key, named, is := s.onScreen(q)
		if !is {
			return false
		}
		read, err := s.rivers.EntryAfterWrite(q.Context(), key, post)
		if err != nil {
			s.logMissedEffect(q, err)
			return false
		}
		view = read
		told.fill(q, view, s.cardsOf(view), named, post)
		return view.Live
	})
	return told, view
}

// effectAndView is effectOn for answers that need a view of the post: if the river on the
// screen does not have the post, effectAndView returns the view of the post's own page;
// nil if that can't be read either.
func (s *Server) effectAndView(w http.ResponseWriter, q *request, post timeline.PostID) (effect, *river.View) {
	told, view := s.effectOn(w, q, post)
	if view == nil || len(view.Entries) == 0 {
		view = s.singlePostView(q, post)
	}
	return told, view
}

// A resultOf is the answer to a write that creates nothing.
type resultOf struct {
	Result string `json:"result"`
	effect
}

// doneTo responds to a write to a post that created nothing.
func (s *Server) doneTo(w http.ResponseWriter, q *request, post timeline.PostID, to, result string) error {
	told, _ := s.effectOn(w, q, post)
	return s.done(w, q, to, resultOf{result, told})
}

// singlePostView returns a view of a post's own page, without making a river of that page. It
// returns nil if the post can't be read, or if the answer is a redirect, which needs no view.
func (s *Server) singlePostView(q *request, post timeline.PostID) *river.View {
	if q.html {
		return nil // the answer is a redirect
	}
	if q.shown {
		if view := s.rivers.EntryFromMemory(q.who.User, post, false); view != nil {
			return view
		}
	}
	view, err := s.rivers.EntryAfterWrite(q.Context(), river.Key{Viewer: q.who.User, What: river.KindPost, TheirID: int64(post)}, post)
	if err != nil {
		s.logMissedEffect(q, err)
		return nil
	}
	if len(view.Entries) == 0 {
		return nil
	}
	return view
}

// logMissedEffect logs why the answer to a write lacks the effect of the write. Refused
// access and a node that is behind are expected, and logged for debugging only.
func (s *Server) logMissedEffect(q *request, err error) {
	level := slog.LevelDebug
	if explain(err).Status == http.StatusInternalServerError && q.Context().Err() == nil {
		level = slog.LevelError
	}
	s.log.Log(q.Context(), level, "could not tell what a write changed", "method", q.Method, "route", routeOf(q.Request), "user", q.who.User, "err", err)
}

// fill adds the parts of the post in a view of the river on the screen. named are the names of
// that river.
func (told *effect) fill(q *request, view *river.View, c mokum.Cards, named []string, post timeline.PostID) {
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

// entryHTML returns an entry as pages have it.
func entryHTML(words catalogue.Language, viewer *timeline.Sets, e *river.Entry, c mokum.Cards) string {
	m := page.EntryModel{Words: words, Entry: e, Sets: viewer, Cards: page.Cards{Users: c.Users, Groups: c.Groups}}
	return page.EntryHTML(m, c.Host)
}

// await waits, before an answer begins, until this node shows the writes of the request. If a
// write took a right away, await waits, however long, until no page shows posts that the right
// allowed to read; otherwise until the node falls behind, at most. It returns the position that the
// visitor's next page must contain; 0 if nothing was written.
//
// If read is given, await calls read after it has waited for revoked rights. Read reads a river for
// the answer, and reports whether the node had followed the write already, so that no further wait
// is needed.
//
// handle calls await before each answer to a write, so that no action needs to know the changes of
// its write.
func (s *Server) await(w http.ResponseWriter, q *request, read func() (current bool)) (position int64) {
	wrote := q.wrote.Take()
	if wrote.Revoked {
		s.rivers.WaitRevoked()
	}
	switch {
	case read != nil && read():
		q.shown = true
	case wrote.Revoked:
		q.shown = true
	case wrote.Changed || read != nil:
		err := s.rivers.WaitApplied(q.Context())
		if q.shown = err == nil; !q.shown {
			s.logMissedEffect(q, err)
		}
	default:
		return 0
	}
	return s.rememberPosition(w, q)
}

// rememberPosition makes the visitor's next page, on any node, contain everything that this node
// shows now, and returns this node's position. A node that is behind does not know the position
// of the newest write, so rememberPosition then asks the primary.
func (s *Server) rememberPosition(w http.ResponseWriter, q *request) int64 {
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

// doneOn responds to a write that ended a reason: a form in an entry names the post, and the
// answer tells what became of the post in the river on the screen.
func (s *Server) doneOn(w http.ResponseWriter, q *request, to, result string) error {
	return s.done(w, q, to, resultOf{result, s.effectOnNamed(w, q)})
}

// effectOnNamed is effectOn for the post that the body names; an empty effect if the body
// names none.
func (s *Server) effectOnNamed(w http.ResponseWriter, q *request) effect {
	post, err := strconv.ParseInt(fmt.Sprint(q.body["post"]), 10, 64)
	if _, _, is := s.onScreen(q); err != nil || post <= 0 || q.html || !is {
		return effect{Entries: map[string]effectEntry{}}
	}
	told, _ := s.effectOn(w, q, timeline.PostID(post))
	return told
}
