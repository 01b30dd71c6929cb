package realtime

import (
	"maps"
	"slices"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// The room of a post holds the hubs of its page: one for each person who is signed
// in, and one for all who are not. Where the site wants that, each hub's pages are
// told how many are present: the people who may read the post, and the sockets of
// those who are not signed in. Across a ban neither person counts for the other.
// Where somebody is not signed in no ban is known: they count for everybody, and
// everybody counts for them.
//
// A hub is told now and then only: a post that thousands come to and leave is no
// reason to write to thousands each time. When a hub was told last depends on what
// that hub may count alone, or the delay would tell of the others.

// An attendance is what the pages of a hub were told last.
type attendance struct {
	count int32          // 0: nothing
	by    *timeline.Sets // whose bans the count leaves out
	at    time.Time
}

// leavesOut reports whether the count leaves out the people that the sets ban.
func (a *attendance) leavesOut(sets *timeline.Sets) bool {
	return a.by == sets || maps.Equal(a.by.Bans, sets.Bans)
}

// enterRoom puts a hub into its post's room; s.mu is held.
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

// attend counts who is in each room, and has those told whose count changed.
func (s *Server) attend(now time.Time) {
	wanted := s.config.Presence != nil && s.config.Presence()
	if !wanted && !s.counts {
		return
	}
	s.counts = wanted
	s.mu.Lock()
	rooms := make([][]*hub, 0, len(s.rooms))
	for _, hubs := range s.rooms {
		rooms = append(rooms, slices.Collect(maps.Keys(hubs)))
	}
	s.mu.Unlock()
	for _, hubs := range rooms {
		if wanted {
			attendRoom(hubs, now, s.config.PresentEvery)
			continue
		}
		for _, h := range hubs {
			h.hear(nil)
		}
	}
}

// attendRoom counts who is in one room.
func attendRoom(hubs []*hub, now time.Time, every time.Duration) {
	sets := make(map[*hub]*timeline.Sets, len(hubs))
	people := make(map[timeline.UserID]bool, len(hubs))
	all := 0
	for _, h := range hubs {
		viewer, may := h.current().Viewer()
		if !may {
			continue // to be closed
		}
		sets[h] = viewer
		if h.key.Viewer == 0 {
			all += h.count()
		} else {
			people[h.key.Viewer] = true
			all++
		}
	}
	for h, viewer := range sets {
		was := h.heard.Load()
		same := was != nil && was.leavesOut(viewer)
		if same && now.Sub(was.at) < every {
			continue // which is asked first: counting costs as much as there are bans
		}
		count := int32(all - apart(viewer.Bans, people))
		if !same || was.count != count {
			h.hear(&attendance{count, viewer, now})
		}
	}
}

// apart counts the people whom bans name.
func apart(bans, people map[timeline.UserID]bool) (count int) {
	if len(people) < len(bans) {
		bans, people = people, bans
	}
	for user := range bans {
		if _, is := people[user]; is {
			count++
		}
	}
	return count
}

// hear has the hub's pages told how many are present; nil: nothing any more.
func (h *hub) hear(now *attendance) {
	if was := h.heard.Swap(now); was != now {
		h.poke()
	}
}

// present returns how many are present as the pages of the hub are to be told; 0:
// nothing. It returns false where the count has people whom the viewer's bans leave
// out by now, so that it must be made anew first.
func (h *hub) present(w Watch) (count int32, known bool) {
	last := h.heard.Load()
	if last == nil {
		return 0, true
	}
	viewer, may := w.Viewer()
	if !may || !last.leavesOut(viewer) {
		return 0, false
	}
	return last.count, true
}

// count returns how many sockets the hub has.
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
