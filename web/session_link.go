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

// useLink signs in the person the link was made for, or lets a person come back who deleted the account.
func (s *Server) useLink(w http.ResponseWriter, q *request) error {
	if back, err := q.body.set("come_back"); err != nil || back {
		if err != nil {
			return err
		}
		return s.comeBack(w, q)
	}
	secret, err := s.store.UseLink(q.Context(), q.param("secret"), true, q.UserAgent())
	if leaving, is := errors.AsType[*timeline.LeavingError](err); is {
		if q.html {
			return s.showLeaving(w, q, leaving)
		}
		return err
	}
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

// comeBack ends the deletion of the account of the person the link was made for, and signs the person in.
func (s *Server) comeBack(w http.ResponseWriter, q *request) error {
	secret, err := s.store.ComeBack(q.Context(), q.param("secret"), q.UserAgent())
	if errors.Is(err, timeline.ErrUnauthorized) {
		return errLink
	}
	if err != nil {
		return err
	}
	s.finishSuspensions(q)
	if err := s.useSession(w, q, secret); err != nil {
		return err
	}
	return s.done(w, q, "/", map[string]any{"result": "restored"})
}

// showLeaving tells a person who deleted the account when it is erased, and offers to come back.
func (s *Server) showLeaving(w http.ResponseWriter, q *request, leaving *timeline.LeavingError) error {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	return s.page(w, q, http.StatusForbidden, page.Leaving(page.LeavingModel{
		Shell: s.shell(q, q.words.AccountLeavingTitle()), Path: page.LinkPath + leaving.Secret, EraseAt: leaving.EraseAt,
	}))
}
