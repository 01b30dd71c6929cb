package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// An invitationJSON is an invitation of the visitor to a feed.
type invitationJSON struct {
	UUID      string          `json:"uuid"`
	FromID    timeline.UserID `json:"from_id"`
	What      timeline.What   `json:"what"`
	TheirID   int64           `json:"their_id"`
	CreatedAt string          `json:"created_at"`
}

// listInvitations serves the visitor's open invitations.
func (s *Server) listInvitations(w http.ResponseWriter, q *request) error {
	invitations, err := s.store.Invitations(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	var people []timeline.UserID
	var groups []timeline.GroupID
	for _, one := range invitations {
		people = append(people, one.From)
		if group := groupOfTimeline(one.Target); group != 0 {
			groups = append(groups, group)
		} else {
			people = append(people, timeline.UserID(one.Target.TheirID))
		}
	}
	c, err := s.cards(q.Context(), people, groups)
	if err != nil {
		return err
	}
	list := make([]invitationJSON, 0, len(invitations))
	for _, one := range invitations {
		list = append(list, invitationJSON{one.UUID, one.From, one.Target.What, one.Target.TheirID, mokum.Stamp(one.CreatedAt)})
	}
	shown := map[string]any{"invitations": list}
	shown["users"], shown["groups"] = c.Shapes(nil)
	s.json(w, q, http.StatusOK, shown)
	return nil
}

// acceptInvitation subscribes the actor to the feed of an invitation.
func (s *Server) acceptInvitation(w http.ResponseWriter, q *request) error {
	if err := s.store.AcceptInvitation(q.Context(), q.who.User, q.param("uuid")); err != nil {
		return err
	}
	s.recount(q)
	return s.done(w, q, page.RequestsPath, map[string]any{"result": timeline.Subscribed})
}

// endInvitation declines an invitation, or withdraws one of the actor's.
func (s *Server) endInvitation(w http.ResponseWriter, q *request) error {
	if err := s.store.EndInvitation(q.Context(), q.who.User, q.param("uuid")); err != nil {
		return err
	}
	return s.done(w, q, page.RequestsPath, map[string]any{"result": "ended"})
}
