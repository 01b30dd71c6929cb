package realtime

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// asPosts is the form of the frames that a [Listener] fetches.
const asPosts Form = "posts"

// How much of a river a listener is told of.
const (
	listenedCount = 100 // the uppermost entries, at the time of the subscription, and all that come above
	listenedReset = 25  // entries to send if the changes are unknown
)

// A Listening names the river to which a client listens, and the client's right to it.
type Listening struct {
	Key        river.Key
	Credential []byte    // the hash of the viewer's session or token; nil for viewer 0
	Expires    time.Time // when the token ends; zero: never
	Began      time.Time // a moment before the session or token was looked up
	Client     string    // the client that the opening of the river counts against, for viewer 0
}

// A Listener hears of the changes of one river, for a protocol that tells of single posts. Like a
// socket a Listener holds a counter and a window, never a queue: changes are composed when the
// client fetches them. So a client that never fetches costs no more than any other, and nothing is
// told after the right to see a post was taken away.
type Listener struct {
	server     *Server
	hub        *hub // guarded by server.mu until Listen has returned
	credential string
	expires    time.Time
	began      time.Time
	expiry     *time.Timer // guarded by server.mu
	changed    func()
	stop       context.CancelFunc // ends Listen
	ended      atomic.Pointer[closure]

	mu    sync.Mutex
	state *pageState
	since time.Time // posts and comments that are newer are told of by the first Fetch; zero afterwards
}

// An EndError says why a client may not listen, or not any longer.
type EndError struct {
	Code   websocket.StatusCode // with which a socket would be closed
	Reason string
	err    error
}

func (e *EndError) Error() string { return e.Reason }

func (e *EndError) Unwrap() error { return e.err }

// Temporary reports whether the client may succeed if it tries again.
func (e *EndError) Temporary() bool { return e.Code < CodeBad }

// Listen opens a river for a client. The server calls changed, which must not wait, when
// [Listener.Fetch] has something to return. The error is an [EndError].
func (s *Server) Listen(ctx context.Context, to Listening, changed func()) (*Listener, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.SubWithin)
	defer cancel()
	l := &Listener{server: s, credential: string(to.Credential), expires: to.Expires, began: to.Began, changed: changed, stop: cancel, since: time.Now().Add(-s.config.Recent)}
	if err := s.registerListener(l); err != nil {
		return nil, s.endError(err)
	}
	defer s.wg.Done()
	err := l.open(ctx, to)
	if why := l.ended.Load(); why != nil { // while the river was opened
		l.Close()
		return nil, &EndError{why.code, why.reason, err}
	}
	if err != nil {
		l.Close()
		return nil, s.endError(err)
	}
	return l, nil
}

// registerListener adds a listener to the server, and counts the call of [Server.Listen] among
// the goroutines that the server waits for.
func (s *Server) registerListener(l *Listener) error {
	if s.config.Rivers.Age() > s.config.Away {
		return river.ErrBehind
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.draining:
		return river.ErrBehind
	case l.credential != "" && s.endedSince(l.credential, l.began):
		return timeline.ErrUnauthorized
	}
	s.listeners[l] = struct{}{}
	l.expiry = s.endAt(l.expires, l.credential)
	s.wg.Add(1)
	return nil
}

// open puts the listener into the hub of its river.
func (l *Listener) open(ctx context.Context, to Listening) error {
	s := l.server
	client := clientName(to.Key.Viewer, to.Client)
	leave, err := s.waitAdmission(ctx, client)
	if err != nil {
		return err
	}
	defer leave()
	h, err := s.enterHub(ctx, to.Key, client, func(h *hub) { // which holds s.mu
		l.hub = h
		h.addListener(l)
	})
	if err != nil {
		return err
	}
	return h.withWatch(l.begin)
}

// begin notes the state of the river from which on the listener is told of changes.
func (l *Listener) begin(w Watch) error {
	at := river.At{Count: listenedCount}
	p, window, err := w.Resume(river.Resume{At: at, Epoch: w.Epoch(), Counter: w.Counter(), Poll: true})
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = &pageState{view{at, asPosts, p.Epoch, window}, p.To}
	return nil
}

// endError returns the error for a listener that can't go on.
func (s *Server) endError(err error) *EndError {
	why, known := closureOf(err)
	if !known {
		s.config.Log.Error("could not serve a listener", "err", err)
	}
	return &EndError{why.code, why.reason, err}
}

// Fetch returns the changes since the last call, one JSON value for each post: the entry with the
// cards that it shows, as in {"post":…,"users":…,"groups":…}, or {"deleted":ID}. The first call
// also returns the newest posts, which the client's page may not have yet. If the listener has
// ended, the error is an [EndError].
func (l *Listener) Fetch() ([]json.RawMessage, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if why := l.ended.Load(); why != nil {
		return nil, &EndError{why.code, why.reason, nil}
	}
	var posts []json.RawMessage
	err := l.hub.withWatch(func(w Watch) error {
		var err error
		posts, err = l.fetch(w)
		return err
	})
	l.hub.trimCaches()
	if err != nil {
		ended := l.server.endError(err)
		l.ended.CompareAndSwap(nil, &closure{ended.Code, ended.Reason})
		l.Close()
		return nil, ended
	}
	l.server.stats.told.Add(int64(len(posts)))
	return posts, nil
}

func (l *Listener) fetch(w Watch) ([]json.RawMessage, error) {
	var posts []json.RawMessage
	if !l.since.IsZero() {
		p, _, err := w.Resume(river.Resume{At: river.At{Count: listenedReset}})
		if err != nil {
			return nil, err
		}
		p.Entries = slices.DeleteFunc(slices.Clone(p.Entries), func(e river.Entry) bool {
			return e.Fold == nil || e.Fold.Text.FreshAt < l.since.UnixMilli()
		})
		posts = l.hub.encodePosts(p)
	}
	f, err := l.hub.catchUpFrame(w, l.state)
	if err != nil {
		return nil, err
	}
	l.since = time.Time{}
	if f.next != nil {
		l.state = f.next
	}
	if f.encoded != nil {
		posts = append(posts, f.encoded.posts...)
	}
	return posts, nil
}

// Close ends the listener. It may be called more than once.
func (l *Listener) Close() {
	l.ended.CompareAndSwap(nil, &closeRestart)
	s := l.server
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners, l)
	stop(l.expiry)
	if l.hub != nil {
		s.endIfEmpty(l.hub, l.hub.removeListener(l))
	}
}

// end ends the listener for a reason, which the next Fetch returns. An ended listener keeps no
// river open.
func (l *Listener) end(why closure) {
	if l.ended.CompareAndSwap(nil, &why) {
		l.stop()
		l.Close()
		l.changed()
	}
}

func (h *hub) addListener(l *Listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners[l] = struct{}{}
}

// removeListener removes a listener and returns how many sockets and listeners are left.
func (h *hub) removeListener(l *Listener) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.listeners, l)
	return len(h.sockets.all) + len(h.listeners)
}

// listening returns the hub's listeners, in no order.
func (h *hub) listening() []*Listener {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.listeners) == 0 {
		return nil
	}
	return slices.Collect(maps.Keys(h.listeners))
}

// encodePosts returns the changes of a patch, or the uppermost entries of a reset, one JSON
// value for each post. Removals come first, and then the entries from the bottom up: a client
// that puts each post it does not know on top ends in the order of the river.
func (h *hub) encodePosts(p *river.Patch) (posts []json.RawMessage) {
	var entries []*river.Entry
	for _, op := range p.Ops {
		if op.Gone {
			posts = append(posts, deleted(op.Post))
		} else {
			entries = append(entries, op.Entry)
		}
	}
	for i := range p.Entries[:min(len(p.Entries), listenedReset)] {
		entries = append(entries, &p.Entries[i])
	}
	for _, e := range slices.Backward(entries) {
		posts = append(posts, h.encodePost(p, e))
	}
	return posts
}

// encodePost returns an entry with its cards and the viewer's card, or the removal of an entry
// that can't be rendered.
func (h *hub) encodePost(p *river.Patch, e *river.Entry) json.RawMessage {
	entry, ok := h.render(p, e, AsJSON)
	if !ok {
		return deleted(e.Post())
	}
	shown := river.Patch{Sets: p.Sets, Users: Users{}, Groups: Groups{}}
	user := func(id timeline.UserID) {
		if card := p.Users[id]; card != nil {
			shown.Users[id] = card
		}
	}
	e.VisitCards(user, func(id timeline.GroupID) {
		if card := p.Groups[id]; card != nil {
			shown.Groups[id] = card
		}
	})
	user(h.key.Viewer)
	users, groups := h.cards(&shown)
	return wirejson.MustEncode(struct {
		Post   json.RawMessage `json:"post"`
		Users  json.RawMessage `json:"users"`
		Groups json.RawMessage `json:"groups"`
	}{entry, users, groups})
}

func deleted(post timeline.PostID) json.RawMessage { return fmt.Appendf(nil, `{"deleted":%d}`, post) }
