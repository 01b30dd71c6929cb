package realtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// The frames that a server sends. Their fields are written in this order.
type (
	helloFrame struct {
		Type    string `json:"type"`
		Epoch   string `json:"epoch"`
		Counter int64  `json:"counter"`
		Beat    int64  `json:"beat"` // ms
		Build   string `json:"build"`
		Pace    int64  `json:"pace"`             // ms
		Unread  *int   `json:"unread,omitempty"` // nil: nobody is signed in
		Behind  bool   `json:"behind,omitempty"`
		Present int32  `json:"present,omitempty"` // on a post's page
	}
	presentFrame struct {
		Type  string `json:"type"`
		Count int32  `json:"count"`
	}
	paceFrame struct {
		Type string `json:"type"`
		MS   int32  `json:"ms"`
	}
	behindFrame struct {
		Type   string `json:"type"`
		Behind bool   `json:"behind"`
	}
	unreadFrame struct {
		Type  string `json:"type"`
		Count int    `json:"count"`
	}
	beatFrame struct {
		Type    string `json:"type"`
		Counter int64  `json:"counter"`
	}
	byeFrame struct {
		Type     string `json:"type"`
		WithinMS int64  `json:"within_ms"`
	}
	patchFrame struct {
		Type     string          `json:"type"`
		Epoch    string          `json:"epoch"`
		From     int64           `json:"from"`
		To       int64           `json:"to"`
		Position int64           `json:"position,omitempty"`
		Ops      []any           `json:"ops"`
		Users    json.RawMessage `json:"users,omitempty"`
		Groups   json.RawMessage `json:"groups,omitempty"`
	}
	resetFrame struct {
		Type     string            `json:"type"`
		Epoch    string            `json:"epoch"`
		Counter  int64             `json:"counter"`
		Position int64             `json:"position,omitempty"`
		Entries  []json.RawMessage `json:"entries"`
		Users    json.RawMessage   `json:"users,omitempty"`
		Groups   json.RawMessage   `json:"groups,omitempty"`
	}
	goneOp struct {
		Post timeline.PostID `json:"post"`
		Gone bool            `json:"gone"`
	}
	entryOp struct {
		Post  timeline.PostID  `json:"post"`
		Tag   string           `json:"tag"`
		After *timeline.PostID `json:"after"`
		Entry json.RawMessage  `json:"entry,omitempty"`
		HTML  json.RawMessage  `json:"html,omitempty"`
	}
	entryHTML struct {
		Post timeline.PostID `json:"post"`
		Tag  string          `json:"tag"`
		HTML json.RawMessage `json:"html"`
	}
)

func encodePresent(count int32) []byte { return encode(presentFrame{"present", count}) }

func encodeUnread(count int) []byte { return encode(unreadFrame{"unread", count}) }

func encodePace(ms int32) []byte { return encode(paceFrame{"pace", ms}) }

func encodeBehind(behind bool) []byte { return encode(behindFrame{"behind", behind}) }

func encodeBeat(counter int64) []byte { return encode(beatFrame{"beat", counter}) }

func encodeBye(within time.Duration) []byte { return encode(byeFrame{"bye", within.Milliseconds()}) }

// with is a frame with what a frame of its own tells on a socket.
func with(frame []byte, name string, value any) []byte {
	return fmt.Appendf(frame[:len(frame)-1:len(frame)-1], `,%q:%v}`, name, value)
}

// encodePatch makes the frame of a patch, whose From may be told otherwise than
// the river has it. An entry that can't be drawn is gone; nil where something
// stands below one that is missing since before, so that the patch can't say where.
func encodePatch(p *river.Patch, from int64, as Form, c composer) []byte {
	f := patchFrame{Type: "patch", Epoch: p.Epoch, From: from, To: p.To, Position: p.Position, Ops: make([]any, 0, len(p.Ops))}
	above := map[timeline.PostID]timeline.PostID{} // those that can't be drawn
	for _, op := range p.Ops {
		if op.Gone {
			f.Ops = append(f.Ops, goneOp{op.Post, true})
			continue
		}
		after := op.After
		if instead, missing := above[after]; missing {
			after = instead
		} else if c.missing(after) {
			return nil
		}
		drawn, fine := c.draw(p, op.Entry, as)
		if !fine {
			above[op.Post] = after
			f.Ops = append(f.Ops, goneOp{op.Post, true})
			continue
		}
		o := entryOp{Post: op.Post, Tag: op.Entry.Tag}
		if after != 0 {
			o.After = &after
		}
		if as == AsHTML {
			o.HTML = drawn
		} else {
			o.Entry = drawn
		}
		f.Ops = append(f.Ops, o)
	}
	if as == AsJSON {
		f.Users, f.Groups = c.cards(p)
	}
	return encode(f)
}

// encodeReset makes the frame that has a page forget what it shows. As JSON its
// entries are those of a page, with "post" and "tag" added.
func encodeReset(p *river.Patch, as Form, c composer) []byte {
	f := resetFrame{Type: "reset", Epoch: p.Epoch, Counter: p.To, Position: p.Position, Entries: make([]json.RawMessage, 0, len(p.Entries))}
	for i := range p.Entries {
		e := &p.Entries[i]
		drawn, fine := c.draw(p, e, as)
		switch {
		case !fine:
		case as == AsHTML:
			f.Entries = append(f.Entries, encode(entryHTML{postOf(e), e.Tag, drawn}))
		default:
			f.Entries = append(f.Entries, spliced(postOf(e), e.Tag, drawn))
		}
	}
	if as == AsJSON {
		f.Users, f.Groups = c.cards(p)
	}
	return encode(f)
}

// postOf is the entry's post.
func postOf(e *river.Entry) timeline.PostID {
	if e.Facts != nil {
		return e.Facts.ID
	}
	return e.Fold.Post
}

// versionOf returns the version that an entry shows, or 0 where the entry has no fold and
// can't be drawn.
func versionOf(e *river.Entry) int {
	if e.Fold == nil {
		return 0
	}
	return e.Fold.Version
}

// spliced is a JSON object with the post and the tag put in front of its members.
func spliced(post timeline.PostID, tag string, object json.RawMessage) json.RawMessage {
	head := encode(struct {
		Post timeline.PostID `json:"post"`
		Tag  string          `json:"tag"`
	}{post, tag})
	rest := bytes.TrimSpace(object)
	if len(rest) < 2 || rest[0] != '{' {
		return head
	}
	if rest = bytes.TrimSpace(rest[1:]); rest[0] == '}' {
		return head
	}
	return append(append(head[:len(head)-1:len(head)-1], ','), rest...)
}

// encode is JSON without the escapes that only a page's source needs. What is
// encoded here can't fail: strings, numbers and JSON of our own.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("realtime: a frame that can't be encoded: " + err.Error())
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
