package faulttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	liveclient "amstel.dev/amstel/realtime/client"
)

// load reads the page from a node, unless the page is loaded. It returns errRefused if the viewer
// may not open the page, and another error if the page should be tried again.
func (p *Page) load(node string) error {
	p.mu.Lock()
	there := p.page != nil
	p.mu.Unlock()
	if there {
		return nil
	}
	a, err := p.scenario.Get(node, p.Path, p.token)
	if err != nil {
		return err
	}
	switch a.Status {
	case http.StatusOK:
	case http.StatusServiceUnavailable:
		return errors.New("the node is unavailable")
	default:
		p.refuse(fmt.Sprint(a.Status))
		return errRefused
	}
	b, err := parsePage(a.Body)
	if err != nil {
		return err
	}
	if !b.River.Live {
		return errors.New("the page is not live") // the node read it from the primary, without a river
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.page, p.raw = liveclient.NewPage(b.River.UUID, p.Path), make(map[int64]string)
	p.page.Returns = !p.scenario.strict // an entry that left may come back unchanged
	p.page.Position, p.whole = b.River.Position, b.Older == ""
	// The client's page gets the first state of each entry as a reset, so that it notices
	// when an entry goes back to an older state.
	first := map[string]any{"type": "reset", "epoch": b.River.Epoch, "counter": b.River.Counter}
	var entries []liveclient.Shown
	for _, text := range b.Entries {
		e, err := parseEntry(text)
		if err != nil {
			return err
		}
		entries = append(entries, e)
		p.raw[e.Post] = string(text)
	}
	first["entries"] = entries
	frame, err := json.Marshal(first)
	if err == nil {
		_, _, err = p.page.Take(frame)
	}
	if err != nil {
		return err
	}
	p.recordSecrets(a.Body)
	return nil
}

// pageBody holds the fields that a test reads of a page's JSON.
type pageBody struct {
	Entries []json.RawMessage `json:"entries"`
	Older   string            `json:"precise_older_entries_url"`
	River   struct {
		UUID     string `json:"uuid"`
		Epoch    string `json:"epoch"`
		Counter  int64  `json:"counter"`
		Position int64  `json:"position"`
		Live     bool   `json:"live"`
		Behind   bool   `json:"behind"`
	} `json:"river"`
}

func parsePage(text string) (*pageBody, error) {
	b := new(pageBody)
	if err := json.Unmarshal([]byte(text), b); err != nil {
		return nil, fmt.Errorf("page %.80s: %w", text, err)
	}
	return b, nil
}

func parseEntry(text []byte) (e liveclient.Shown, err error) {
	var id struct {
		ID int64 `json:"id"`
	}
	if err := errors.Join(json.Unmarshal(text, &e), json.Unmarshal(text, &id)); err != nil {
		return e, fmt.Errorf("entry %.80s: %w", text, err)
	}
	e.Post = id.ID
	return e, nil
}
