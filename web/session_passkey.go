package web

import (
	"encoding/json"
	"errors"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// askPasskey answers with the options with which a browser signs in with a passkey.
func (s *Server) askPasskey(w http.ResponseWriter, q *request) error {
	options, err := s.store.BeginPasskeySignIn(q.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store") // each challenge serves once
	s.json(w, q, http.StatusOK, map[string]json.RawMessage{"options": options})
	return nil
}

// signInByPasskey starts a session of the person whose passkey the browser has asked.
func (s *Server) signInByPasskey(w http.ResponseWriter, q *request) error {
	m := page.SignInModel{Shell: s.shell(q, q.words.AccountSignIn())}
	m.ReturnTo, _ = q.body.text("return_to")
	return s.answerSignIn(w, q, m, s.usePasskey(w, q, &m))
}

func (s *Server) usePasskey(w http.ResponseWriter, q *request, m *page.SignInModel) (err error) {
	if m.Remember, err = q.body.set("remember_me"); err != nil {
		return err
	}
	answer, err := q.body.text("passkey")
	if err != nil {
		return err
	}
	secret, err := s.store.SignInByPasskey(q.Context(), []byte(answer), s.client(q), m.Remember, q.UserAgent())
	if errors.Is(err, timeline.ErrPasskeyCloned) {
		s.log.WarnContext(q.Context(), "a passkey was refused, because there may be a copy of it", "err", err)
	}
	if err != nil {
		return err
	}
	return s.useSession(w, q, secret)
}
