package faulttest

import (
	"encoding/json"
	"fmt"
	"slices"

	"amstel.dev/amstel/internal/liveclient"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
)

// sub returns the frame that the page subscribes with.
func (p *Page) sub() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.page.Sub()
}

// frame is what is read of a frame beside what the client's page does.
type frame struct {
	Type   string `json:"type"`
	Behind *bool  `json:"behind"`
	Ops    []struct {
		Post  timeline.PostID `json:"post"`
		Gone  bool            `json:"gone"`
		Entry json.RawMessage `json:"entry"`
	} `json:"ops"`
	Entries []json.RawMessage `json:"entries"`
}

// apply applies a frame to the page. It returns again if the page must subscribe again.
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
		return false, nil // what it does not know it lets be
	}
	epoch := p.page.Epoch
	verdict, _, err := p.page.Take(text)
	if p.page.Epoch != epoch { // entries that came in below its end meanwhile are unknown
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

// recordSecrets keeps which secrets the viewer was ever shown; p.mu is held.
func (p *Page) recordSecrets(text string) {
	for _, secret := range world.Secrets(text) {
		p.secrets[secret] = true
	}
}
