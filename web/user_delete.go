package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// deleteUser deletes the actor's account. After the answer no page shows anything of the
// account. The person can come back until a job erases it.
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
	s.finishSuspensions(q)
	eraseAt, err := s.store.Leaving(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	return s.done(w, q, "/", map[string]any{"result": "deleted", "erase_at": mokum.Stamp(eraseAt)})
}
