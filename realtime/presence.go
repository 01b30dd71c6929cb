package realtime

import (
	"maps"
	"slices"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// The room of a post holds the hubs of its page: one hub for each signed-in person, and one
// for viewer 0. If the site's settings ask for presence, each hub tells its pages how many
// readers are present: people with the right to read the post, and the sockets of viewer 0.
// Across a ban neither person counts for the other. Viewer 0 has no bans: its sockets count
// for every person, and every person counts for them.
//
// A hub tells its pages at most once in [Limits.PresentEvery]. Otherwise each of thousands
// of people who open and leave a post would cause a write to thousands of pages. The time
// depends only on the people the hub may count, or else the delay would give away the
// others.

// An attendance is the number of people present, as the pages of a hub were told last.
type attendance struct {
	count int32          // 0: pages were told no number
	by    *timeline.Sets // the viewer's sets: the count leaves out the people they ban
	at    time.Time
}

// leavesOut reports whether the count leaves out exactly the people the sets ban.
func (a *attendance) leavesOut(sets *timeline.Sets) bool {
	return a.by == sets || maps.Equal(a.by.Bans, sets.Bans)
}

// enterRoom adds a hub to its post's room; s.mu is held.
func (s *Server) enterRoom(h *hub) {
	if h.key.What != river.KindPost {
		return
	}
	if s.rooms[h.key.TheirID] == nil {
		s.rooms[h.key.TheirID] = make(map[*hub]bool)
	}
	s.rooms[h.key.TheirID][h] = true
}

// leaveRoom takes a hub out of its post's room; s.mu is held.
func (s *Server) leaveRoom(h *hub) {
	if h.key.What != river.KindPost {
		return
	}
	delete(s.rooms[h.key.TheirID], h)
	if len(s.rooms[h.key.TheirID]) == 0 {
		delete(s.rooms, h.key.TheirID)
	}
}

// countPresent counts the people in each room, and tells pages their number if it changed.
func (s *Server) countPresent(now time.Time) {
	wanted := s.config.Presence != nil && s.config.Presence()
	if !wanted && !s.presence {
		return
	}
	s.presence = wanted
	s.mu.Lock()
	rooms := make([][]*hub, 0, len(s.rooms))
	for _, hubs := range s.rooms {
		rooms = append(rooms, slices.Collect(maps.Keys(hubs)))
	}
	s.mu.Unlock()
	for _, hubs := range rooms {
		if wanted {
			countRoom(hubs, now, s.config.PresentEvery)
			continue
		}
		for _, h := range hubs {
			h.announce(nil)
		}
	}
}

// countRoom counts the people in a room, for each of the room's hubs.
func countRoom(hubs []*hub, now time.Time, every time.Duration) {
	sets := make(map[*hub]*timeline.Sets, len(hubs))
	people := make(map[timeline.UserID]bool, len(hubs))
	all := 0
	for _, h := range hubs {
		viewer, may := h.current().Viewer()
		if !may {
			continue // the hub is about to be closed
		}
		sets[h] = viewer
		if h.key.Viewer == 0 {
			all += h.size()
		} else {
			people[h.key.Viewer] = true
			all++
		}
	}
	for h, viewer := range sets {
		was := h.announced.Load()
		same := was != nil && was.leavesOut(viewer)
		if same && now.Sub(was.at) < every {
			continue // checked before counting, because counting costs as much as there are bans
		}
		count := int32(all - countBanned(viewer.Bans, people))
		if !same || was.count != count {
			h.announce(&attendance{count, viewer, now})
		}
	}
}

// countBanned returns how many of the people are banned.
func countBanned(bans, people map[timeline.UserID]bool) (count int) {
	if len(people) < len(bans) {
		bans, people = people, bans
	}
	for user := range bans {
		if _, found := people[user]; found {
			count++
		}
	}
	return count
}

// announce sends the hub's pages the number of people present. With nil, the frame tells pages
// to show no number.
func (h *hub) announce(now *attendance) {
	if was := h.announced.Swap(now); was != now {
		h.requestRound()
	}
}

// present returns how many people are present, as the pages of the hub must be told; 0
// means no number. It returns false if the viewer's bans have changed since the count, so
// that the people must be counted again first.
func (h *hub) present(w Watch) (count int32, known bool) {
	last := h.announced.Load()
	if last == nil {
		return 0, true
	}
	viewer, may := w.Viewer()
	if !may || !last.leavesOut(viewer) {
		return 0, false
	}
	return last.count, true
}

// size returns how many sockets the hub has.
func (h *hub) size() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sockets.all)
}
