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

// The buffers of a socket. A frame of a client's that is longer than the one for
// reading is read around it; the library writes control frames only; what the
// system keeps of what was written is of those who do not read.
const (
	readBuffer  = 128
	writeBuffer = controlFrame + 1
	sendBuffer  = 64 << 10
)

// ServeHTTP is GET /live: it upgrades the connection, which is served from then
// on by a goroutine of its own. Nothing of the request is kept.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.sameOrigin(r) {
		s.stats.refuse(refusedOrigin)
		http.Error(w, "The page that opens this socket is not of this site.", http.StatusForbidden)
		return
	}
	viewer, credential, err := s.config.Identify(r)
	signedOut := errors.Is(err, timeline.ErrUnauthorized)
	if err != nil && !signedOut {
		s.config.Log.WarnContext(r.Context(), "who opens a socket", "err", err)
		s.stats.refuse(refusedIdentify)
		unavailable(w)
		return
	}
	one := &socket{server: s, viewer: viewer, client: s.config.Client(r), credential: string(credential)}
	one.due.Store(never)
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(s.config.WriteWithin)) // where there is none, none can be set
	one.stop = func() { _ = control.SetWriteDeadline(time.Now()) }
	why, err := s.admit(one)
	if err != nil {
		_ = control.SetWriteDeadline(time.Time{})
		s.stats.refuse(refusedDraining)
		unavailable(w)
		return
	}
	tap := &tap{ResponseWriter: w, wire: &one.wire}
	conn, err := websocket.Accept(tap, r, &websocket.AcceptOptions{
		Subprotocols:       []string{Subprotocol},
		InsecureSkipVerify: true, // tested above, and more exactly
		OnPingReceived:     func(context.Context, []byte) bool { return one.control() },
		OnPongReceived:     func(context.Context, []byte) { one.control() },
	})
	if err != nil { // it has answered the request
		s.stats.refuse(refusedUpgrade)
		s.dismiss(one)
		_ = control.SetWriteDeadline(time.Time{})
		return
	}
	tap.settle()
	if signedOut {
		why = &closeSignedOut
	}
	if conn.Subprotocol() == "" && r.Header.Get("Sec-WebSocket-Protocol") != "" {
		why = &closure{CodeBad, "the protocol is " + Subprotocol}
	}
	one.serve(conn, why)
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

// tap takes the connection over for a WebSocket: through a wire, and with small
// buffers in place of the server's.
type tap struct {
	http.ResponseWriter
	wire *wire
	read *bufio.Reader
}

// Hijack hands the connection over.
func (t *tap) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, _ := rw.Reader.Peek(rw.Reader.Buffered()) // as much as there is
	t.wire.open(conn, bytes.Clone(early))
	t.read = bufio.NewReaderSize(t.wire, readBuffer)
	return t.wire, bufio.NewReadWriter(t.read, bufio.NewWriterSize(t.wire, writeBuffer)), nil
}

// settle has the library read from the connection itself, where nothing came
// with the request: its own way there, and ours, would be kept for nothing.
func (t *tap) settle() {
	if len(t.wire.early) == 0 && t.read.Buffered() == 0 {
		t.read.Reset(t.wire.Conn)
	}
}
