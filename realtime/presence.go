package realtime

import (
	"sync/atomic"
	"time"

	"amstel.dev/amstel/river"
)

// A room is all who have the page of one post open: the hubs of its rivers, one a
// person who is signed in, and one for everybody else. How many they are is told to
// all of them, where the site wants that, and now and then only: a post that
// thousands come to and leave is no reason to write to thousands each time.
type room struct {
	hubs map[*hub]bool
	said time.Time    // when that was last told
	told atomic.Int32 // as what; 0: nothing
}

// enterRoom puts a hub into its post's room; s.mu is held.
func (s *Server) enterRoom(h *hub) {
	if h.key.What != river.KindPost {
		return
	}
	r := s.rooms[h.key.TheirID]
	if r == nil {
		r = &room{hubs: make(map[*hub]bool)}
		s.rooms[h.key.TheirID] = r
	}
	r.hubs[h] = true
	h.room = r
}

// leaveRoom takes it out; s.mu is held.
func (s *Server) leaveRoom(h *hub) {
	if h.room == nil {
		return
	}
	delete(h.room.hubs, h)
	if len(h.room.hubs) == 0 {
		delete(s.rooms, h.key.TheirID)
	}
}

// attend counts who is in each room, and has those told that changed.
func (s *Server) attend(now time.Time) {
	wanted := s.config.Presence != nil && s.config.Presence()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rooms {
		there := 0
		for h := range r.hubs {
			switch {
			case !wanted:
			case h.key.Viewer != 0:
				there++
			default:
				there += h.count()
			}
		}
		if int32(there) == r.told.Load() || now.Sub(r.said) < s.config.PresentEvery {
			continue
		}
		r.said = now
		r.told.Store(int32(there))
		for h := range r.hubs {
			h.poke()
		}
	}
}

// present is how many have the hub's post open, as pages are told; 0: they are not.
func (h *hub) present() int32 {
	if h.room == nil {
		return 0
	}
	return h.room.told.Load()
}

// count is how many sockets the hub has.
func (h *hub) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sockets.all)
}

// poke asks the hub for a round, though its river did not change.
func (h *hub) poke() {
	select {
	case h.swap <- struct{}{}:
	default:
	}
}
