package faye

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/wirejson"
)

// A socket is the WebSocket of a client, and carries the client that the last frame named. One
// goroutine reads and answers frames, another writes the client's messages.
type socket struct {
	server *Server
	conn   *websocket.Conn
	on     conversation

	answering sync.Mutex // held while the waiting connect is answered, so that the answer goes out before the socket is closed

	mu      sync.Mutex
	client  *client // nil before the first frame that names a client
	by      *carrier
	connect *message // the connect that waits; nil: none
	due     *time.Timer
}

// upgrade serves a WebSocket. It ignores cookies, so the request may come from any origin.
func (s *Server) upgrade(w http.ResponseWriter, r *http.Request) {
	name := s.config.Client(r)
	s.mu.Lock()
	err := s.sockets.take(name, &s.config.Limits)
	s.mu.Unlock()
	if err != nil {
		s.stats.refused.Add(1)
		refuse(w, err)
		return
	}
	giveBack := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.sockets.giveBack(name)
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // the socket has limits of its own
	_ = control.SetWriteDeadline(time.Time{})
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil { // Accept has answered
		giveBack()
		return
	}
	conn.SetReadLimit(int64(s.config.ReadLimit))
	sock := &socket{server: s, conn: conn, on: conversation{s, name}}
	sock.due = time.AfterFunc(time.Hour, sock.answerConnect)
	sock.due.Stop()
	s.wg.Add(1) // never from zero: the request counts
	go func() { // so that nothing of the request is kept
		defer s.wg.Done()
		defer giveBack()
		defer context.AfterFunc(s.life, func() {
			sock.answerConnect()
			sock.close(websocket.StatusServiceRestart, "restarting")
		})()
		code, reason := sock.serve()
		sock.leave()
		sock.close(code, reason)
	}()
}

// close closes the connection, if it has not ended.
func (sock *socket) close(code websocket.StatusCode, reason string) {
	_ = sock.conn.Close(code, reason) // an error means that the connection has ended
}

// serve reads frames until the socket ends, and returns the closing code and reason.
func (sock *socket) serve() (websocket.StatusCode, string) {
	frames := frameRate{most: sock.server.config.FramesASec}
	for {
		kind, text, err := sock.read()
		switch {
		case errors.Is(err, errTooLarge):
			return websocket.StatusMessageTooBig, "a frame is too long"
		case err != nil:
			return websocket.StatusGoingAway, "unknown client"
		case kind != websocket.MessageText:
			return websocket.StatusUnsupportedData, "not a text frame"
		case frames.exceeded(time.Now()):
			return websocket.StatusPolicyViolation, "too many frames"
		}
		all, err := parse(text)
		if err != nil {
			return websocket.StatusPolicyViolation, err.Error()
		}
		if err := sock.take(all); err != nil {
			return websocket.StatusTryAgainLater, "try again later"
		}
	}
}

// read returns the next frame, which must come within a time.
func (sock *socket) read() (websocket.MessageType, []byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), sock.server.config.Silence)
	defer cancel()
	kind, r, err := sock.conn.Reader(ctx)
	if err != nil {
		return 0, nil, err
	}
	text, err := io.ReadAll(r)
	if websocket.CloseStatus(err) == websocket.StatusMessageTooBig {
		return 0, nil, errTooLarge
	}
	return kind, text, err
}

// take answers the messages of a frame. An error closes the socket.
func (sock *socket) take(all []message) error {
	if len(all) == 0 { // a ping
		return sock.write([]json.RawMessage{})
	}
	a, err := sock.on.answer(sock.server.life, all, func(m *message) bool { return m.ConnectionType == overWebSocket })
	if err != nil {
		return err
	}
	for _, r := range a.replies {
		if err := sock.write([]json.RawMessage{wirejson.MustEncode(r)}); err != nil {
			return err
		}
	}
	for _, c := range a.clients {
		sock.carry(c)
	}
	if a.connect != nil {
		sock.wait(a.connect, a.by)
	}
	for _, c := range a.clients {
		c.ring()
	}
	return nil
}

// carry makes the socket the carrier of a client.
func (sock *socket) carry(c *client) {
	sock.mu.Lock()
	was, before := sock.client, sock.by
	sock.mu.Unlock()
	switch {
	case was == c && c.carriedBy(before):
		return
	case was != c:
		sock.leave()
	}
	ctx, cancel := context.WithCancel(context.Background())
	by := &carrier{make(chan struct{}, 1), cancel}
	sock.mu.Lock()
	sock.client, sock.by = c, by
	sock.mu.Unlock()
	if !c.attach(by) || !sock.server.begin() {
		cancel()
		return
	}
	go func() {
		defer sock.server.wg.Done()
		defer cancel()
		sock.send(ctx, c, by)
	}()
}

// leave ends the client of the socket: what was sent last may be lost.
func (sock *socket) leave() {
	sock.mu.Lock()
	c := sock.client
	sock.client, sock.by, sock.connect = nil, nil, nil
	sock.due.Stop()
	sock.mu.Unlock()
	if c != nil {
		c.end()
	}
}

// send sends a client its messages, one in each frame, until the client has ended or has another
// carrier. It tells an ended client that the client is unknown, and closes the socket.
func (sock *socket) send(ctx context.Context, c *client, by *carrier) {
	for {
		messages, err := c.fetch()
		for _, m := range messages {
			if sock.write([]json.RawMessage{m}) != nil {
				err = errUnknown
				break
			}
			sock.server.stats.messages.Add(1)
		}
		if err == nil {
			if len(messages) > 0 {
				continue // there may be more
			}
			select {
			case <-by.wake:
				continue
			case <-ctx.Done():
			}
		}
		ended, left := c.hasEnded()
		if sock.carries(c) && (ended && !left || err != nil) {
			sock.answerConnect()
			sock.close(websocket.StatusGoingAway, "unknown client")
		}
		return
	}
}

func (sock *socket) carries(c *client) bool {
	sock.mu.Lock()
	defer sock.mu.Unlock()
	return sock.client == c
}

// wait notes the connect that waits, to be answered when its time is over. An earlier connect that
// waits is answered now.
func (sock *socket) wait(m *message, c *client) {
	sock.answerConnect()
	within := c.patience(m)
	sock.mu.Lock()
	sock.connect = m
	sock.mu.Unlock()
	if within == 0 {
		sock.answerConnect()
		return
	}
	sock.due.Reset(within)
}

// answerConnect answers the waiting connect, if any.
func (sock *socket) answerConnect() {
	sock.answering.Lock()
	defer sock.answering.Unlock()
	sock.mu.Lock()
	m, c := sock.connect, sock.client
	sock.connect = nil
	sock.due.Stop()
	sock.mu.Unlock()
	if m == nil || c == nil {
		return
	}
	_ = sock.write([]json.RawMessage{wirejson.MustEncode(c.connectedReply(m))}) // an error means that the connection has ended
}

// write writes a frame, within a time.
func (sock *socket) write(messages []json.RawMessage) error {
	ctx, cancel := context.WithTimeout(context.Background(), sock.server.config.WriteWithin)
	defer cancel()
	return sock.conn.Write(ctx, websocket.MessageText, wirejson.MustEncode(messages))
}

// contextOf returns a context that ends with either of two.
func contextOf(one, other context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(one)
	stop := context.AfterFunc(other, cancel)
	return ctx, func() { stop(); cancel() }
}

// A frameRate bounds how many frames come in a second.
type frameRate struct {
	most  int
	since time.Time
	n     int
}

func (f *frameRate) exceeded(now time.Time) bool {
	if now.Sub(f.since) >= time.Second {
		f.since, f.n = now, 0
	}
	f.n++
	return f.n > f.most
}
