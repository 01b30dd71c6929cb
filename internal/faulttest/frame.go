package faulttest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"amstel.dev/amstel/internal/world"
	liveclient "amstel.dev/amstel/realtime/client"
)

// sub returns the frame with which the page subscribes.
func (p *Page) sub() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.page.Sub()
}

// frame holds the fields of a frame that a test reads itself; [liveclient.Page] reads the others.
type frame struct {
	Type   string `json:"type"`
	Behind *bool  `json:"behind"`
	Ops    []struct {
		Post  int64           `json:"post"`
		Gone  bool            `json:"gone"`
		Entry json.RawMessage `json:"entry"`
	} `json:"ops"`
	Entries []json.RawMessage `json:"entries"`
}

// apply applies a frame to the page. It reports whether the page must subscribe again.
func (p *Page) apply(text []byte) (again bool, err error) {
	var f frame
	if err := json.Unmarshal(text, &f); err != nil {
		return false, fmt.Errorf("frame %.80s: %w", text, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.Behind != nil {
		if p.behind = *f.Behind; p.behind {
			p.stats.BehindFrames++
		}
	}
	if !slices.Contains([]string{"hello", "patch", "reset", "beat", "bye", "unread"}, f.Type) {
		return false, nil // a client ignores frames of unknown types
	}
	epoch, before := p.page.Epoch, slices.Clone(p.page.Order)
	verdict, taken, err := p.page.Take(text)
	if p.page.Epoch != epoch { // the page does not know the new river's entries below its own last one
		p.whole = false
	}
	if err != nil {
		p.addFault("%v", err)
		return false, err
	}
	p.recordSecrets(string(text))
	if f.Type == "beat" {
		p.stats.Beats++
	}
	if verdict != liveclient.Applied {
		return verdict == liveclient.Resub, nil
	}
	if taken.Type == "patch" || taken.Type == "reset" {
		p.noteFrame(taken, before)
	}
	switch f.Type {
	case "patch":
		p.stats.Patches++
		for _, op := range f.Ops {
			if delete(p.raw, op.Post); !op.Gone {
				p.raw[op.Post] = string(op.Entry)
			}
		}
	case "reset":
		p.stats.Resets++
		clear(p.raw)
		for _, text := range f.Entries {
			e, err := parseEntry(text)
			if err != nil {
				return false, err
			}
			p.raw[e.Post] = string(text)
		}
		p.whole = len(f.Entries) < 25
	}
	return false, nil
}

// A notedFrame is a frame that a page applied, in short.
type notedFrame struct {
	posts []int64 // that the frame names
	text  string
}

// framesNoted is the number of frames that a page notes.
const framesNoted = 300

// noteFrame notes a frame that the page applied. before is the page's order before the frame. The caller holds p.mu.
func (p *Page) noteFrame(f *liveclient.Frame, before []int64) {
	var noted notedFrame
	text := fmt.Appendf(nil, "%s %s, epoch %.6s, counter %d to %d, position %d:", p.node, f.Type, f.Epoch, f.From, max(f.To, f.Counter), f.Position)
	for _, op := range f.Ops {
		noted.posts = append(noted.posts, op.Post)
		switch {
		case op.Gone:
			text = fmt.Appendf(text, " %d gone from %d;", op.Post, slices.Index(before, op.Post))
		case op.Entry != nil:
			text = fmt.Appendf(text, " %d in version %d from %d to %d;", op.Post, op.Entry.Version, slices.Index(before, op.Post), slices.Index(p.page.Order, op.Post))
		}
	}
	for _, e := range f.Entries {
		noted.posts = append(noted.posts, e.Post)
		text = fmt.Appendf(text, " %d in version %d;", e.Post, e.Version)
	}
	noted.text = string(text)
	if p.frames = append(p.frames, noted); len(p.frames) > framesNoted {
		p.frames = p.frames[1:]
	}
}

// framesWith returns the last eight noted frames that name a post, a line each. The caller holds p.mu.
func (p *Page) framesWith(post int64) string {
	var lines []string
	for _, f := range p.frames {
		if slices.Contains(f.posts, post) {
			lines = append(lines, f.text)
		}
	}
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}

// recordSecrets adds the secrets in a text to the secrets shown to the viewer. The caller holds
// p.mu.
func (p *Page) recordSecrets(text string) {
	for _, secret := range world.Secrets(text) {
		p.secrets[secret] = true
	}
}
