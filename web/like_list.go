package web

import (
	"cmp"
	"net/http"
	"slices"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// listLikes serves all people who like a post, except people across a ban.
func (s *Server) listLikes(w http.ResponseWriter, q *request) error {
	v, err := s.visitPost(q)
	if err != nil {
		return err
	}
	e := &v.view.Entries[0]
	likers := slices.DeleteFunc(slices.Clone(e.Facts.Likers), func(id timeline.UserID) bool {
		_, banned := v.view.Sets.Bans[id]
		return banned
	})
	c := s.cardsOf(v.view)
	missing := slices.DeleteFunc(slices.Clone(likers), func(id timeline.UserID) bool { return c.Users[id] != nil })
	more, err := s.cards(q.Context(), missing, nil)
	if err != nil {
		return err
	}
	if q.html {
		return s.showLikers(w, q, v, likers, more)
	}
	users, groups := c.Shapes(v.view.Sets)
	for _, card := range more.Users {
		users.Add(v.view.Sets, card)
	}
	users.Add(v.view.Sets, q.who.card())
	users.MarkSubscribers(s.subscribersOf(q, users.IDs()))
	entry := mokum.EntryOf(v.view.Sets, e, c)
	s.json(w, q, http.StatusOK, map[string]any{
		"likes": mokum.NotNil(likers), "more_likes": 0, "fav_count": entry.FavCount, "can_fav": entry.CanFav, "can_like": entry.CanLike,
		"user_liked": entry.UserLiked, "user_faved": entry.UserFaved, "users": users, "groups": groups,
	})
	return nil
}

// showLikers shows a page of the people who like a post. more has the cards that the view of the
// post lacks.
func (s *Server) showLikers(w http.ResponseWriter, q *request, v *riverPage, likers []timeline.UserID, more mokum.Cards) error {
	m := page.PeopleModel{
		Shell: s.shell(q, q.words.RequestLikers()), Heading: q.words.RequestLikers(), Empty: q.words.RequestLikersNone(), Back: v.address.Path,
	}
	for _, id := range likers {
		if card := cmp.Or(v.view.Users[id], more.Users[id]); card != nil {
			m.Users = append(m.Users, card)
		}
	}
	return s.page(w, q, http.StatusOK, page.People(m))
}
