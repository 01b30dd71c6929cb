package web

import (
	"errors"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// emailsPerHour is how many changes of the e-mail address, and mails with a link for it, one account may ask for in an hour. On a
// site without mail the answer to a change tells whether another account has the address.
const emailsPerHour = 10

// setEmail changes the actor's e-mail address, for which the actor gives their password. On a site with mail the actor must
// confirm the new address first.
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

// mailConfirmation mails the actor another link that confirms their address.
func (s *Server) mailConfirmation(w http.ResponseWriter, q *request) error {
	if s.emails.OnLimit(w, q.Request, q.quotaKey()) {
		return timeline.ErrThrottled
	}
	if err := s.store.MailConfirmation(q.Context(), q.who.User); err != nil {
		return err
	}
	return s.saved(w, q, page.EmailForm, map[string]any{"result": "sent"})
}

// keepEmail forgets the new address that the actor has not confirmed yet.
func (s *Server) keepEmail(w http.ResponseWriter, q *request) error {
	if err := s.store.KeepEmail(q.Context(), q.who.User); err != nil {
		return err
	}
	return s.saved(w, q, page.EmailForm, map[string]any{"result": "kept"})
}

// showConfirm asks whether to confirm an address. A GET confirms nothing, because mail programs open links before people do.
func (s *Server) showConfirm(w http.ResponseWriter, q *request) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	m := page.ConfirmModel{Shell: s.shell(q, q.words.AccountConfirmTitle()), Path: pagePath(q.Request)}
	return s.page(w, q, http.StatusOK, page.Confirm(m))
}

// confirmEmail confirms the address of a link.
func (s *Server) confirmEmail(w http.ResponseWriter, q *request) error {
	err := s.store.ConfirmEmail(q.Context(), q.param("secret"))
	if errors.Is(err, timeline.ErrUnauthorized) {
		return errLink
	}
	if err != nil {
		return err
	}
	return s.done(w, q, page.ConfirmedPath, map[string]any{"result": "confirmed"})
}

// showConfirmed says that an address is confirmed.
func (s *Server) showConfirmed(w http.ResponseWriter, q *request) error {
	m := page.ConfirmModel{Shell: s.shell(q, q.words.AccountConfirmedTitle()), Done: true}
	return s.page(w, q, http.StatusOK, page.Confirm(m))
}
