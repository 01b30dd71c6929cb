package realtime

import (
	"context"
	"errors"
	"strconv"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// errBusy says that too many rivers are being opened, and for too long.
var errBusy = errors.New("too much is asked for at once")

// grant grants the subs that the page asked for, until there is none.
func (s *socket) grant() {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), s.server.config.SubWithin)
		s.mu.Lock()
		m := s.asked
		s.asked = nil
		if m == nil || s.closing != nil || s.ended {
			s.granting, s.stop = false, nil
			s.mu.Unlock()
			cancel()
			return
		}
		s.stop = cancel
		s.mu.Unlock()
		err := s.subscribe(ctx, m)
		cancel()
		if err == nil {
			s.begin(&hand{})
			continue
		}
		why, known := closureOf(err)
		if !known {
			s.server.config.Log.Error("sub", "viewer", s.viewer, "err", err)
		}
		s.shut(why)
	}
}

// subscribe grants a sub: it finds the river, tests that it is the one the page
// was given and may be opened, and leaves the answer to be written.
func (s *socket) subscribe(ctx context.Context, m *message) error {
	rivers := s.server.config.Rivers
	if rivers.Age() > s.server.config.Away {
		return river.ErrBehind
	}
	if m.Position > 0 {
		if err := rivers.WaitPosition(ctx, m.Position); err != nil {
			return errors.Join(river.ErrBehind, err)
		}
	}
	h, at, err := s.server.join(ctx, m, s)
	if err != nil {
		return err
	}
	s.mu.Lock()
	if s.ended { // meanwhile
		s.mu.Unlock()
		s.server.leave(h, s)
		return nil
	}
	s.hub, s.sub = h, &sub{s.server.form(m), m.resume(at)}
	s.mu.Unlock()
	return nil
}

// admission waits until a river may be opened for a client, whose name is
// [clientName]'s. A few are opened at a time, so that a thousand pages that come
// back at once are served and not choked on, and clients take turns: strangers who
// open and close sockets as fast as they can delay each other.
func (s *Server) admission(ctx context.Context, client string) (leave func(), err error) {
	leave, err = s.grants.Enter(ctx, client)
	if err == nil && ctx.Err() != nil { // the turn came too late
		leave()
		err = ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, errBusy
	}
	return leave, err
}

// clientName returns the name by which reads wait in line: the viewer's, or else
// the network's, which is empty where no network is known.
func clientName(viewer timeline.UserID, network string) string {
	if viewer != 0 {
		return "user " + strconv.FormatInt(int64(viewer), 10)
	}
	if network == "" {
		return ""
	}
	return "network " + network
}

// join tests whether the river that a page shows may be opened and puts the
// socket into its hub.
func (s *Server) join(ctx context.Context, m *message, one *socket) (*hub, river.At, error) {
	client := clientName(one.viewer, one.client)
	leave, err := s.admission(ctx, client)
	if err != nil {
		return nil, river.At{}, err
	}
	defer leave()
	key, at, err := s.resolve(ctx, one.viewer, one.credential, m.River, m.Page)
	if err != nil {
		return nil, at, err
	}
	// What was tested of the state that is still published need not be again.
	was := s.hub(key)
	published := int64(-1)
	if was != nil {
		if published = was.current().Counter(); was.tested.Load() == published && s.enter(was, one) {
			return was, at, nil
		}
	}
	w, err := s.config.Rivers.Watch(turnstile.WithClient(ctx, client), key)
	if err != nil {
		return nil, at, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hubs[key]
	if h == nil {
		h = newHub(s, key, w)
		s.hubs[key] = h
		s.enterRoom(h)
		s.wg.Go(h.run)
	} else {
		h.adopt(w, nil)
		if h == was {
			h.tested.Store(published)
		}
	}
	h.add(one)
	return h, at, nil
}

// hub is the river's, if it is open.
func (s *Server) hub(key river.Key) *hub {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hubs[key]
}

// enter puts the socket into a hub, unless that has ended.
func (s *Server) enter(h *hub, one *socket) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hubs[h.key] != h {
		return false
	}
	h.add(one)
	return true
}

// leave takes the socket out of its hub, which goes with its last.
func (s *Server) leave(h *hub, one *socket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.remove(one) == 0 && s.hubs[h.key] == h {
		delete(s.hubs, h.key)
		s.leaveRoom(h)
		h.end()
	}
}

// resolve finds the river that a page shows, which must be the one of that name.
func (s *Server) resolve(ctx context.Context, viewer timeline.UserID, credential, name, page string) (river.Key, river.At, error) {
	var held []byte
	if credential != "" {
		held = []byte(credential)
	}
	is := func(key river.Key) bool { return s.config.Rivers.Name(key, held) == name }
	key, at, err := s.config.Resolve(ctx, viewer, page, is)
	if err != nil {
		return key, at, err
	}
	switch {
	case is(key):
		return key, at, nil
	case viewer == 0:
		// It is somebody's, whose session ended, or nobody's: which of them is not told.
		return key, at, timeline.ErrUnauthorized
	}
	return key, at, timeline.ErrForbidden
}
