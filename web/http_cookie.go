package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dayLong is how long a session lasts that is not to be remembered: its cookie
// goes with the browser.
const dayLong = 25 * time.Hour

// cookieName is the session cookie's: with https one that no other host and no
// plain connection can set.
func cookieName(secure bool) string {
	if secure {
		return "__Host-amstel"
	}
	return "amstel"
}

// slideCookie hands out the session's cookie; the database moves its end with
// every use, so the cookie's end is moved now and then too.
func (s *Server) slideCookie(w http.ResponseWriter, secret string, expires time.Time) {
	cookie := s.newCookie(secret)
	if expires.Sub(s.now()) > dayLong {
		cookie.Expires = expires
	}
	http.SetCookie(w, cookie)
}

// clearCookie takes the session's cookie back.
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

// positionCookie carries, for a minute, how far the log was when its bearer last
// changed something, so that another node shows him no page from before.
const positionCookie = "amstel-position"

func (s *Server) setPosition(w http.ResponseWriter, position int64) {
	cookie := &http.Cookie{
		Name: positionCookie, Value: strconv.FormatInt(position, 10), Path: "/",
		MaxAge: 60, Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	// Once an answer, and the newest.
	header := w.Header()
	header["Set-Cookie"] = slices.DeleteFunc(header["Set-Cookie"], func(c string) bool { return strings.HasPrefix(c, positionCookie+"=") })
	http.SetCookie(w, cookie)
}

// reach waits until this node contains all of the log up to where the visitor's
// last write was seen. The highest position that this node's pages contain says
// nothing about that: a change below it, committed late, may be the visitor's. A
// node that does not get there answers with what it has: the next page will do.
func (s *Server) reach(r *http.Request) {
	cookie, err := r.Cookie(positionCookie)
	if err != nil {
		return
	}
	position, err := strconv.ParseInt(cookie.Value, 10, 64)
	if err != nil {
		return
	}
	if err := s.rivers.WaitPosition(r.Context(), position); err != nil {
		s.log.DebugContext(r.Context(), "behind a visitor's last write", "position", position, "err", err)
	}
}
