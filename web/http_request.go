package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// request is one that is being answered: who asks, for what, and in which form
// the answer goes.
type request struct {
	*http.Request
	who   visitor
	token bool             // by a token, not by a cookie
	html  bool             // the answer is a page, not JSON
	body  input            // of a write
	wrote *timeline.Effect // what its writes came to; nil: it is none that writes
}

// An action answers a request, or says why it can't.
type action func(http.ResponseWriter, *request) error

// handle makes a handler of an action: it finds out who asks, refuses what
// comes from another site or too often, reads the body, answers failures, and has
// no answer begin before what the request wrote is where it must be.
func (s *Server) handle(do action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := &request{Request: r, html: prefersHTML(r)}
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

// mine is handle for what only somebody signed in can do. Who only looks is
// led to sign in, and back.
func (s *Server) mine(do action) http.HandlerFunc {
	return s.handle(func(w http.ResponseWriter, q *request) error {
		if q.who.signedIn() {
			return do(w, q)
		}
		if q.html && q.Method != http.MethodPost {
			http.Redirect(w, q.Request, page.SignInPath+"?return_to="+url.QueryEscape(q.ownAddress()), http.StatusSeeOther)
			return nil
		}
		return timeline.ErrUnauthorized
	})
}

// bySession is mine for what a token may not do, since its effects outlive the
// token: to make tokens, to change the password, to delete the account.
func (s *Server) bySession(do action) http.HandlerFunc {
	return s.mine(func(w http.ResponseWriter, q *request) error {
		if q.token {
			return errNotByToken
		}
		return do(w, q)
	})
}

func (s *Server) admit(w http.ResponseWriter, q *request) (err error) {
	_, q.token = s.secretOf(q.Request)
	if q.who, err = s.identify(w, q.Request); err != nil {
		return err
	}
	q.Request = q.WithContext(turnstile.WithClient(q.Context(), q.quotaKey())) // in whose line its reads wait
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
	if q.body, err = readInput(q.Request); err != nil {
		return err
	}
	var ctx context.Context
	ctx, q.wrote = timeline.WithEffect(q.Context())
	q.Request = q.WithContext(ctx)
	return nil
}

// quotaKey returns the key under which writes are counted, and in whose line pages
// wait: the person, or else the client's network.
func (q *request) quotaKey() string {
	if q.who.signedIn() {
		return "user " + strconv.FormatInt(int64(q.who.User), 10)
	}
	return "network " + ClientNetwork(q.Context()).String()
}

// param is a part of the path.
func (q *request) param(name string) string { return chi.URLParam(q.Request, name) }

// id reads a part of the path that is an id; what is none names nothing.
func (q *request) id(name string) (int64, error) {
	id, err := strconv.ParseInt(q.param(name), 10, 64)
	if err != nil || id <= 0 {
		return 0, timeline.ErrNotFound
	}
	return id, nil
}

// post reads the id of a post from the path.
func (q *request) post() (timeline.PostID, error) {
	id, err := q.id("post")
	return timeline.PostID(id), err
}

// comment reads the ids of a comment and its post from the path.
func (q *request) comment() (timeline.PostID, timeline.CommentID, error) {
	post, err := q.post()
	if err != nil {
		return 0, 0, err
	}
	id, err := q.id("comment")
	return post, timeline.CommentID(id), err
}

// wantsFragments says whether the client is our own page, which applies HTML.
func (q *request) wantsFragments() bool {
	return strings.EqualFold(q.Header.Get("X-Amstel-As"), "html")
}
