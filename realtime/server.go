package realtime

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/internal/turnstile"
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
	began  time.Time            // its clock's zero
	wg     sync.WaitGroup       // its sockets' readers and writers, its hubs, and its keeper
	grants *turnstile.Turnstile // admits those who open rivers
	empty  chan struct{}        // the last socket has gone; one waits
	behind atomic.Bool          // the node can't follow the primary just now
	counts bool                 // pages were told how many are present; of the keeper

	mu       sync.Mutex
	draining bool
	keeping  bool // a keeper runs
	hubs     map[river.Key]*hub
	rooms    map[int64]map[*hub]bool // who has the page of a post open, by post
	sockets  roster
	holders  map[string][]*socket // by the hash of session or token
	viewers  map[timeline.UserID]int
	clients  map[string]int
	ended    map[string]time.Time // sessions that ended a moment ago
	poisoned map[drawnKey]bool    // entries that were logged as such

	packers packers
}

// New makes a Server; it runs nothing until the first socket comes, and nothing
// once [Server.Close] has returned.
func New(config Config) *Server {
	config = config.withDefaults()
	return &Server{
		config:   config,
		began:    time.Now(),
		grants:   turnstile.New(turnstile.Config{Slots: config.Openings, Each: config.Openings / 4, Waiting: mostOpening}),
		empty:    make(chan struct{}, 1),
		hubs:     map[river.Key]*hub{},
		rooms:    map[int64]map[*hub]bool{},
		sockets:  newRoster(),
		holders:  map[string][]*socket{},
		viewers:  map[timeline.UserID]int{},
		clients:  map[string]int{},
		ended:    map[string]time.Time{},
		poisoned: map[drawnKey]bool{},
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
	sockets := append([]*socket(nil), s.holders[string(hash)]...)
	s.mu.Unlock()
	for _, one := range sockets {
		one.shut(closeSignedOut)
	}
}

// Shed closes all sockets that there are, as overloaded: their pages come back.
// A node calls it that can't vouch that what was taken away is shown no more.
func (s *Server) Shed() { s.shutAll(closeOverload) }

func (s *Server) shutAll(why closure) {
	s.mu.Lock()
	sockets := s.sockets.members()
	s.mu.Unlock()
	for _, one := range sockets {
		one.shut(why)
	}
}

// errDraining says that the server takes no more sockets.
var errDraining = errors.New("the server is closing")

// admit takes a socket in. One that may not stay gets the closure that says why.
func (s *Server) admit(one *socket) (*closure, error) {
	age := s.config.Rivers.Age() // before the lock: what a node says may wait for its loop
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return nil, errDraining
	}
	s.wg.Add(1)
	s.sockets.add(one)
	if !s.keeping {
		s.keeping = true
		s.lags(age)
		s.wg.Go(s.keep)
	}
	if one.viewer != 0 {
		s.viewers[one.viewer]++
	}
	if one.client != "" {
		s.clients[one.client]++
	}
	if one.credential != "" {
		s.holders[one.credential] = append(s.holders[one.credential], one)
		if at, ended := s.ended[one.credential]; ended && time.Since(at) <= endedHeld {
			return &closeSignedOut, nil
		}
	}
	switch most := s.config.MaxPerViewer; {
	case len(s.sockets.all) > s.config.MaxSockets:
		return &closeOverload, nil
	case s.viewers[one.viewer] > most, s.clients[one.client] > most:
		return &closeLimit, nil
	}
	return nil, nil
}

// dismiss forgets a socket.
func (s *Server) dismiss(one *socket) {
	s.mu.Lock()
	if s.sockets.remove(one) == 0 {
		select {
		case s.empty <- struct{}{}:
		default:
		}
	}
	if one.viewer != 0 {
		less(s.viewers, one.viewer)
	}
	if one.client != "" {
		less(s.clients, one.client)
	}
	if one.credential != "" {
		holders := s.holders[one.credential]
		for i, other := range holders {
			if other == one {
				holders[i] = holders[len(holders)-1]
				holders[len(holders)-1] = nil
				holders = holders[:len(holders)-1]
				break
			}
		}
		if s.holders[one.credential] = holders; len(holders) == 0 {
			delete(s.holders, one.credential)
		}
	}
	s.mu.Unlock()
	s.wg.Done()
}

// less counts one less of somebody, who is forgotten with the last.
func less[K comparable](counts map[K]int, who K) {
	if counts[who]--; counts[who] == 0 {
		delete(counts, who)
	}
}

// mostOpening is how many rivers of one client wait to be opened at most.
const mostOpening = 1000

// open opens a river for a client, when it is the client's turn.
func (s *Server) open(ctx context.Context, key river.Key, client string) (Watch, error) {
	leave, err := s.admission(ctx, client)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.config.Rivers.Watch(turnstile.WithClient(ctx, client), key)
}
