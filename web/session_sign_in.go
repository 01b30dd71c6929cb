package web

import (
	"crypto/rand"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showSignIn shows the form for signing in. Backup scripts written for Mokum read a token from the
// page and send the token back, without cookies. The page has a token only for these scripts, and the
// server does not check it: [Server.admit] refuses to sign in from pages of other sites.
func (s *Server) showSignIn(w http.ResponseWriter, q *request) error {
	m := page.SignInModel{Shell: s.shell(q, q.words.AccountSignIn()), ReturnTo: q.URL.Query().Get("return_to")}
	m.CSRF, m.Mails, m.Passkeys = rand.Text(), s.store.Mails(), s.store.TakesPasskeys()
	return s.page(w, q, http.StatusOK, page.SignIn(m))
}

// signIn starts a session for the account that has the login and the password.
func (s *Server) signIn(w http.ResponseWriter, q *request) error {
	m := page.SignInModel{Shell: s.shell(q, q.words.AccountSignIn())}
	err := s.signInAs(w, q, &m)
	if err == nil && !q.html && !strings.Contains(q.Header.Get("Accept"), "json") {
		s.redirectLikeMokum(w, q)
		return nil
	}
	return s.answerSignIn(w, q, m, err)
}

// answerSignIn responds to a sign-in that ended with err. If err is not nil, the page for signing in is shown again as m has it.
func (s *Server) answerSignIn(w http.ResponseWriter, q *request, m page.SignInModel, err error) error {
	if err == nil {
		return s.done(w, q, "/", map[string]any{"result": "signed_in"})
	}
	if leaving, is := errors.AsType[*timeline.LeavingError](err); is {
		if q.html {
			return s.showLeaving(w, q, leaving)
		}
		return err
	}
	// The password or the passkey was right, but the person can't sign in.
	told := errors.Is(err, timeline.ErrSuspended) || errors.Is(err, timeline.ErrWaiting) || errors.As(err, new(*timeline.RefusedError))
	if errors.Is(err, timeline.ErrUnauthorized) && !told {
		err = errSignIn
	}
	if f, may := fixableByUser(err); q.html && (may || told || errors.Is(err, errSignIn)) {
		m.Mails, m.Passkeys, m.Problems = s.store.Mails(), s.store.TakesPasskeys(), q.problems(f)
		return s.page(w, q, f.Status, page.SignIn(m))
	}
	return err
}

// redirectLikeMokum answers a program that signs in and names no type of answer. Backup scripts
// compare the body with Mokum's, byte by byte, including the address by which they know the
// site.
func (s *Server) redirectLikeMokum(w http.ResponseWriter, q *request) {
	scheme, _, _ := strings.Cut(s.public, "://")
	header := w.Header()
	header.Set("Location", "/")
	header.Set("Content-Type", htmlType)
	header.Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusFound)
	body := `<html><body>You are being <a href="` + html.EscapeString(scheme+"://"+q.Host) + `/">redirected</a>.</body></html>`
	_, _ = io.WriteString(w, body) // a client that disconnects is not a server error
}

func (s *Server) signInAs(w http.ResponseWriter, q *request, m *page.SignInModel) error {
	user, err := q.body.in("user")
	if err != nil {
		return err
	}
	var remember bool
	var password string
	m.ReturnTo, _ = q.body.text("return_to")
	for _, name := range []string{"email", "name", "login"} {
		if m.Email == "" {
			if m.Email, err = user.text(name); err != nil {
				return err
			}
		}
	}
	if password, err = user.text("password"); err != nil {
		return err
	}
	if remember, err = user.set("remember_me"); err != nil {
		return err
	}
	m.Remember = remember
	secret, err := s.store.SignIn(q.Context(), m.Email, password, s.client(q), remember, q.UserAgent())
	if err != nil {
		return err
	}
	return s.useSession(w, q, secret)
}

// startSession starts a session for the visitor, and ends the visitor's previous one.
func (s *Server) startSession(w http.ResponseWriter, q *request, user timeline.UserID, remember bool) error {
	secret, err := s.store.NewSession(q.Context(), user, remember, q.UserAgent())
	if err != nil {
		return fmt.Errorf("start session: %w", err)
	}
	return s.useSession(w, q, secret)
}

// useSession sets the cookie of a new session, and ends the visitor's previous one.
func (s *Server) useSession(w http.ResponseWriter, q *request, secret string) error {
	identity, err := s.store.Session(q.Context(), secret)
	if err != nil {
		return fmt.Errorf("start session: %w", err)
	}
	s.slideCookie(w, secret, identity.Expires)
	s.devices.remember(w, q.Request, identity.User)
	if q.who.secret != "" {
		if err := s.endSession(q); err != nil {
			s.log.WarnContext(q.Context(), "could not end the previous session", "user", q.who.User, "err", err)
		}
	}
	return nil
}

// client returns the client's network and known accounts, for the limits of signing in
// and up.
func (s *Server) client(q *request) timeline.Client {
	return timeline.Client{Network: ClientNetwork(q.Context()), Devices: s.devices.accounts(q.Request)}
}
