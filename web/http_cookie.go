package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dayLong separates sessions that a browser forgets when it closes, which last a day, from
// remembered ones: only the cookie of a longer session has an expiry.
const dayLong = 25 * time.Hour

// cookieName returns the name of the session cookie. With https the prefix __Host- keeps
// other hosts and plain connections from setting the cookie.
func cookieName(secure bool) string {
	if secure {
		return "__Host-amstel"
	}
	return "amstel"
}

// slideCookie sets the session cookie with the present end of the session. Every use of a
// session moves its end in the database, so the cookie is set again now and then.
func (s *Server) slideCookie(w http.ResponseWriter, secret string, expires time.Time) {
	cookie := s.newCookie(secret)
	if expires.Sub(s.now()) > dayLong {
		cookie.Expires = expires
	}
	http.SetCookie(w, cookie)
}

// clearCookie removes the session cookie from the browser.
func (s *Server) clearCookie(w http.ResponseWriter) {
	cookie := s.newCookie("")
	cookie.MaxAge = -1
	http.SetCookie(w, cookie)
}

func (s *Server) newCookie(value string) *http.Cookie {
	return &http.Cookie{
		Name: s.cookie, Value: value, Path: "/",
		Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// positionCookie holds, for a minute, the position of the change log at the visitor's
// last write, so that another node shows the visitor no page from before the write.
const positionCookie = "amstel-position"

func (s *Server) setPosition(w http.ResponseWriter, position int64) {
	cookie := &http.Cookie{
		Name: positionCookie, Value: strconv.FormatInt(position, 10), Path: "/",
		MaxAge: 60, Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	// An answer may set the position several times: the last one counts.
	header := w.Header()
	header["Set-Cookie"] = slices.DeleteFunc(header["Set-Cookie"], func(c string) bool { return strings.HasPrefix(c, positionCookie+"=") })
	http.SetCookie(w, cookie)
}

// waitForOwnWrites waits until this node has followed the log up to the visitor's last write on
// any node. The node's own position would not suffice: positions are assigned at commit, so a
// change below the position may still be on its way. A node that is too slow answers with its
// present state; the next page will have the write.
func (s *Server) waitForOwnWrites(r *http.Request) {
	cookie, err := r.Cookie(positionCookie)
	if err != nil {
		return
	}
	position, err := strconv.ParseInt(cookie.Value, 10, 64)
	if err != nil {
		return
	}
	if err := s.rivers.WaitPosition(r.Context(), position); err != nil {
		s.log.DebugContext(r.Context(), "this node has not followed the visitor's last write", "position", position, "err", err)
	}
}
