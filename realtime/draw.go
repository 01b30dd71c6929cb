package realtime

import (
	"encoding/json"
	"fmt"
	"runtime/debug"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A drawing is an entry as it was drawn; none where the renderer failed.
type drawing struct{ json json.RawMessage }

// A composer has what patches are made of: a hub, which remembers what it drew,
// or the server, for pages that come by and go again.
type composer interface {
	// draw draws an entry, and says whether that went well.
	draw(p *river.Patch, e *river.Entry, as Form) (json.RawMessage, bool)
	// missing says whether the post's entry was left out before.
	missing(timeline.PostID) bool
	cards(*river.Patch) (users, groups json.RawMessage)
}

// draw returns the drawn entry, remembered by its [drawnKey]. One that can't be drawn is
// poisoned: it is left out, and remembered as long as no other state of it is
// drawn, for what stands below it on a page has to stand somewhere else.
func (h *hub) draw(p *river.Patch, e *river.Entry, as Form) (json.RawMessage, bool) {
	post := postOf(e)
	key := drawnKeyOf(e, as)
	h.mu.Lock()
	drawn, held := h.drawn[key]
	h.mu.Unlock()
	if held {
		return drawn.json, drawn.json != nil
	}
	drawn.json = h.server.drawn(p, e, as)
	h.mu.Lock()
	defer h.mu.Unlock()
	if drawn.json != nil {
		delete(h.poisoned, post)
	} else {
		if h.poisoned == nil || len(h.poisoned) >= drawnHeld {
			h.poisoned = map[timeline.PostID]bool{}
		}
		h.poisoned[post] = true
	}
	if e.Tag == "" {
		return drawn.json, drawn.json != nil
	}
	if h.drawnSize += len(drawn.json); h.drawn == nil || h.drawnSize > bytesHeld || len(h.drawn) >= drawnHeld {
		h.drawn, h.drawnSize = map[drawnKey]drawing{}, len(drawn.json)
	}
	h.drawn[key] = drawn
	return drawn.json, drawn.json != nil
}

// missing says whether the post's entry was left out.
func (h *hub) missing(post timeline.PostID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.poisoned[post]
}

func (h *hub) cards(p *river.Patch) (users, groups json.RawMessage) { return h.server.cards(p) }

func (s *Server) missing(timeline.PostID) bool { return false }

func (s *Server) draw(p *river.Patch, e *river.Entry, as Form) (json.RawMessage, bool) {
	drawn := s.drawn(p, e, as)
	return drawn, drawn != nil
}

// drawn has an entry rendered, as a value of JSON; nil where the renderer fails.
func (s *Server) drawn(p *river.Patch, e *river.Entry, as Form) (drawn json.RawMessage) {
	s.stats.drawn.Add(1)
	defer func() {
		if fault := recover(); fault != nil {
			s.poison(p, e, fmt.Sprint(fault))
			drawn = nil
		}
	}()
	if language, is := as.html(); is {
		return encode(s.config.Render.EntryHTML(language, p.Sets, e, p.Users, p.Groups))
	}
	drawn = s.config.Render.EntryJSON(p.Sets, e, p.Users, p.Groups)
	if !json.Valid(drawn) {
		s.poison(p, e, "invalid JSON")
		return nil
	}
	return drawn
}

// poison notes an entry that can't be drawn, once.
func (s *Server) poison(p *river.Patch, e *river.Entry, fault string) {
	key := drawnKeyOf(e, "")
	s.mu.Lock()
	known := s.poisoned[key]
	if !known {
		if len(s.poisoned) >= drawnHeld {
			clear(s.poisoned)
		}
		s.poisoned[key] = true
	}
	s.mu.Unlock()
	if known {
		return
	}
	s.stats.poisoned.Add(1)
	if s.config.Poisoned != nil {
		s.config.Poisoned(key.post, fault)
	}
	viewer := timeline.UserID(0)
	if p.Sets != nil {
		viewer = p.Sets.User
	}
	s.config.Log.Error("an entry can't be drawn and is left out",
		"post", key.post, "tag", e.Tag, "viewer", viewer, "err", fault, "stack", string(debug.Stack()))
}

// cards are the maps beside entries as JSON.
func (s *Server) cards(p *river.Patch) (users, groups json.RawMessage) {
	defer func() {
		if fault := recover(); fault != nil {
			s.config.Log.Error("cards can't be drawn", "err", fmt.Sprint(fault), "stack", string(debug.Stack()))
			users, groups = json.RawMessage("{}"), json.RawMessage("{}")
		}
	}()
	users, groups = s.config.Render.Cards(p.Sets, p.Users, p.Groups)
	return s.checked(users), s.checked(groups)
}

// checked keeps a renderer's fault from becoming a frame that no page can read.
func (s *Server) checked(raw json.RawMessage) json.RawMessage {
	if json.Valid(raw) {
		return raw
	}
	s.config.Log.Error("a renderer made invalid JSON", "bytes", len(raw))
	return json.RawMessage("{}")
}
