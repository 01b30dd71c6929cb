package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
)

// Forget forgets all that is known of who is signed in; the node calls it when it
// can't tell who is not any more.
func (s *Server) Forget() { s.people.forgetAll() }

// Ended forgets a session or a token that ended, by the hash of its secret;
// the node calls it for each that the change log names.
func (s *Server) Ended(hash []byte) { s.people.forget(hash) }

// secretOf finds the token that a request carries, or else its session's secret.
func (s *Server) secretOf(r *http.Request) (secret string, token bool) {
	if secret = strings.TrimSpace(r.Header.Get("X-API-Token")); secret != "" {
		return secret, true
	}
	if scheme, rest, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(rest), true
	}
	if cookie, err := r.Cookie(s.cookie); err == nil {
		return cookie.Value, false
	}
	return "", false
}

// identify finds who asks. A token that is not known is an error; a session
// that ended is nobody signed in.
func (s *Server) identify(w http.ResponseWriter, r *http.Request) (visitor, error) {
	return s.identifyFor(w, r, identityFresh)
}

func (s *Server) identifyFor(w http.ResponseWriter, r *http.Request, fresh time.Duration) (visitor, error) {
	secret, token := s.secretOf(r)
	switch {
	case secret == "" && token:
		return visitor{}, errToken
	case secret == "":
		return visitor{}, nil
	}
	identity, looked, err := s.people.of(r.Context(), secret, token, fresh)
	switch {
	case errors.Is(err, timeline.ErrUnauthorized) && token:
		return visitor{}, errToken
	case errors.Is(err, timeline.ErrUnauthorized):
		s.clearCookie(w)
		return visitor{}, nil
	case err != nil:
		return visitor{}, fmt.Errorf("who asks: %w", err)
	}
	if looked && !token {
		s.slideCookie(w, secret, identity.Expires)
	}
	who := visitor{Identity: *identity}
	if !token {
		who.secret = secret
	}
	return who, nil
}

// Identify finds who opens a socket, and the hash of what he is known by.
func (s *Server) Identify(r *http.Request) (viewer timeline.UserID, credential []byte, err error) {
	fresh := identityFresh
	if !s.behind() {
		fresh = identityOpen
	}
	who, err := s.identifyFor(discard{}, r, fresh)
	return who.User, who.Hash, err
}

// discard is a ResponseWriter for who wants no header written.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}
