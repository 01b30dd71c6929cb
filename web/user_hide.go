package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
)

// hidePosts hides all posts of a person for the actor, or shows them again.
func (s *Server) hidePosts(on bool) action { return s.hideParts(on, timeline.HiddenParts{Posts: true}) }

// hideComments hides all comments of a person for the actor, or shows them again.
func (s *Server) hideComments(on bool) action {
	return s.hideParts(on, timeline.HiddenParts{Comments: true})
}

// hideParts hides the posts or the comments of a person for the actor, or both, or shows them again.
func (s *Server) hideParts(on bool, parts timeline.HiddenParts) action {
	change, result := s.store.ShowUser, map[string]any{"result": "shown"}
	if on {
		change, result = s.store.HideUser, map[string]any{"result": "hidden"}
	}
	return func(w http.ResponseWriter, q *request) error {
		whose, err := s.named(q, false)
		if err != nil {
			return err
		}
		if err := change(q.Context(), q.who.User, whose.Name, parts); err != nil {
			return err
		}
		return s.done(w, q, "/"+whose.Name, result)
	}
}
