package faulttest

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
)

// subAgain is the least time between two subs on a socket: two frames a second.
const subAgain = 600 * time.Millisecond

// read subscribes, follows, and subscribes again where the page must.
func (p *Page) read(ctx context.Context, conn *websocket.Conn) error {
	for {
		p.mu.Lock()
		sub := p.sub()
		p.mu.Unlock()
		asked := time.Now()
		if err := conn.Write(ctx, websocket.MessageText, sub); err != nil {
			return err
		}
		for again := false; !again; {
			kind, text, err := conn.Read(ctx)
			if err != nil {
				return err
			}
			if kind == websocket.MessageBinary {
				if text, err = io.ReadAll(flate.NewReader(bytes.NewReader(text))); err != nil {
					return err
				}
			}
			if again, err = p.take(text); err != nil {
				return err
			}
		}
		pause := time.NewTimer(subAgain - time.Since(asked))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		}
	}
}

// sub is the model's, with the position that the page has seen; p.mu is held.
func (p *Page) sub() []byte {
	return append(fmt.Appendf(nil, `{"position":%d,`, p.position), bytes.TrimPrefix(p.page.Sub(), []byte("{"))...)
}

// frame is what is read of a frame beside what the model does.
type frame struct {
	Type     string `json:"type"`
	Position int64  `json:"position"`
	Behind   *bool  `json:"behind"`
	Ops      []struct {
		Post  timeline.PostID `json:"post"`
		Gone  bool            `json:"gone"`
		Entry json.RawMessage `json:"entry"`
	} `json:"ops"`
	Entries []json.RawMessage `json:"entries"`
}

// take does what a frame says; again, the page must subscribe anew.
func (p *Page) take(text []byte) (again bool, err error) {
	var f frame
	if err := json.Unmarshal(text, &f); err != nil {
		return false, fmt.Errorf("frame %.80s: %w", text, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.Behind != nil {
		if p.behind = *f.Behind; p.behind {
			p.at.Behinds++
		}
	}
	if !slices.Contains([]string{"hello", "patch", "reset", "beat", "bye", "unread"}, f.Type) {
		return false, nil // what it does not know it lets be
	}
	epoch := p.page.Epoch
	verdict, _, err := p.page.Take(text)
	if p.page.Epoch != epoch { // of what came in below its end meanwhile nobody knows
		p.whole = false
	}
	if err != nil {
		p.fault("%v", err)
		return false, err
	}
	p.note(string(text))
	if f.Type == "beat" {
		p.at.Beats++
	}
	if verdict != livetest.Applied {
		return verdict == livetest.Resub && !p.page.Waiting, nil
	}
	p.position = max(p.position, f.Position)
	switch f.Type {
	case "patch":
		p.at.Patches++
		for _, op := range f.Ops {
			if delete(p.raw, op.Post); !op.Gone {
				p.raw[op.Post] = string(op.Entry)
			}
		}
	case "reset":
		p.at.Resets++
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

// note keeps which secrets the viewer was ever shown; p.mu is held.
func (p *Page) note(text string) {
	for _, secret := range world.Secrets(text) {
		p.secrets[secret] = true
	}
}
