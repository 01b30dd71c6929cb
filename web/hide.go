package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
)

// hidePost folds a post away for the actor.
func (s *Server) hidePost(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "hidden", s.store.HidePost)
}

// showPostAgain unfolds it.
func (s *Server) showPostAgain(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "shown", s.store.ShowPost)
}

// hidePosts folds all posts of a person away for the actor, or unfolds them.
func (s *Server) hidePosts(on bool) action {
	return s.hidePart(on, func(parts *timeline.HiddenParts) { parts.Posts = on })
}

// hideComments does so with a person's comments.
func (s *Server) hideComments(on bool) action {
	return s.hidePart(on, func(parts *timeline.HiddenParts) { parts.Comments = on })
}

// hidePart changes one part of what the actor hides of a person.
func (s *Server) hidePart(on bool, change func(*timeline.HiddenParts)) action {
	result := map[string]any{"result": "shown"}
	if on {
		result = map[string]any{"result": "hidden"}
	}
	return func(w http.ResponseWriter, q *request) error {
		whose, err := s.named(q, false)
		if err != nil {
			return err
		}
		hidden, err := s.store.Hidden(q.Context(), q.who.User)
		if err != nil {
			return err
		}
		parts := hidden[whose.User]
		change(&parts)
		if err := s.store.HideUser(q.Context(), q.who.User, whose.Name, parts); err != nil {
			return err
		}
		s.caughtUp(w, q)
		return s.done(w, q, "/"+whose.Name, result)
	}
}
