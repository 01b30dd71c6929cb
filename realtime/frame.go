package realtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"amstel.dev/amstel/internal/wirejson"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// The frames of a server. Their fields go over the wire in this order.
type (
	helloFrame struct {
		Type    string `json:"type"`
		Epoch   string `json:"epoch"`
		Counter int64  `json:"counter"`
		Beat    int64  `json:"beat"` // ms
		Build   string `json:"build"`
		Pace    int64  `json:"pace"`              // ms
		Unread  *int   `json:"unread,omitempty"`  // notices; nil: viewer 0
		Directs *int   `json:"directs,omitempty"` // directs with unread notices; nil: viewer 0
		Behind  bool   `json:"behind,omitempty"`
		Present int32  `json:"present,omitempty"` // on the page of a post
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
		Type    string `json:"type"`
		Count   int    `json:"count"`
		Directs int    `json:"directs"`
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

func encodePresent(count int32) []byte { return wirejson.MustEncode(presentFrame{"present", count}) }

func encodeUnread(u river.Unread) []byte {
	return wirejson.MustEncode(unreadFrame{"unread", u.Notices, u.Directs})
}

func encodePace(ms int32) []byte { return wirejson.MustEncode(paceFrame{"pace", ms}) }

func encodeBehind(behind bool) []byte { return wirejson.MustEncode(behindFrame{"behind", behind}) }

func encodeBeat(counter int64) []byte { return wirejson.MustEncode(beatFrame{"beat", counter}) }

func encodeBye(within time.Duration) []byte {
	return wirejson.MustEncode(byeFrame{"bye", within.Milliseconds()})
}

// withField returns a frame with one more field. The answer to a poll has fields for the
// values that a socket is sent in separate frames.
func withField(frame []byte, name string, value any) []byte {
	return fmt.Appendf(frame[:len(frame)-1:len(frame)-1], `,%q:%v}`, name, value)
}

// encodePatch returns the frame of a patch for pages at the counter from, which may differ from
// the patch's own. An entry that can't be rendered is sent as gone, and the entry below is placed
// after the entry above. encodePatch returns nil if an op places its entry after an entry that an
// earlier frame left out: the page does not have the earlier entry, and the patch does not name
// the entry above.
func encodePatch(p *river.Patch, from int64, as Form, c composer) []byte {
	f := patchFrame{Type: "patch", Epoch: p.Epoch, From: from, To: p.To, Position: p.Position, Ops: make([]any, 0, len(p.Ops))}
	above := map[timeline.PostID]timeline.PostID{} // for each omitted entry, the entry above it
	for _, op := range p.Ops {
		if op.Gone {
			f.Ops = append(f.Ops, goneOp{op.Post, true})
			continue
		}
		after := op.After
		if instead, leftOut := above[after]; leftOut {
			after = instead
		} else if c.leftOut(after) {
			return nil
		}
		rendered, ok := c.render(p, op.Entry, as)
		if !ok {
			above[op.Post] = after
			f.Ops = append(f.Ops, goneOp{op.Post, true})
			continue
		}
		o := entryOp{Post: op.Post, Tag: op.Entry.Tag}
		if after != 0 {
			o.After = &after
		}
		if _, html := as.html(); html {
			o.HTML = rendered
		} else {
			o.Entry = rendered
		}
		f.Ops = append(f.Ops, o)
	}
	if as == AsJSON {
		f.Users, f.Groups = c.cards(p)
	}
	return wirejson.MustEncode(f)
}

// encodeReset returns the frame that replaces everything a page shows. Entries as JSON are the
// entries of a JSON page with "post" and "tag" added. Entries that can't be rendered are left out.
func encodeReset(p *river.Patch, as Form, c composer) []byte {
	f := resetFrame{Type: "reset", Epoch: p.Epoch, Counter: p.To, Position: p.Position, Entries: make([]json.RawMessage, 0, len(p.Entries))}
	for i := range p.Entries {
		e := &p.Entries[i]
		rendered, ok := c.render(p, e, as)
		_, html := as.html()
		switch {
		case !ok:
		case html:
			f.Entries = append(f.Entries, wirejson.MustEncode(entryHTML{e.Post(), e.Tag, rendered}))
		default:
			f.Entries = append(f.Entries, addPostAndTag(e.Post(), e.Tag, rendered))
		}
	}
	if as == AsJSON {
		f.Users, f.Groups = c.cards(p)
	}
	return wirejson.MustEncode(f)
}

// versionOf returns the version of an entry's post. An entry without a fold, which can't be
// rendered, has version 0.
func versionOf(e *river.Entry) int {
	if e.Fold == nil {
		return 0
	}
	return e.Fold.Version
}

// addPostAndTag returns a JSON object with the members "post" and "tag" put before its own:
// {"id":7} becomes {"post":7,"tag":"a1","id":7}.
func addPostAndTag(post timeline.PostID, tag string, object json.RawMessage) json.RawMessage {
	head := wirejson.MustEncode(struct {
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
