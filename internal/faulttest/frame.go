package faulttest

import (
	"encoding/json"
	"fmt"
	"slices"

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
	epoch := p.page.Epoch
	verdict, _, err := p.page.Take(text)
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

// recordSecrets adds the secrets in a text to the secrets shown to the viewer. The caller holds
// p.mu.
func (p *Page) recordSecrets(text string) {
	for _, secret := range world.Secrets(text) {
		p.secrets[secret] = true
	}
}
