package web

import (
	"net/http"
	"strconv"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// deleteUser deletes the actor's account. No page shows anything of it once this answers;
// a job erases the rest later.
func (s *Server) deleteUser(w http.ResponseWriter, q *request) error {
	if id, err := strconv.ParseInt(q.param("name"), 10, 64); err != nil || timeline.UserID(id) != q.who.User {
		return timeline.ErrForbidden
	}
	password, err := q.body.text("password")
	if err != nil {
		return err
	}
	if err := s.store.DeleteAccount(q.Context(), q.who.User, password); err != nil {
		if f, may := fixableByUser(err); q.html && may {
			return s.settingsAgain(w, q, f, func(m *page.SettingsModel) { m.DeleteProblems = q.problems(f) })
		}
		return err
	}
	s.people.forgetUser(q.who.User)
	s.addresses.Names.Forget(address.Account{User: q.who.User})
	s.clearCookie(w)
	return s.done(w, q, "/", map[string]any{"result": "deleted"})
}
