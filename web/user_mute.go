package web

import (
	"context"
	"net/http"

	"amstel.dev/amstel/timeline"
)

// mute keeps a person's likes, comments, or both from bringing posts into the actor's
// home and lists.
func (s *Server) mute(w http.ResponseWriter, q *request) error {
	return s.muteParts(w, q, "muted", s.store.Mute)
}

// unmute undoes mute.
func (s *Server) unmute(w http.ResponseWriter, q *request) error {
	return s.muteParts(w, q, "unmuted", s.store.Unmute)
}

func (s *Server) muteParts(w http.ResponseWriter, q *request, result string, do func(context.Context, timeline.UserID, string, timeline.MutedParts) error) error {
	whose, err := s.named(q, false)
	if err != nil {
		return err
	}
	parts, err := mutedParts(q.body)
	if err != nil {
		return err
	}
	if err := do(q.Context(), q.who.User, whose.Name, parts); err != nil {
		return err
	}
	return s.doneOn(w, q, "/"+whose.Name, result)
}

// mutedParts returns the parts in the body, or both if it names neither.
func mutedParts(body input) (parts timeline.MutedParts, err error) {
	if !body.has("likes") && !body.has("comments") {
		return timeline.MutedParts{Likes: true, Comments: true}, nil
	}
	if parts.Likes, err = body.set("likes"); err != nil {
		return parts, err
	}
	if parts.Comments, err = body.set("comments"); err != nil {
		return parts, err
	}
	if parts == (timeline.MutedParts{}) {
		return parts, &timeline.InvalidError{Field: "likes", Reason: "and comments are both off: say which of them is meant"}
	}
	return parts, nil
}
