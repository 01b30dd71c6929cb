package realtime

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// endedRemembered is how long the end of a session is remembered, for a socket that was
// identified just before the end.
const endedRemembered = time.Minute

// A Server has all sockets of a node. It is the http.Handler of GET /live;
// [Server.Changes] is the handler of GET /live/changes.
type Server struct {
	config    Config
	stats     counters
	began     time.Time            // the zero of the server's clock
	wg        sync.WaitGroup       // the goroutines of sockets and hubs, and the janitor
	admission *turnstile.Turnstile // admits clients that open rivers
	empty     chan struct{}        // wakes the janitor when the last socket has gone
	behind    atomic.Bool          // the node can't follow the primary at present
	presence  bool                 // pages were told how many are present; of the janitor

	mu           sync.Mutex
	draining     bool
	housekeeping bool // the janitor runs
	hubs         map[river.Key]*hub
	rooms        map[int64]map[*hub]bool // the hubs of a post's page, by post
	sockets      socketSet
	listeners    map[*Listener]struct{}
	byCredential map[string][]*socket // by the hash of session or token
	viewers      map[timeline.UserID]int
	clients      map[string]int
	ended        map[string]time.Time // sessions that ended within endedRemembered
	poisoned     map[renderKey]bool   // entries with a failed rendering that was logged

	deflaters deflaters
}

// New creates a Server. It runs no goroutine before the first socket comes, nor after
// [Server.Close] has returned.
func New(config Config) *Server {
	config = config.withDefaults()
	return &Server{
		config:       config,
		began:        time.Now(),
		admission:    turnstile.New(turnstile.Config{Slots: config.Openings, Each: config.Openings / 4, Waiting: mostOpening}),
		empty:        make(chan struct{}, 1),
		hubs:         map[river.Key]*hub{},
		rooms:        map[int64]map[*hub]bool{},
		sockets:      newSocketSet(),
		listeners:    map[*Listener]struct{}{},
		byCredential: map[string][]*socket{},
		viewers:      map[timeline.UserID]int{},
		clients:      map[string]int{},
		ended:        map[string]time.Time{},
		poisoned:     map[renderKey]bool{},
	}
}

// Ended closes the sockets of an ended session or token, given its hash, and ends its listeners.
func (s *Server) Ended(hash []byte) {
	if len(hash) == 0 {
		return
	}
	now := time.Now()
	s.mu.Lock()
	for h, at := range s.ended {
		if now.Sub(at) > endedRemembered {
			delete(s.ended, h)
		}
	}
	s.ended[string(hash)] = now
	sockets := slices.Clone(s.byCredential[string(hash)])
	var listeners []*Listener
	for l := range s.listeners {
		if l.credential == string(hash) {
			listeners = append(listeners, l)
		}
	}
	s.mu.Unlock()
	for _, l := range listeners {
		l.end(closeSignedOut)
	}
	for _, sock := range sockets {
		sock.close(closeSignedOut)
	}
}

// endAt returns a timer that ends a token when the token expires, or nil if the token never
// expires. Each node knows when the tokens of its sockets expire, so the change log needs no row
// for their ends.
func (s *Server) endAt(expires time.Time, credential string) *time.Timer {
	if expires.IsZero() || credential == "" {
		return nil
	}
	return time.AfterFunc(time.Until(expires), func() { s.Ended([]byte(credential)) })
}

// stop stops a timer of endAt.
func stop(expiry *time.Timer) {
	if expiry != nil {
		expiry.Stop()
	}
}

// Shed closes all sockets and listeners as overloaded; their pages reconnect. A node calls Shed when
// pages may still show something that was taken away from their viewers.
func (s *Server) Shed() { s.closeAll(closeOverload) }

func (s *Server) closeAll(why closure) {
	s.mu.Lock()
	sockets, listeners := s.sockets.members(), slices.Collect(maps.Keys(s.listeners))
	s.mu.Unlock()
	for _, sock := range sockets {
		sock.close(why)
	}
	for _, l := range listeners {
		l.end(why)
	}
}

// errDraining reports that the server takes no more sockets.
var errDraining = errors.New("the server is closing")

// register adds a socket to the server. If the socket may not stay, register returns
// the closure to close it with.
func (s *Server) register(sock *socket) (*closure, error) {
	age := s.config.Rivers.Age() // before the lock, because the node may wait for its loop
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return nil, errDraining
	}
	s.wg.Add(1)
	s.sockets.add(sock)
	if !s.housekeeping {
		s.housekeeping = true
		s.updateBehind(age)
		s.wg.Go(s.housekeep)
	}
	if sock.viewer != 0 {
		s.viewers[sock.viewer]++
	}
	if sock.client != "" {
		s.clients[sock.client]++
	}
	if sock.credential != "" {
		s.byCredential[sock.credential] = append(s.byCredential[sock.credential], sock)
		sock.expiry = s.endAt(sock.expires, sock.credential)
		if s.endedSince(sock.credential, sock.began) {
			return &closeSignedOut, nil
		}
	}
	switch most := s.config.MaxPerViewer; {
	case len(s.sockets.all) > s.config.MaxSockets:
		return &closeOverload, nil
	case s.viewers[sock.viewer] > most, s.clients[sock.client] > most:
		return &closeLimit, nil
	}
	return nil, nil
}

// endedSince reports whether a session or token ended since a request with it began, at most
// endedRemembered ago; s.mu is held. An end before the request says nothing: the token of a person
// who was suspended works again when the account is restored.
func (s *Server) endedSince(credential string, began time.Time) bool {
	at, ended := s.ended[credential]
	return ended && !at.Before(began)
}

// unregister removes a socket that has ended.
func (s *Server) unregister(sock *socket) {
	s.mu.Lock()
	if s.sockets.remove(sock) == 0 {
		select {
		case s.empty <- struct{}{}:
		default:
		}
	}
	if sock.viewer != 0 {
		decrement(s.viewers, sock.viewer)
	}
	if sock.client != "" {
		decrement(s.clients, sock.client)
	}
	stop(sock.expiry)
	if sock.credential != "" {
		same := s.byCredential[sock.credential]
		for i, other := range same {
			if other == sock {
				same[i] = same[len(same)-1]
				same[len(same)-1] = nil
				same = same[:len(same)-1]
				break
			}
		}
		if s.byCredential[sock.credential] = same; len(same) == 0 {
			delete(s.byCredential, sock.credential)
		}
	}
	s.mu.Unlock()
	s.wg.Done()
}

// decrement subtracts one from the count of a key, and deletes the key at zero.
func decrement[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}

// mostOpening is how many rivers of one client may wait to be opened.
const mostOpening = 1000

// open opens a river for a client, when it is the client's turn.
func (s *Server) open(ctx context.Context, key river.Key, client string) (Watch, error) {
	leave, err := s.waitAdmission(ctx, client)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.config.Rivers.Watch(turnstile.WithClient(ctx, client), key)
}
