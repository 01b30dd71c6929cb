package web

import (
	"net/http"

	"amstel.dev/amstel/web/mokum"
)

// listAdmins serves the administrators of a group.
func (s *Server) listAdmins(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, true)
	if err != nil {
		return err
	}
	admins, err := s.store.Admins(q.Context(), q.who.User, whose.Name)
	if err != nil {
		return err
	}
	sets, c, err := s.setsAndCards(q.Context(), q.who.User, whose)
	if err != nil {
		return err
	}
	more, err := s.cards(q.Context(), admins, nil)
	if err != nil {
		return err
	}
	users, groups := c.Shapes(sets)
	for _, card := range more.Users {
		users.Add(sets, card)
	}
	s.json(w, q, http.StatusOK, map[string]any{"admins": mokum.NotNil(admins), "users": users, "groups": groups})
	return nil
}

// addAdmin adds a member of a group to its administrators.
func (s *Server) addAdmin(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, true)
	if err != nil {
		return err
	}
	if err := s.store.AddAdmin(q.Context(), q.who.User, whose.Name, q.param("who")); err != nil {
		return err
	}
	s.groupAdmins.drop(whose.Group, q.who.User)
	return s.done(w, q, "/"+whose.Name+"/subscribers", map[string]any{"result": "administrator"})
}

// removeAdmin ends the administration of a group by the actor or another administrator.
func (s *Server) removeAdmin(w http.ResponseWriter, q *request) error {
	whose, err := s.named(q, true)
	if err != nil {
		return err
	}
	if err := s.store.RemoveAdmin(q.Context(), q.who.User, whose.Name, q.param("who")); err != nil {
		return err
	}
	s.groupAdmins.drop(whose.Group, q.who.User)
	return s.done(w, q, "/"+whose.Name+"/subscribers", map[string]any{"result": "member"})
}
