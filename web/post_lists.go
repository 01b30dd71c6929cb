package web

import (
	"net/http"
	"slices"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// visitPost reads the page of the post that the path names.
func (s *Server) visitPost(q *request) (*visited, error) {
	id, err := q.post()
	if err != nil {
		return nil, err
	}
	s.reach(q.Request)
	key := river.Key{Viewer: q.who.User, What: river.KindPost, TheirID: int64(id)}
	view, err := s.rivers.Visit(q.Context(), key, wholePost.At)
	if err != nil {
		return nil, err
	}
	if len(view.Entries) == 0 {
		return nil, timeline.ErrNotFound
	}
	v := &visited{place: place{key: key, path: "/" + q.askedName() + "/" + idText(id)}, asked: wholePost, view: view}
	if _, elsewhere := v.movedTo(); elsewhere {
		if err := s.renamed(q, v); err != nil {
			return nil, err
		}
	}
	v.path = postPath(&view.Entries[0], cards{view.Users, view.Groups})
	return v, nil
}

// listComments answers with all comments of a post.
func (s *Server) listComments(w http.ResponseWriter, q *request) error {
	v, err := s.visitPost(q)
	if err != nil {
		return err
	}
	if q.html {
		http.Redirect(w, q.Request, v.path, http.StatusFound)
		return nil
	}
	whole := s.pageOf(q.who, v)
	entry := whole.Entries[0]
	s.json(w, q, http.StatusOK, map[string]any{
		"comments": entry.Comments, "comments_count": entry.CommentsCount, "gap_position": entry.GapPosition,
		"river": whole.River, "users": whole.Users, "groups": whole.Groups,
	})
	return nil
}

// listLikes answers with everybody who likes a post, but for those on the other
// side of a ban.
func (s *Server) listLikes(w http.ResponseWriter, q *request) error {
	v, err := s.visitPost(q)
	if err != nil {
		return err
	}
	if q.html {
		http.Redirect(w, q.Request, v.path, http.StatusFound)
		return nil
	}
	e := &v.view.Entries[0]
	likers := slices.DeleteFunc(slices.Clone(e.Facts.Likers), func(id timeline.UserID) bool {
		_, banned := v.view.Sets.Bans[id]
		return banned
	})
	c := cards{v.view.Users, v.view.Groups}
	missing := slices.DeleteFunc(slices.Clone(likers), func(id timeline.UserID) bool { return c.users[id] != nil })
	more, err := s.cards(q.Context(), missing, nil)
	if err != nil {
		return err
	}
	users, groups := c.shapes(v.view.Sets)
	for _, card := range more.users {
		users.add(v.view.Sets, card)
	}
	users.add(v.view.Sets, q.who.card())
	entry := entryOf(v.view.Sets, e, c)
	s.json(w, q, http.StatusOK, map[string]any{
		"likes": notNil(likers), "more_likes": 0, "fav_count": entry.FavCount, "can_fav": entry.CanFav, "can_like": entry.CanLike,
		"user_liked": entry.UserLiked, "user_faved": entry.UserFaved, "users": users, "groups": groups,
	})
	return nil
}
