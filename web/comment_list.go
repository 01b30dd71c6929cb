package web

import (
	"net/http"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
)

// visitPost returns the page of the post in the path.
func (s *Server) visitPost(q *request) (*riverPage, error) {
	id, err := q.post()
	if err != nil {
		return nil, err
	}
	s.waitForOwnWrites(q.Request)
	key := river.Key{Viewer: q.who.User, What: river.KindPost, TheirID: int64(id)}
	view, err := s.rivers.Visit(q.Context(), key, address.FirstPage.At)
	if err != nil {
		return nil, err
	}
	if len(view.Entries) == 0 {
		return nil, timeline.ErrNotFound
	}
	v := &riverPage{address: address.Address{Key: key, Path: "/" + q.askedName() + "/" + mokum.IDText(id)}, part: address.FirstPage, view: view}
	if _, elsewhere := v.movedTo(); elsewhere {
		if err := s.renamed(q, v); err != nil {
			return nil, err
		}
	}
	v.address.Path = mokum.PostPath(&view.Entries[0], mokum.Cards{Users: view.Users, Groups: view.Groups})
	return v, nil
}

// listComments serves all comments of a post.
func (s *Server) listComments(w http.ResponseWriter, q *request) error {
	v, err := s.visitPost(q)
	if err != nil {
		return err
	}
	if q.html {
		http.Redirect(w, q.Request, v.address.Path, http.StatusFound)
		return nil
	}
	whole := s.pageOf(q, v)
	entry := whole.Entries[0]
	body := map[string]any{
		"comments": entry.Comments, "comments_count": entry.CommentsCount, "gap_position": entry.GapPosition,
		"river": whole.River, "users": whole.Users, "groups": whole.Groups,
	}
	s.jsonWith(w, q, http.StatusOK, body, func(text []byte) string { return pageTag(text, whole.River) })
	return nil
}
