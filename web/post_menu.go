package web

import (
	"net/http"
	"net/url"
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/rights"
)

// showPostMenu shows all actions of the viewer on a post, and why the post is on the page that the
// viewer came from, the Referer. If the page of the Referer does not have the post, showPostMenu
// takes the post's own page in its place.
func (s *Server) showPostMenu(w http.ResponseWriter, q *request) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	s.waitForOwnWrites(q.Request)
	view, from := s.entryOnPage(q, id)
	if view == nil {
		if view, err = s.entryAlone(q, id); err != nil {
			return err
		}
	}
	return s.page(w, q, http.StatusOK, page.EntryMenu(s.shell(q, ""), entryModel(q, view, from)))
}

// showCommentDelete asks a viewer who may delete a comment whether to delete it. The answer
// leads back to the page from which the viewer came, the Referer.
func (s *Server) showCommentDelete(w http.ResponseWriter, q *request) error {
	post, id, err := q.comment()
	if err != nil {
		return err
	}
	s.waitForOwnWrites(q.Request)
	_, from := s.entryOnPage(q, post)
	view, err := s.entryAlone(q, post)
	if err != nil {
		return err
	}
	entry := &view.Entries[0]
	comments := entry.Fold.Comments.Comments
	i := slices.IndexFunc(comments, func(c timeline.Comment) bool { return c.ID == id })
	if i < 0 {
		return timeline.ErrNotFound
	}
	if !rights.CanDeleteComment(view.Sets, entry, &comments[i]) {
		return timeline.ErrForbidden
	}
	return s.page(w, q, http.StatusOK, page.DeleteComment(s.shell(q, ""), entryModel(q, view, from), &comments[i]))
}

// entryAlone returns the view of a post on the post's own page, after the viewer's own writes.
func (s *Server) entryAlone(q *request, post timeline.PostID) (*river.View, error) {
	own := river.Key{Viewer: q.who.User, What: river.KindPost, TheirID: int64(post)}
	view, err := s.rivers.EntryAfterWrite(q.Context(), own, post)
	if err == nil && len(view.Entries) == 0 {
		err = timeline.ErrNotFound
	}
	return view, err
}

// entryModel returns the model of the only entry of a view, whose forms lead back to the page from; empty: to
// the post's own page.
func entryModel(q *request, view *river.View, from string) page.EntryModel {
	m := page.EntryModel{Words: q.words, Entry: &view.Entries[0], Sets: view.Sets, Cards: page.Cards{Users: view.Users, Groups: view.Groups}, ReturnTo: from}
	if from == "" {
		m.ReturnTo = mokum.PostPath(m.Entry, mokum.Cards{Users: view.Users, Groups: view.Groups})
	}
	return m
}

// entryOnPage returns the view of a post on the page that the request came from, and the
// address of that page; nil if the page is not of a river, or does not have the post.
func (s *Server) entryOnPage(q *request, post timeline.PostID) (*river.View, string) {
	from, err := url.Parse(q.Referer())
	if err != nil || from.Host != q.Host {
		return nil, ""
	}
	back, is := ownPath(from.RequestURI())
	if !is {
		return nil, ""
	}
	where, _, err := s.addresses.Find(q.Context(), q.who.User, from.Path, from.Query())
	if err != nil {
		return nil, ""
	}
	view, err := s.rivers.EntryAfterWrite(q.Context(), where.Key, post)
	if err != nil || len(view.Entries) == 0 {
		return nil, ""
	}
	return view, back
}
