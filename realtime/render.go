package realtime

import (
	"encoding/json"
	"fmt"
	"runtime/debug"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// A rendering is an entry in the form that is sent, or nil if the renderer failed.
type rendering struct{ json json.RawMessage }

// A renderKey names a rendered entry. Version and place stand beside the tag because tags leave
// both out: a post that shows an earlier text again has the tag of the earlier text, and a page
// must not be sent an older version or place.
type renderKey struct {
	post    timeline.PostID
	version int
	place   timeline.Cursor
	tag     string
	as      Form
}

// renderKeyOf returns the key of an entry that is rendered in a form.
func renderKeyOf(e *river.Entry, as Form) renderKey {
	return renderKey{e.Post(), versionOf(e), e.Cursor, e.Tag, as}
}

// A composer renders the entries and cards of patches: a hub, which keeps rendered entries, or the
// server, for polls.
type composer interface {
	// render renders an entry, and reports whether the renderer succeeded.
	render(p *river.Patch, e *river.Entry, as Form) (json.RawMessage, bool)
	// leftOut reports whether the post's entry was left out of earlier frames.
	leftOut(timeline.PostID) bool
	cards(*river.Patch) (users, groups json.RawMessage)
}

// render returns the rendered entry, and keeps the result by its [renderKey]. An entry that can't
// be rendered is poisoned: the hub leaves the entry out, and remembers the omission until another
// state of the entry is rendered, because the entries below must be placed after another one.
func (h *hub) render(p *river.Patch, e *river.Entry, as Form) (json.RawMessage, bool) {
	post := e.Post()
	key := renderKeyOf(e, as)
	h.mu.Lock()
	r, held := h.rendered[key]
	h.mu.Unlock()
	if held {
		return r.json, r.json != nil
	}
	r.json = h.server.tryRender(p, e, as)
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.json != nil {
		delete(h.poisoned, post)
	} else {
		if h.poisoned == nil || len(h.poisoned) >= renderedHeld {
			h.poisoned = map[timeline.PostID]bool{}
		}
		h.poisoned[post] = true
	}
	if e.Tag == "" { // no key tells its states apart
		return r.json, r.json != nil
	}
	if h.renderedSize += len(r.json); h.rendered == nil || h.renderedSize > bytesHeld || len(h.rendered) >= renderedHeld {
		h.rendered, h.renderedSize = map[renderKey]rendering{}, len(r.json)
	}
	h.rendered[key] = r
	return r.json, r.json != nil
}

// leftOut reports whether the post's entry was left out of earlier frames.
func (h *hub) leftOut(post timeline.PostID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.poisoned[post]
}

func (h *hub) cards(p *river.Patch) (users, groups json.RawMessage) { return h.server.cards(p) }

func (s *Server) leftOut(timeline.PostID) bool { return false }

func (s *Server) render(p *river.Patch, e *river.Entry, as Form) (json.RawMessage, bool) {
	rendered := s.tryRender(p, e, as)
	return rendered, rendered != nil
}

// tryRender returns a rendered entry as a JSON value, or nil if the renderer panics or
// returns invalid JSON.
func (s *Server) tryRender(p *river.Patch, e *river.Entry, as Form) (rendered json.RawMessage) {
	s.stats.rendered.Add(1)
	defer func() {
		if fault := recover(); fault != nil {
			s.reportPoisoned(p, e, fmt.Sprint(fault))
			rendered = nil
		}
	}()
	if language, ok := as.html(); ok {
		return wirejson.MustEncode(s.config.Render.EntryHTML(language, p.Sets, e, p.Users, p.Groups))
	}
	rendered = s.config.Render.EntryJSON(p.Sets, e, p.Users, p.Groups)
	if !json.Valid(rendered) {
		s.reportPoisoned(p, e, "invalid JSON")
		return nil
	}
	return rendered
}

// reportPoisoned logs an entry that can't be rendered, once for each state of the entry, and has
// the node quarantine the post.
func (s *Server) reportPoisoned(p *river.Patch, e *river.Entry, fault string) {
	key := renderKeyOf(e, "")
	s.mu.Lock()
	known := s.poisoned[key]
	if !known {
		if len(s.poisoned) >= renderedHeld {
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
	s.config.Log.Error("could not render an entry, which is left out",
		"post", key.post, "tag", e.Tag, "viewer", viewer, "err", fault, "stack", string(debug.Stack()))
}

// cards returns the maps of people and groups that stand beside entries as JSON.
func (s *Server) cards(p *river.Patch) (users, groups json.RawMessage) {
	defer func() {
		if fault := recover(); fault != nil {
			s.config.Log.Error("could not render cards", "err", fmt.Sprint(fault), "stack", string(debug.Stack()))
			users, groups = json.RawMessage("{}"), json.RawMessage("{}")
		}
	}()
	users, groups = s.config.Render.Cards(p.Sets, p.Users, p.Groups)
	return s.checked(users), s.checked(groups)
}

// checked returns raw if raw is valid JSON, and an empty object otherwise, so that a fault of the
// renderer can't make a frame that no page can read.
func (s *Server) checked(raw json.RawMessage) json.RawMessage {
	if json.Valid(raw) {
		return raw
	}
	s.config.Log.Error("the renderer returned invalid JSON", "bytes", len(raw))
	return json.RawMessage("{}")
}
