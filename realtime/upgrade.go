package realtime

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/timeline"
)

// The buffers of a socket, in bytes.
const (
	readBuffer  = 128              // longer frames from a client are read past it
	writeBuffer = controlFrame + 1 // the library writes control frames only
	sendBuffer  = 64 << 10         // of the kernel; it fills up only if the client does not read
)

// ServeHTTP serves GET /live: it upgrades the connection, and returns. A goroutine of
// the socket serves the connection from then on. Nothing of the request is kept.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.sameOrigin(r) {
		s.stats.refuse(refusedOrigin)
		http.Error(w, "This socket may be opened by pages of this site only.", http.StatusForbidden)
		return
	}
	began := time.Now()
	who, err := s.config.Identify(r)
	signedOut := errors.Is(err, timeline.ErrUnauthorized)
	if err != nil && !signedOut {
		s.config.Log.WarnContext(r.Context(), "could not identify the viewer of a socket", "err", err)
		s.stats.refuse(refusedIdentify)
		unavailable(w)
		return
	}
	sock := &socket{server: s, viewer: who.User, client: s.config.Client(r), credential: string(who.Hash), expires: who.Expires, began: began}
	sock.due.Store(never)
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(s.config.WriteWithin)) // not every ResponseWriter has deadlines
	sock.stop = func() { _ = control.SetWriteDeadline(time.Now()) }
	why, err := s.register(sock)
	if err != nil {
		_ = control.SetWriteDeadline(time.Time{})
		s.stats.refuse(refusedDraining)
		unavailable(w)
		return
	}
	taker := &hijacker{ResponseWriter: w, wire: &sock.wire}
	conn, err := websocket.Accept(taker, r, &websocket.AcceptOptions{
		Subprotocols:       []string{Subprotocol},
		InsecureSkipVerify: true, // sameOrigin has checked the origin, by a stricter rule
		OnPingReceived:     func(context.Context, []byte) bool { return sock.allowControl() },
		OnPongReceived:     func(context.Context, []byte) { sock.allowControl() },
	})
	if err != nil { // Accept has answered the request
		s.stats.refuse(refusedUpgrade)
		s.unregister(sock)
		_ = control.SetWriteDeadline(time.Time{})
		return
	}
	taker.readDirectly()
	if signedOut {
		why = &closeSignedOut
	}
	if conn.Subprotocol() == "" && r.Header.Get("Sec-WebSocket-Protocol") != "" {
		why = &closure{CodeBad, "the protocol is " + Subprotocol}
	}
	sock.serve(conn, why)
}

// sameOrigin reports whether the request may use the rights that its cookies give: the Origin must
// be the site's. A request without cookies may come from any origin, because such a request has
// the rights of viewer 0, or of a token that the client itself sent.
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
	http.Error(w, unavailableText, http.StatusServiceUnavailable)
}

const unavailableText = "Live updates are unavailable at the moment."

// A hijacker is a ResponseWriter that gives the library the connection of a request
// through a wire, and with small buffers in place of the HTTP server's.
type hijacker struct {
	http.ResponseWriter
	wire *wire
	read *bufio.Reader
}

// Hijack takes the connection from the HTTP server.
func (t *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, _ := rw.Reader.Peek(rw.Reader.Buffered()) // never fails: that much is buffered
	t.wire.open(conn, bytes.Clone(early))
	t.read = bufio.NewReaderSize(t.wire, readBuffer)
	return t.wire, bufio.NewReadWriter(t.read, bufio.NewWriterSize(t.wire, writeBuffer)), nil
}

// readDirectly sets the library to read from the connection itself if no bytes came with
// the request. The way through the wire would take memory for nothing.
func (t *hijacker) readDirectly() {
	if len(t.wire.early) == 0 && t.read.Buffered() == 0 {
		t.read.Reset(t.wire.Conn)
	}
}
