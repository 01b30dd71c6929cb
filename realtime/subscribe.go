package realtime

import (
	"context"
	"errors"
	"strconv"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// errBusy reports that the turn of a client to open a river did not come in time.
var errBusy = errors.New("too many rivers are being opened")

// admitSubs admits the page's subs, one after another, until none is left.
func (s *socket) admitSubs() {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), s.server.config.SubWithin)
		s.mu.Lock()
		m := s.requested
		s.requested = nil
		if m == nil || s.closing != nil || s.ended {
			s.admitting, s.stop = false, nil
			s.mu.Unlock()
			cancel()
			return
		}
		s.stop = cancel
		s.mu.Unlock()
		err := s.subscribe(ctx, m)
		cancel()
		if err == nil {
			s.tryWrite(&writer{})
			continue
		}
		why, known := closureOf(err)
		if !known {
			s.server.config.Log.Error("could not answer a sub", "viewer", s.viewer, "err", err)
		}
		s.close(why)
	}
}

// subscribe admits one sub: it puts the socket into the hub of the page's river, and leaves the
// answer to be written.
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
	if s.ended { // while the river was opened
		s.mu.Unlock()
		s.server.leave(h, s)
		return nil
	}
	s.hub, s.sub = h, &sub{s.server.form(m), m.resume(at)}
	s.mu.Unlock()
	return nil
}

// waitAdmission waits until a river may be opened for a client, named as by [clientName]. The
// caller calls leave when the river is open. Only a few rivers are opened at a time, so that the
// node stays responsive when a thousand pages come back at once. Clients take turns, so a client
// that opens and closes sockets as fast as it can delays only itself.
func (s *Server) waitAdmission(ctx context.Context, client string) (leave func(), err error) {
	leave, err = s.admission.Enter(ctx, client)
	if err == nil && ctx.Err() != nil { // the turn came too late
		leave()
		err = ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, errBusy
	}
	return leave, err
}

// clientName returns the name of the line in which a client waits: the viewer's, or else the
// network's. The name is empty if neither is known.
func clientName(viewer timeline.UserID, network string) string {
	if viewer != 0 {
		return "user " + strconv.FormatInt(int64(viewer), 10)
	}
	if network == "" {
		return ""
	}
	return "network " + network
}

// join finds the river of a page, checks that the viewer may open the river, and puts the socket
// into the river's hub.
func (s *Server) join(ctx context.Context, m *message, sock *socket) (*hub, river.At, error) {
	client := clientName(sock.viewer, sock.client)
	leave, err := s.waitAdmission(ctx, client)
	if err != nil {
		return nil, river.At{}, err
	}
	defer leave()
	key, at, err := s.resolve(ctx, sock.viewer, sock.credential, m.River, m.Page)
	if err != nil {
		return nil, at, err
	}
	h, err := s.enterHub(ctx, key, client, func(h *hub) { h.add(sock) })
	return h, at, err
}

// enterHub checks that the viewer may open a river, and adds a socket or a listener to the
// river's hub. The client has been admitted.
func (s *Server) enterHub(ctx context.Context, key river.Key, client string, add func(*hub)) (*hub, error) {
	// An access check at the state that is still published need not be repeated.
	was := s.hubOf(key)
	published := int64(-1)
	if was != nil {
		if published = was.current().Counter(); was.tested.Load() == published && s.enter(was, add) {
			return was, nil
		}
	}
	w, err := s.config.Rivers.Watch(turnstile.WithClient(ctx, client), key)
	if err != nil {
		return nil, err
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
		h.replaceWatch(w, nil)
		if h == was {
			h.tested.Store(published)
		}
	}
	add(h)
	return h, nil
}

// hubOf returns the hub of a river, or nil if no socket has it open.
func (s *Server) hubOf(key river.Key) *hub {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hubs[key]
}

// enter adds a socket or a listener to a hub. It returns false if the hub has ended.
func (s *Server) enter(h *hub, add func(*hub)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hubs[h.key] != h {
		return false
	}
	add(h)
	return true
}

// leave takes the socket out of its hub.
func (s *Server) leave(h *hub, sock *socket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endIfEmpty(h, h.remove(sock))
}

// endIfEmpty ends a hub that has no socket and no listener left; s.mu is held.
func (s *Server) endIfEmpty(h *hub, left int) {
	if left == 0 && s.hubs[h.key] == h {
		delete(s.hubs, h.key)
		s.leaveRoom(h)
		h.end()
	}
}

// resolve returns the river of a page, and the page's part of the river. The river must have the
// name that the page sent.
func (s *Server) resolve(ctx context.Context, viewer timeline.UserID, credential, name, page string) (river.Key, river.At, error) {
	var held []byte
	if credential != "" {
		held = []byte(credential)
	}
	if viewer == 0 {
		ctx = turnstile.WithStranger(ctx)
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
		// Either the session that owned this river has ended, or the river does not exist. Both
		// get the same answer, so that a client can't tell them apart.
		return key, at, timeline.ErrUnauthorized
	}
	return key, at, timeline.ErrForbidden
}
