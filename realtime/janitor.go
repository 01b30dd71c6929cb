package realtime

import "time"

// housekeep looks after all sockets, as long as there are any: it writes beats, drops
// sockets that were closed and did not go, and tells pages the state of the node. One
// goroutine, and one number per socket, cost less than a timer per socket.
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

// checkAge closes all sockets if the node has been behind so long that what it shows may be
// wrong. If the node falls behind for a shorter time, or catches up, checkAge sends all pages
// a frame that says so.
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

// updateBehind notes whether a node of that age is behind, and reports whether that
// changed. A node that is behind counts as behind until its age is half of the limit,
// so that a node near the limit does not send a frame to all pages at every tick.
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
