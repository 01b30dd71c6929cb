package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// deleteUser deletes the actor's account. After the answer no page shows anything of the
// account; a job erases the rest later.
func (s *Server) deleteUser(w http.ResponseWriter, q *request) error {
	if !q.isOwn() {
		return timeline.ErrForbidden
	}
	password, err := q.body.text("password")
	if err != nil {
		return err
	}
	if err := s.store.DeleteAccount(q.Context(), q.who.User, password); err != nil {
		return s.refuseSettings(w, q, page.DeleteForm, err, nil)
	}
	s.people.forgetUser(q.who.User)
	s.groupAdmins.dropPerson(q.who.User)
	s.addresses.Names.Forget(address.Account{User: q.who.User})
	s.clearCookie(w)
	return s.done(w, q, "/", map[string]any{"result": "deleted"})
}
