package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// manyHeld is how many posts that wait for an administrator a page has.
const manyHeld = 50

// A heldJSON is a post that waits for an administrator.
type heldJSON struct {
	ID         timeline.PostID `json:"id"`
	UserID     timeline.UserID `json:"user_id"`
	Text       string          `json:"text"`
	Timelines  []string        `json:"timelines"`
	FilesCount int             `json:"files_count,omitempty"`
	At         string          `json:"held_at"`
	Hidden     bool            `json:"is_hidden,omitempty"`
	Changed    bool            `json:"is_changed,omitempty"`
}

// listHeld serves the posts that wait for an administrator of the site.
func (s *Server) listHeld(w http.ResponseWriter, q *request) error {
	held, users, err := s.store.HeldPosts(q.Context(), q.who.User, manyHeld)
	if err != nil {
		return err
	}
	list := make([]heldJSON, 0, len(held))
	for _, h := range held {
		list = append(list, heldJSON{h.ID, h.Author, h.Text, h.To, h.Files, mokum.Stamp(h.At), h.Hidden, h.Changed})
	}
	shapes, _ := mokum.Cards{Users: users}.Shapes(&timeline.Sets{User: q.who.User})
	s.json(w, q, http.StatusOK, map[string]any{"posts": list, "users": shapes})
	return nil
}

// releasePost publishes a post that waits.
func (s *Server) releasePost(w http.ResponseWriter, q *request) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	if err := s.store.ReleasePost(q.Context(), q.who.User, id); err != nil {
		return err
	}
	return s.done(w, q, page.ReportsPath, map[string]any{"result": "released"})
}

// refusePost deletes a post that waits; the body may have a reason for its author.
func (s *Server) refusePost(w http.ResponseWriter, q *request) error {
	id, err := q.post()
	if err != nil {
		return err
	}
	reason, err := q.body.text("reason")
	if err != nil {
		return err
	}
	if err := s.store.RefusePost(q.Context(), q.who.User, id, reason); err != nil {
		return err
	}
	return s.done(w, q, page.ReportsPath, map[string]any{"result": "refused"})
}
