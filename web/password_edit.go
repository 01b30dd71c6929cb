package web

import (
	"errors"
	"net/http"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// setPassword changes the actor's password, ends all sessions of the actor, and starts a new one
// for this browser.
func (s *Server) setPassword(w http.ResponseWriter, q *request) error {
	if err := s.newPassword(w, q); err != nil {
		return s.refuseSettings(w, q, page.PasswordForm, err, nil)
	}
	return s.saved(w, q, page.PasswordForm, map[string]any{"result": "changed"})
}

func (s *Server) newPassword(w http.ResponseWriter, q *request) error {
	in, err := q.body.in("password")
	if err != nil {
		return err
	}
	present, err := in.text("old")
	if err != nil {
		return err
	}
	next, err := in.text("new")
	if err != nil {
		return err
	}
	if !q.who.Forgot(s.now()) {
		if err := s.checkOldPassword(q, present); err != nil {
			return err
		}
	}
	if err := s.store.SetPassword(q.Context(), q.who.User, next); err != nil {
		return inField("new", err)
	}
	s.people.forgetUser(q.who.User)
	q.who.secret = "" // it ended with the others
	return s.startSession(w, q, q.who.User, true)
}

// checkOldPassword returns an [timeline.InvalidError] of the field old if the actor does not know their password. An actor may have
// none, and signs in by links or passkeys; then the actor must have signed in a short time ago.
func (s *Server) checkOldPassword(q *request, present string) error {
	has, err := s.store.HasPassword(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	if !has {
		return s.checkRecent(q, "old")
	}
	err = s.store.CheckPassword(q.Context(), q.who.User, present)
	if _, wrong := errors.AsType[*timeline.InvalidError](err); wrong {
		return &timeline.InvalidError{Field: "old", Reason: "is not your password", Code: "old_password"}
	}
	return err
}

// checkRecent returns an [timeline.InvalidError] of a field unless the actor signed in a short time ago.
func (s *Server) checkRecent(q *request, field string) error {
	if q.who.SignedInRecently(s.now()) {
		return nil
	}
	return &timeline.InvalidError{Field: field, Reason: "is not set, and you signed in more than an hour ago: sign in again", Code: "sign_in_again"}
}

// inField returns an error of invalid input as one of another field.
func inField(field string, err error) error {
	wrong, is := errors.AsType[*timeline.InvalidError](err)
	if !is {
		return err
	}
	moved := *wrong
	moved.Field = field
	return &moved
}
