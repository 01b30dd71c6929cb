package web

import (
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// emailsPerHour is how many changes of the e-mail address one account may try in an hour. The
// answer to each tells whether another account has the address.
const emailsPerHour = 10

// setEmail changes the actor's e-mail address, for which the actor gives their password.
func (s *Server) setEmail(w http.ResponseWriter, q *request) error {
	email, err := q.body.text("email")
	if err == nil {
		err = s.newEmail(w, q, email)
	}
	if err != nil {
		return s.refuseSettings(w, q, page.EmailForm, err, func(m *page.SettingsModel) { m.Email = email })
	}
	return s.saved(w, q, page.EmailForm, map[string]any{"result": "changed"})
}

func (s *Server) newEmail(w http.ResponseWriter, q *request, email string) error {
	password, err := q.body.text("password")
	if err != nil {
		return err
	}
	if s.emails.OnLimit(w, q.Request, q.quotaKey()) {
		return timeline.ErrThrottled
	}
	if err := s.checkOldPassword(q, password); err != nil {
		return inField("password", err)
	}
	return s.store.SetEmail(q.Context(), q.who.User, email)
}
