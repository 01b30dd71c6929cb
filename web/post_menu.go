package web

import (
	"net/http"
	"net/url"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
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
	own := river.Key{Viewer: q.who.User, What: river.KindPost, TheirID: int64(id)}
	view, from := s.entryOnPage(q, id)
	if view == nil {
		if view, err = s.rivers.EntryAfterWrite(q.Context(), own, id); err != nil {
			return err
		}
		if len(view.Entries) == 0 {
			return timeline.ErrNotFound
		}
	}
	m := page.EntryModel{Words: q.words, Entry: &view.Entries[0], Sets: view.Sets, Cards: page.Cards{Users: view.Users, Groups: view.Groups}, ReturnTo: from}
	shell := s.shell(q, "")
	if m.ReturnTo == "" {
		m.ReturnTo = mokum.PostPath(m.Entry, mokum.Cards{Users: view.Users, Groups: view.Groups})
	}
	return s.page(w, q, http.StatusOK, page.EntryMenu(shell, m))
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
