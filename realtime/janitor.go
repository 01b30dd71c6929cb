package realtime

import "time"

// housekeep looks after all sockets until the last one is gone: it writes beats, drops closed
// sockets that are still connected, and tells pages the state of the node. One goroutine, and
// one number per socket, cost less than a timer per socket.
func (s *Server) housekeep() {
	tick := time.NewTicker(s.config.tick())
	defer tick.Stop()
	by := writer{light: true}
	for {
		select {
		case <-tick.C:
		case <-s.empty:
		}
		s.mu.Lock()
		sockets := s.sockets.members()
		if len(sockets) == 0 {
			s.housekeeping = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		s.checkAge(sockets, &by)
		s.countPresent(time.Now())
		now := s.now()
		for _, sock := range sockets {
			if sock.due.Load() <= now {
				sock.handleDue(now, &by)
			}
		}
	}
}

// checkAge closes all sockets if the node has been behind so long that its pages may be wrong. If
// the node falls behind for a shorter time, or catches up, checkAge sends all pages a frame with
// the news.
func (s *Server) checkAge(sockets []*socket, by *writer) {
	age := s.config.Rivers.Age()
	if age > s.config.Away {
		s.closeAll(closeBehind)
		return
	}
	if s.updateBehind(age) {
		for _, sock := range sockets {
			sock.tryWrite(by)
		}
	}
}

// updateBehind notes whether a node of the given age is behind, and reports whether the answer
// changed. A node that is behind counts as behind until its age is half of the limit, so that a
// node near the limit does not send a frame to all pages at every tick.
func (s *Server) updateBehind(age time.Duration) (changed bool) {
	limit := s.config.Behind
	was := s.behind.Load()
	if was {
		limit /= 2
	}
	s.behind.Store(age > limit)
	return was != (age > limit)
}

// tick returns the time between two looks of the janitor: a quarter of the shortest
// time that the janitor keeps.
func (l *Limits) tick() time.Duration {
	shortest := 2 * time.Second
	for _, d := range []time.Duration{l.Beat / 10, l.SubWithin, l.CloseWithin, l.Behind, l.Away} {
		shortest = min(shortest, d)
	}
	return max(shortest/4, time.Millisecond)
}
