package web

import (
	"context"
	"net/http"
	"strings"

	"amstel.dev/amstel/timeline"
)

// removeFromGroup removes a post from one group.
func (s *Server) removeFromGroup(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "removed", func(ctx context.Context, actor timeline.UserID, post timeline.PostID) error {
		return s.store.RemoveFromGroup(ctx, actor, post, q.param("group"))
	})
}

// leaveDirect removes the actor from the recipients of a direct.
func (s *Server) leaveDirect(w http.ResponseWriter, q *request) error {
	return s.onPost(w, q, "", "left", s.store.LeaveDirect)
}

// addRecipients sends a direct to more people.
func (s *Server) addRecipients(w http.ResponseWriter, q *request) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	typed, err := q.body.texts("to")
	if err != nil {
		return err
	}
	to := typedNames(strings.Join(typed, ","))
	if len(to) == 0 {
		return &timeline.InvalidError{Field: "to", Reason: "is empty", Code: "empty"}
	}
	if err := s.store.AddRecipients(q.Context(), q.who.User, id, to); err != nil {
		return err
	}
	return s.answerEntry(w, q, id)
}
