package web

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
)

// Forget drops all cached identities. The node calls it when it may have missed ends of
// sessions.
func (s *Server) Forget() { s.people.forgetAll() }

// Ended drops the identity of an ended session or token, given the SHA-256 of its secret. The
// node calls Ended for each one in the change log.
func (s *Server) Ended(hash []byte) { s.people.forget(hash) }

// tokenHeader is the header in which programs written for Mokum send their token.
const tokenHeader = "X-API-Token"

// tokenProtocol begins the name of a subprotocol that a client offers besides that of live pages. The
// rest of the name is a token: a browser lets no script set a header of a socket.
const tokenProtocol = "amstel.token."

// secretOf returns the API token of a request, or else the secret of its session. token reports
// whether it is a token.
func (s *Server) secretOf(r *http.Request) (secret string, token bool) {
	if secret = strings.TrimSpace(r.Header.Get(tokenHeader)); secret != "" {
		return secret, true
	}
	if scheme, rest, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(rest), true
	}
	if r.URL.Path == livePath {
		for offered := range strings.SplitSeq(r.Header.Get("Sec-WebSocket-Protocol"), ",") {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(offered), tokenProtocol); ok {
				return rest, true
			}
		}
	}
	if cookie, err := r.Cookie(s.cookie); err == nil {
		return cookie.Value, false
	}
	return "", false
}

// formTokenWithin is how far into the body of an upload the field with a token may end, in bytes.
const formTokenWithin = 4 << 10

// takeFormToken moves the token in a field X-API-Token of an upload to the header, unless the
// request has the header. Programs written for Mokum send the token in the field. The field stands
// before the first file: the files are received for an account, one after another. The body stays
// as it is.
func takeFormToken(r *http.Request) {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || parameters["boundary"] == "" || r.Header.Get(tokenHeader) != "" {
		return
	}
	body := bufio.NewReaderSize(r.Body, formTokenWithin)
	head, _ := body.Peek(formTokenWithin) // the action meets the same error
	r.Body = &peekedBody{body, r.Body}
	parts := multipart.NewReader(bytes.NewReader(head), parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil || part.FileName() != "" {
			return
		}
		if strings.EqualFold(part.FormName(), tokenHeader) {
			if token, err := io.ReadAll(part); err == nil {
				r.Header.Set(tokenHeader, string(token))
			}
			return
		}
	}
}

// A peekedBody is a body of which the beginning was looked at.
type peekedBody struct {
	io.Reader
	io.Closer
}

// identify returns the visitor. An unknown token is an error; an ended session counts as
// not signed in, and its cookie is removed.
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
	identity, looked, err := s.people.identify(r.Context(), secret, token, fresh)
	switch {
	case errors.Is(err, timeline.ErrUnauthorized) && token:
		return visitor{}, errToken
	case errors.Is(err, timeline.ErrUnauthorized):
		s.clearCookie(w)
		return visitor{}, nil
	case err != nil:
		return visitor{}, fmt.Errorf("identify the visitor: %w", err)
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

// Identify returns the account that opens a socket; the zero Bearer if the visitor is not signed in. The
// Bearer of a session has no end, because each use of a session moves its end; the change log reports the
// end when it comes.
func (s *Server) Identify(r *http.Request) (timeline.Bearer, error) {
	fresh := identityFresh
	if !s.behind() {
		fresh = identityOpen
	}
	who, err := s.identifyFor(discard{}, r, fresh)
	holder := timeline.Bearer{User: who.User, Hash: who.Hash}
	if who.Token {
		holder.Expires = who.Expires
	}
	return holder, err
}

// discard is a ResponseWriter that ignores everything.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}
