package web

import (
	"errors"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showLink asks whether to use a one-time link. A GET does not use up the link, because
// mail programs open links before people do.
func (s *Server) showLink(w http.ResponseWriter, q *request) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	return s.page(w, q, http.StatusOK, page.Layout(s.shell(q, q.words.AccountSignIn()), linkForm(q.words, pagePath(q.Request))))
}

// useLink signs in the person the link was made for.
func (s *Server) useLink(w http.ResponseWriter, q *request) error {
	secret, err := s.store.UseLink(q.Context(), q.param("secret"), true, q.UserAgent())
	if errors.Is(err, timeline.ErrUnauthorized) {
		return errLink
	}
	if err != nil {
		return err
	}
	if err := s.useSession(w, q, secret); err != nil {
		return err
	}
	return s.done(w, q, page.AccountPath, map[string]any{"result": "signed_in"})
}
