package web

import (
	"net/http"
	"slices"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
)

// listLikes answers with all people that like a post, without those on the other side of
// a ban.
func (s *Server) listLikes(w http.ResponseWriter, q *request) error {
	v, err := s.visitPost(q)
	if err != nil {
		return err
	}
	if q.html {
		http.Redirect(w, q.Request, v.address.Path, http.StatusFound)
		return nil
	}
	e := &v.view.Entries[0]
	likers := slices.DeleteFunc(slices.Clone(e.Facts.Likers), func(id timeline.UserID) bool {
		_, banned := v.view.Sets.Bans[id]
		return banned
	})
	c := mokum.Cards{Users: v.view.Users, Groups: v.view.Groups}
	missing := slices.DeleteFunc(slices.Clone(likers), func(id timeline.UserID) bool { return c.Users[id] != nil })
	more, err := s.cards(q.Context(), missing, nil)
	if err != nil {
		return err
	}
	users, groups := c.Shapes(v.view.Sets)
	for _, card := range more.Users {
		users.Add(v.view.Sets, card)
	}
	users.Add(v.view.Sets, q.who.card())
	entry := mokum.EntryOf(v.view.Sets, e, c)
	s.json(w, q, http.StatusOK, map[string]any{
		"likes": mokum.NotNil(likers), "more_likes": 0, "fav_count": entry.FavCount, "can_fav": entry.CanFav, "can_like": entry.CanLike,
		"user_liked": entry.UserLiked, "user_faved": entry.UserFaved, "users": users, "groups": groups,
	})
	return nil
}
