package realtime

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// endedHeld is for how long the end of a session is remembered, for a socket
// whose request was identified just before.
const endedHeld = time.Minute

// A Server has all sockets of a node. It is an http.Handler for GET /live;
// [Server.Changes] is the one for GET /live/changes.
type Server struct {
	config Config
	stats  counters
	wg     sync.WaitGroup // its sockets' readers and writers, and its hubs

	mu      sync.Mutex
	closed  bool
	hubs    map[river.Key]*hub
	sockets map[*socket]struct{}
	holders map[string]map[*socket]struct{} // by the hash of session or token
	counts  map[string]int                  // by who a socket counts against
	ended   map[string]time.Time            // sessions that ended a moment ago
}

// New makes a Server; it runs nothing until the first socket comes, and nothing
// once [Server.Close] has returned.
func New(config Config) *Server {
	return &Server{
		config:  config.withDefaults(),
		hubs:    map[river.Key]*hub{},
		sockets: map[*socket]struct{}{},
		holders: map[string]map[*socket]struct{}{},
		counts:  map[string]int{},
		ended:   map[string]time.Time{},
	}
}

// Ended closes the sockets of a session or a token that ended, by its hash.
func (s *Server) Ended(hash []byte) {
	if len(hash) == 0 {
		return
	}
	now := time.Now()
	s.mu.Lock()
	for h, at := range s.ended {
		if now.Sub(at) > endedHeld {
			delete(s.ended, h)
		}
	}
	s.ended[string(hash)] = now
	sockets := keys(s.holders[string(hash)])
	s.mu.Unlock()
	for _, one := range sockets {
		one.shut(closeSignedOut)
	}
}

// Shed closes all sockets that there are, as overloaded: their pages come back.
// A node calls it that can't vouch that what was taken away is shown no more.
func (s *Server) Shed() { s.shutAll(closeOverload) }

// Close says goodbye to all pages, closes their sockets and takes no more. It
// returns when all are gone, which Close forces when the context ends.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.shutAll(closeRestart)
	gone := make(chan struct{})
	go func() {
		s.wg.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	left := keys(s.sockets)
	s.mu.Unlock()
	for _, one := range left {
		one.cut()
	}
	<-gone
	return fmt.Errorf("%d sockets cut: %w", len(left), context.Cause(ctx))
}

func (s *Server) shutAll(why closure) {
	s.mu.Lock()
	sockets := keys(s.sockets)
	s.mu.Unlock()
	for _, one := range sockets {
		one.shut(why)
	}
}

// errClosed says that the server takes no more sockets.
var errClosed = errors.New("the server is closing")

// admit takes a socket in. One that may not stay gets the closure that says why.
func (s *Server) admit(one *socket) (*closure, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	s.wg.Add(1)
	s.sockets[one] = struct{}{}
	for _, name := range one.counted {
		s.counts[name]++
	}
	if one.credential != "" {
		if s.holders[one.credential] == nil {
			s.holders[one.credential] = map[*socket]struct{}{}
		}
		s.holders[one.credential][one] = struct{}{}
		if at, ended := s.ended[one.credential]; ended && time.Since(at) <= endedHeld {
			return &closeSignedOut, nil
		}
	}
	if len(s.sockets) > s.config.MaxSockets {
		return &closeOverload, nil
	}
	for _, name := range one.counted {
		if s.counts[name] > s.config.MaxPerViewer {
			return &closeLimit, nil
		}
	}
	return nil, nil
}

// dismiss forgets a socket.
func (s *Server) dismiss(one *socket) {
	s.mu.Lock()
	delete(s.sockets, one)
	for _, name := range one.counted {
		if s.counts[name]--; s.counts[name] == 0 {
			delete(s.counts, name)
		}
	}
	if holders := s.holders[one.credential]; holders != nil {
		delete(holders, one)
		if len(holders) == 0 {
			delete(s.holders, one.credential)
		}
	}
	s.mu.Unlock()
	s.wg.Done()
}

// join tests whether the river may be opened and puts the socket into its hub.
func (s *Server) join(ctx context.Context, key river.Key, one *socket) (*hub, error) {
	w, err := s.config.Rivers.Watch(ctx, key)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hubs[key]
	if h == nil {
		h = newHub(s, key, w)
		s.hubs[key] = h
		s.wg.Go(h.run)
	} else {
		h.adopt(w, nil)
	}
	h.add(one)
	return h, nil
}

// leave takes the socket out of its hub, which goes with its last.
func (s *Server) leave(h *hub, one *socket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.remove(one) == 0 && s.hubs[h.key] == h {
		delete(s.hubs, h.key)
		h.end()
	}
}

// keys are the members of a set, in no order.
func keys(set map[*socket]struct{}) []*socket {
	all := make([]*socket, 0, len(set))
	for one := range set {
		all = append(all, one)
	}
	return all
}

// names are what a socket counts against.
func (s *Server) names(viewer timeline.UserID, client string) []string {
	var names []string
	if viewer != 0 {
		names = append(names, fmt.Sprintf("viewer %d", viewer))
	}
	if client != "" {
		names = append(names, "client "+client)
	}
	return names
}

// statusOf is the code a connection ended with, for the log.
func statusOf(err error) int { return int(websocket.CloseStatus(err)) }
