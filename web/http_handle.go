package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// handle returns the handler of an action. The handler finds out which account asks,
// refuses requests from other sites and too many writes, reads the body, and answers
// failures. No answer begins before this node shows what the request wrote; see await.
//
// A token needs the scope read for a method that reads, and write for others; actions of
// administrators are registered by asAdmin instead.
func (s *Server) handle(do action) http.HandlerFunc { return s.handleBy(terms{}, do) }

// terms are the conditions under which an action is registered.
type terms struct {
	scopes timeline.Scopes // what a token needs; 0: the scope of the method
	free   bool            // the request counts for no quota
}

// handleFile is handle for an action that serves a picture or another file of a page. A page has dozens,
// which browsers keep: they count for no quota.
func (s *Server) handleFile(do action) http.HandlerFunc { return s.handleBy(terms{free: true}, do) }

// handleBy is handle with other terms. Each action that looks at a session or a token is registered through
// handleBy, so that every such action checks scopes and counts for a quota. handleAlike and handleFeed, which
// look at neither, count for the address of the client.
func (s *Server) handleBy(by terms, do action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := &request{Request: r, html: prefersHTML(r), words: s.readsIn(r, nil)}
		err := s.admit(w, q, by)
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

// asAdmin is handleSignedIn for the actions of administrators of groups and of the site: a token needs the
// scope admin. The action itself checks that the visitor is an administrator. Actions that a
// person may do either as the author or as an administrator, such as deleting a comment, are
// registered by handleSignedIn: see [timeline.AsMember].
func (s *Server) asAdmin(do action) http.HandlerFunc {
	return s.handleBy(terms{scopes: timeline.ScopeAdmin}, signedIn(do))
}

// scopeOf returns the scope that a method needs.
func scopeOf(method string) timeline.Scopes {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return timeline.ScopeRead
	}
	return timeline.ScopeWrite
}

// checkScope returns a scopeError if the request has a token without a scope that it needs.
func (q *request) checkScope(needed timeline.Scopes) error {
	if q.token && q.who.signedIn() && !q.who.Scopes.Has(needed) {
		return &scopeError{needed}
	}
	return nil
}

// readable returns the handler h, which finds out by itself who asks, behind the scope read and the
// quotas of tokens: for the sockets of open pages.
func (s *Server) readable(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := &request{Request: r, words: s.readsIn(r, nil)}
		if _, q.token = s.secretOf(r); q.token {
			// A token that can't be identified is left to h, which answers in its own way.
			if who, err := s.identify(w, r); err == nil {
				q.who = who
			}
			err := q.checkScope(timeline.ScopeRead)
			if err == nil && q.who.signedIn() { // sockets of browsers have limits of their own
				err = s.charge(w, q)
			}
			if err != nil {
				s.fail(w, q, err)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
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
		err := s.charge(w, q)
		if err == nil && s.writes.OnLimit(w, r, q.quotaKey()) {
			err = timeline.ErrThrottled
		}
		if err != nil {
			s.fail(w, q, err)
			return
		}
		if q.body, err = readInput(r); err == nil {
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
func (s *Server) admit(w http.ResponseWriter, q *request, by terms) (err error) {
	_, q.token = s.secretOf(q.Request)
	if q.who, err = s.identify(w, q.Request); err != nil {
		if errors.Is(err, errToken) { // guesses count for the address
			err = cmp.Or(s.charge(w, q), err)
		}
		return err
	}
	if !by.free {
		if err := s.charge(w, q); err != nil {
			q.words = s.readsIn(q.Request, &q.who)
			return err
		}
	}
	q.words = s.readsIn(q.Request, &q.who)
	ctx := turnstile.WithClient(q.Context(), q.quotaKey()) // the request's reads queue with those of the same client
	if !q.who.signedIn() {
		ctx = turnstile.WithStranger(ctx)
	}
	if q.token && !q.who.Scopes.Has(timeline.ScopeAdmin) {
		ctx = timeline.AsMember(ctx)
	}
	q.Request = q.WithContext(ctx)
	if err := q.checkScope(cmp.Or(by.scopes, scopeOf(q.Method))); err != nil {
		return err
	}
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
