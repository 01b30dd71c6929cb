package realtime

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/coder/websocket"

	"amstel.dev/amstel/timeline"
)

// ServeHTTP is GET /live: it upgrades the connection and serves it until it ends.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.sameOrigin(r) {
		http.Error(w, "The page that opens this socket is not of this site.", http.StatusForbidden)
		return
	}
	viewer, credential, err := s.config.Identify(r)
	signedOut := errors.Is(err, timeline.ErrUnauthorized)
	if err != nil && !signedOut {
		s.config.Log.WarnContext(r.Context(), "who opens a socket", "err", err)
		unavailable(w)
		return
	}
	one := newSocket(s, viewer, credential, s.names(viewer, s.config.Client(r)))
	why, err := s.admit(one)
	if err != nil {
		unavailable(w)
		return
	}
	defer s.dismiss(one)
	tap := &tap{ResponseWriter: w}
	conn, err := websocket.Accept(tap, r, &websocket.AcceptOptions{
		Subprotocols:       []string{Subprotocol},
		InsecureSkipVerify: true, // tested above, and more exactly
	})
	if err != nil {
		return // it has answered the request
	}
	if signedOut {
		why = &closeSignedOut
	}
	if conn.Subprotocol() == "" && r.Header.Get("Sec-WebSocket-Protocol") != "" {
		why = &closure{CodeBad, "the protocol is " + Subprotocol}
	}
	one.serve(conn, tap.conn, why)
}

// sameOrigin says whether the request may use what its cookies say. Whoever
// sends none is nobody, or has a token of his own, and may come from anywhere.
func (s *Server) sameOrigin(r *http.Request) bool {
	if len(r.Cookies()) == 0 {
		return true
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return false
	}
	own := s.config.Origin
	if own == "" {
		own = "http://" + r.Host
		if r.TLS != nil {
			own = "https://" + r.Host
		}
	}
	return !slices.ContainsFunc(origins, func(o string) bool { return !strings.EqualFold(o, strings.TrimSuffix(own, "/")) })
}

// unavailable answers an upgrade or a poll that can't be served now.
func unavailable(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "2")
	http.Error(w, "Live updates are not to be had just now.", http.StatusServiceUnavailable)
}

// tap keeps the connection under a WebSocket, so that it can be cut while
// somebody waits for it.
type tap struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack hands the connection over, and keeps it.
func (t *tap) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(t.ResponseWriter).Hijack()
	t.conn = conn
	return conn, rw, err
}
