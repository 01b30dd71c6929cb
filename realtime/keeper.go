package realtime

import "time"

// keep looks after all sockets, as long as there are any: it has beats written,
// cuts who does not go, and tells of the node what pages are to know. One
// goroutine and a number a socket are cheaper than timers.
func (s *Server) keep() {
	tick := time.NewTicker(s.config.tick())
	defer tick.Stop()
	var by hand
	by.light = true
	for {
		select {
		case <-tick.C:
		case <-s.empty:
		}
		s.mu.Lock()
		sockets := s.sockets.members()
		if len(sockets) == 0 {
			s.keeping = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		s.vouch(sockets, &by)
		s.attend(time.Now())
		now := s.now()
		for _, one := range sockets {
			if one.due.Load() <= now {
				one.overdue(now, &by)
			}
		}
	}
}

// vouch closes all sockets when the node has been behind for so long that it
// can't vouch for what it shows, and tells their pages when it is behind at all.
func (s *Server) vouch(sockets []*socket, by *hand) {
	age := s.config.Rivers.Age()
	if age > s.config.Away {
		s.shutAll(closeBehind)
		return
	}
	if s.lags(age) {
		for _, one := range sockets {
			one.begin(by)
		}
	}
}

// lags notes whether a node of that age is behind, and says whether that is new.
// One that is must come up well before it is not.
func (s *Server) lags(age time.Duration) bool {
	limit := s.config.Behind
	was := s.behind.Load()
	if was {
		limit /= 2
	}
	s.behind.Store(age > limit)
	return was != (age > limit)
}

// tick is how often the sockets are looked after: as often as the shortest of
// the times that are kept by it needs.
func (c *Limits) tick() time.Duration {
	shortest := 2 * time.Second
	for _, d := range []time.Duration{c.Beat / 10, c.SubWithin, c.CloseWithin, c.Behind, c.Away} {
		shortest = min(shortest, d)
	}
	return max(shortest/4, time.Millisecond)
}
