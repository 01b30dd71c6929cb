package faye

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Subscription is a channel that a client listens to.
type Subscription interface {
	// Fetch returns the data of the messages that the client was not sent yet, and keeps none
	// of them. After an error the subscription has ended.
	Fetch() ([]json.RawMessage, error)
	Close()
}

// A Refusal is an error of [Config.Listen] that lasts: the channel does not exist (404), the
// client may not listen to the channel (403), or the right to listen has ended (401).
type Refusal struct {
	Code  int
	Words string
}

func (e *Refusal) Error() string { return e.Words }

// The usual refusals.
var (
	ErrUnknownChannel = &Refusal{404, "Unknown channel"}
	ErrSignedOut      = &Refusal{401, "Signed out"}
	ErrForbidden      = &Refusal{403, "Not visible to you"}
)

// Config configures a [Server]. Listen is required.
type Config struct {
	// Listen opens a channel for a client, named as by Client. The Subscription calls changed,
	// which does not wait, when Fetch has something to return. After an error other than a
	// [Refusal] the client may try again.
	Listen func(ctx context.Context, client, channel string, changed func()) (Subscription, error)
	// Client returns the name under which a client is counted, such as its network. If Client is
	// nil or returns an empty name, the client is not counted.
	Client func(*http.Request) string
	// Secret signs clientIds. Processes that accept each other's clients have the same Secret.
	Secret []byte
	Log    *slog.Logger // nil: no log
	Limits
}

// Limits are the times and bounds of a server. Zero values are replaced by the default that
// is given with each.
type Limits struct {
	Timeout     time.Duration // how long a connect waits for messages, as clients are told: 45 s
	Silence     time.Duration // closes a WebSocket that sends nothing for so long: 105 s
	Idle        time.Duration // how long a client is kept that has no carrier: 60 s
	Adopt       time.Duration // how long after its handshake a client may make itself known: 60 s
	Foreign     time.Duration // how long a client of another process may stay without a subscription: 10 s
	WriteWithin time.Duration // ends a client whose message takes longer to write: 10 s
	ByeWithin   time.Duration // the time over which clients spread their return after a restart: 5 s

	ReadLimit    int // bytes in a request or frame: 32 KB
	FramesASec   int // frames that a client may send in any second: 10
	MaxClients   int // clients, and WebSockets, of the whole server: 20,000
	MaxPerClient int // clients, and WebSockets, counted under one name: 200
	MaxChannels  int // subscriptions of one client: 20
}

func (l *Limits) fill() {
	l.Timeout = cmp.Or(l.Timeout, 45*time.Second)
	l.Silence = cmp.Or(l.Silence, 105*time.Second)
	l.Idle = cmp.Or(l.Idle, time.Minute)
	l.Adopt = cmp.Or(l.Adopt, time.Minute)
	l.Foreign = cmp.Or(l.Foreign, 10*time.Second)
	l.WriteWithin = cmp.Or(l.WriteWithin, 10*time.Second)
	l.ByeWithin = cmp.Or(l.ByeWithin, 5*time.Second)
	l.ReadLimit = cmp.Or(l.ReadLimit, 32<<10)
	l.FramesASec = cmp.Or(l.FramesASec, 10)
	l.MaxClients = cmp.Or(l.MaxClients, 20_000)
	l.MaxPerClient = cmp.Or(l.MaxPerClient, 200)
	l.MaxChannels = cmp.Or(l.MaxChannels, 20)
}

// A Server has the clients of one process, and is the http.Handler of its address.
type Server struct {
	config Config
	ids    ids
	stats  counters
	life   context.Context // ends when the server closes
	end    context.CancelFunc
	wg     sync.WaitGroup // requests, the goroutines of sockets, and the ends of clients

	mu      sync.Mutex
	closed  bool
	clients map[string]*client // by clientId; also some that have ended
	alive   int                // clients that have not ended
	known   quota              // all of clients, by the name under which each is counted
	sockets quota              // WebSockets
}

// A quota counts clients or WebSockets, in all and under each name.
type quota struct {
	all    int
	byName map[string]int
}

// take counts one more, unless the count is at its limit.
func (q *quota) take(name string, limits *Limits) error {
	if q.all >= limits.MaxClients || name != "" && q.byName[name] >= limits.MaxPerClient {
		return errCrowded
	}
	q.all++
	if name != "" {
		q.byName[name]++
	}
	return nil
}

func (q *quota) giveBack(name string) {
	q.all--
	if name == "" {
		return
	}
	if q.byName[name]--; q.byName[name] == 0 {
		delete(q.byName, name)
	}
}

var (
	errCrowded = errors.New("too many clients")
	errUnknown = errors.New("no such client")
)

// New creates a Server. It runs no goroutine before the first request comes.
func New(config Config) *Server {
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if config.Client == nil {
		config.Client = func(*http.Request) string { return "" }
	}
	config.Limits.fill()
	s := &Server{
		config: config, ids: newIDs(config.Secret), clients: map[string]*client{},
		known: quota{byName: map[string]int{}}, sockets: quota{byName: map[string]int{}},
	}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// retry returns the advice to go on.
func (s *Server) retry() *advice {
	return &advice{Reconnect: "retry", Timeout: s.config.Timeout.Milliseconds()}
}

// bye returns after how many ms a client that was ended should shake hands anew: at once, or after
// a random time if the server closes, so that not all clients come back at the same moment.
func (s *Server) bye() int64 {
	if s.life.Err() == nil {
		return 0
	}
	return rand.Int64N(max(s.config.ByeWithin.Milliseconds(), 1))
}

// begin counts a request or a goroutine for which a closing server waits. It returns false if
// the server is closing.
func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.wg.Add(1)
	return true
}

// find returns the client of a clientId. A client that shook hands just now, here or on
// another node, is made known.
func (s *Server) find(id, name string) (*client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.clients[id]; c != nil {
		return c, nil
	}
	made, here, ok := s.ids.read(id)
	if age := time.Since(made); !ok || age > s.config.Adopt || age < -s.config.Adopt || s.closed {
		return nil, errUnknown
	}
	if err := s.known.take(name, &s.config.Limits); err != nil {
		s.stats.refused.Add(1)
		return nil, err
	}
	c := newClient(s, id, name)
	s.clients[id] = c
	s.alive++
	if !here {
		c.foreign = time.AfterFunc(s.config.Foreign, c.endIfSilent)
	}
	return c, nil
}

// forget removes a client that has ended. The id is kept for as long as another process could make
// the client known again, so that an ended client stays ended.
func (s *Server) forget(c *client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alive--
	made, _, _ := s.ids.read(c.id)
	if left := s.config.Adopt - time.Since(made); left > 0 && !s.closed {
		time.AfterFunc(left, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.drop(c)
		})
		return
	}
	s.drop(c)
}

// drop forgets the id of a client; s.mu is held.
func (s *Server) drop(c *client) {
	delete(s.clients, c.id)
	s.known.giveBack(c.name)
}

// Close ends all clients, tells them to shake hands anew, and waits until their carriers have
// ended.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	clients := slices.Collect(maps.Values(s.clients))
	s.mu.Unlock()
	s.end()
	for _, c := range clients {
		c.end()
	}
	gone := make(chan struct{})
	go func() {
		s.wg.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("clients of faye did not end in time: %w", ctx.Err())
	}
}

// Stats counts the present state of a [Server], and its work since its start.
type Stats struct {
	Clients, Sockets int // at present

	Handshakes    int64
	Subscriptions int64 // that were granted
	Messages      int64 // sent to subscribers
	Refused       int64 // clients and sockets beyond a limit
}

type counters struct {
	handshakes, subscriptions, messages, refused atomic.Int64
}

// Stats returns the numbers of this moment.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Stats{
		Clients: s.alive, Sockets: s.sockets.all,
		Handshakes: s.stats.handshakes.Load(), Subscriptions: s.stats.subscriptions.Load(),
		Messages: s.stats.messages.Load(), Refused: s.stats.refused.Load(),
	}
}
