package realtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coder/websocket"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// Form is the form of entries in frames: JSON, or HTML in a language. It is part of the keys
// of rendered entries, so that no page gets an entry in another language.
type Form string

// The forms of an entry.
const (
	AsJSON Form = "json"
	AsHTML Form = "html"
)

// form returns the form in which a page is sent entries. A form of HTML has the page's
// language, such as "html ru", if that is a language of the renderer.
func (s *Server) form(m *message) Form {
	if m.As == AsHTML && slices.Contains(s.config.Languages, m.Lang) {
		return m.As + Form(" "+m.Lang)
	}
	return m.As
}

// html reports whether entries are sent as HTML, and in which language. The language is empty if
// the page did not name one.
func (f Form) html() (language string, ok bool) {
	language, ok = strings.CutPrefix(string(f), string(AsHTML))
	return strings.TrimSpace(language), ok
}

// A message is a frame from a client: a sub, which asks for a river, or a vis, which says
// whether the page is hidden.
type message struct {
	Type string `json:"type"`

	River    string `json:"river"`
	Page     string `json:"page"`
	Epoch    string `json:"epoch"`
	Counter  int64  `json:"counter"`
	Position int64  `json:"position"`
	Have     []have `json:"have"`
	As       Form   `json:"as"`
	Lang     string `json:"lang"`

	Hidden bool `json:"hidden"`
}

// have is an entry that a page shows, on the wire: [post, tag].
type have river.Have

// UnmarshalJSON reads [post, tag].
func (h *have) UnmarshalJSON(data []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("an entry of have must be [post, tag], not %d values", len(pair))
	}
	if err := json.Unmarshal(pair[0], &h.Post); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], &h.Tag)
}

// parse reads a frame from a client. An error says in a few words what is wrong with the
// frame, short enough for the reason of a closing frame.
func parse(kind websocket.MessageType, data []byte) (*message, error) {
	if kind != websocket.MessageText {
		return nil, errors.New("not a text frame")
	}
	if !utf8.Valid(data) { // encoding/json would replace the bad bytes silently
		return nil, errors.New("not UTF-8")
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, errors.New("not a JSON object of the protocol")
	}
	switch m.Type {
	case "vis":
		return &m, nil
	case "sub":
	default:
		return nil, errors.New("unknown type of message")
	}
	switch m.As {
	case AsJSON, AsHTML:
	case "":
		m.As = AsJSON
	default:
		return nil, errors.New("as must be json or html")
	}
	if m.River == "" || m.Page == "" {
		return nil, errors.New("a sub needs a river and a page")
	}
	return &m, nil
}

// resume returns what the page knows, in the form of package river. A page with a state
// that has no counter is sent counter 0 (see [hub.reply]), so 0 counts as no counter.
func (m *message) resume(at river.At) river.Resume {
	r := river.Resume{At: at, Epoch: m.Epoch, Counter: m.Counter}
	if m.Counter <= 0 {
		r.Epoch, r.Counter = "", 0
	}
	for _, h := range m.Have {
		r.Have = append(r.Have, river.Have{Post: timeline.PostID(h.Post), Tag: h.Tag})
	}
	return r
}
