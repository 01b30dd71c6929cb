package web

import (
	"net/http"
	"net/url"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// handle returns the handler of an action. The handler finds out which account asks,
// refuses requests from other sites and too many writes, reads the body, and answers
// failures. No answer begins before this node shows what the request wrote; see await.
func (s *Server) handle(do action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := &request{Request: r, html: prefersHTML(r), words: s.readsIn(r, nil)}
		err := s.admit(w, q)
		if q.wrote != nil {
			direct := w
			w = &answering{direct, func() { s.await(direct, q, nil) }}
		}
		if err == nil {
			err = do(w, q)
		}
		if err != nil {
			s.fail(w, q, err)
		}
	}
}

// handleSignedIn returns a handler like handle, for actions that need an account. A visitor
// who asks for a page is sent to sign in, and then back.
func (s *Server) handleSignedIn(do action) http.HandlerFunc {
	return s.handle(signedIn(do))
}

// signedIn returns the action for visitors with an account; others are sent to sign in.
func signedIn(do action) action {
	return func(w http.ResponseWriter, q *request) error {
		if q.who.signedIn() {
			return do(w, q)
		}
		if q.html && q.Method != http.MethodPost {
			http.Redirect(w, q.Request, page.SignInPath+"?return_to="+url.QueryEscape(q.ownAddress()), http.StatusSeeOther)
			return nil
		}
		return timeline.ErrUnauthorized
	}
}

// handleAlike returns the handler of an action that is the same for all clients, and changes no
// account: it ignores cookies and tokens, so pages of all sites may request it.
func (s *Server) handleAlike(do action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := &request{Request: r, words: s.readsIn(r, nil)}
		var err error
		if s.writes.OnLimit(w, r, q.quotaKey()) {
			err = timeline.ErrThrottled
		} else if q.body, err = readInput(r); err == nil {
			err = do(w, q)
		}
		if err != nil {
			s.fail(w, q, err)
		}
	}
}

// bySession is handleSignedIn for actions that a token may not do because their effects outlive the
// token: to make tokens, to change the password, to delete the account.
func (s *Server) bySession(do action) http.HandlerFunc {
	return s.handleSignedIn(func(w http.ResponseWriter, q *request) error {
		if q.token {
			return errNotByToken
		}
		return do(w, q)
	})
}

// admit fills in the request's visitor, language and body, or returns why the request is
// refused.
func (s *Server) admit(w http.ResponseWriter, q *request) (err error) {
	_, q.token = s.secretOf(q.Request)
	if q.who, err = s.identify(w, q.Request); err != nil {
		return err
	}
	q.words = s.readsIn(q.Request, &q.who)
	ctx := turnstile.WithClient(q.Context(), q.quotaKey()) // the request's reads queue with those of the same client
	if !q.who.signedIn() {
		ctx = turnstile.WithStranger(ctx)
	}
	q.Request = q.WithContext(ctx)
	switch q.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return nil
	}
	if !q.token {
		if err := s.origin.Check(q.Request); err != nil {
			return errOrigin
		}
	}
	if s.writes.OnLimit(w, q.Request, q.quotaKey()) {
		return timeline.ErrThrottled
	}
	q.unkept = s.endForm(w, q)
	if isUpload(q.Request) || isPictureUpload(q.Request) {
		q.body = input{}
	} else if q.body, err = readInput(q.Request); err != nil {
		return err
	}
	ctx, q.wrote = timeline.WithEffect(q.Context())
	q.Request = q.WithContext(ctx)
	return nil
}
