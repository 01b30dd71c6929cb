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

// Form says how entries are to be sent: as JSON, or as HTML in a language. It is part of
// the name of whatever is drawn, so that pages share what is in their language alone.
type Form string

// The forms of an entry.
const (
	AsJSON Form = "json"
	AsHTML Form = "html"
)

// form returns the form in which a page is sent entries: its language is part of that,
// "html ru", where it is one that the renderer knows.
func (s *Server) form(m *message) Form {
	if m.As == AsHTML && slices.Contains(s.config.Languages, m.Lang) {
		return m.As + Form(" "+m.Lang)
	}
	return m.As
}

// html reports whether entries are sent as HTML, and in which language; empty: it was not
// said.
func (f Form) html() (language string, is bool) {
	language, is = strings.CutPrefix(string(f), string(AsHTML))
	return strings.TrimSpace(language), is
}

// message is a frame of a client's: a sub or a vis.
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
		return fmt.Errorf("an entry of have is [post, tag], not %d values", len(pair))
	}
	if err := json.Unmarshal(pair[0], &h.Post); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], &h.Tag)
}

// parse reads a frame of a client's. Any error says what is wrong with it in a
// few words, fit for a closing reason.
func parse(kind websocket.MessageType, data []byte) (*message, error) {
	if kind != websocket.MessageText {
		return nil, errors.New("not a text frame")
	}
	if !utf8.Valid(data) { // JSON would put a sign of its own there
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
		return nil, errors.New("as is json or html")
	}
	if m.River == "" || m.Page == "" {
		return nil, errors.New("sub wants a river and a page")
	}
	return &m, nil
}

// resume is what the page knows, as rivers want it. A counter of 0 is told to
// pages whose state has no counter (see [socket.greet]), so it is none.
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
