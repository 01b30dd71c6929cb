package faulttest

import (
	"fmt"
	"net/http"
	"strings"
)

// differenceFrom returns the difference between the page and a node's present page, or an empty
// string.
func (p *Page) differenceFrom(node string) string {
	p.mu.Lock()
	shown := 0
	if p.page != nil {
		shown = len(p.page.Order)
	}
	p.mu.Unlock()
	uuid, want, status, err := p.readEntries(node, shown)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err != nil:
		return err.Error()
	case status != http.StatusOK && p.page != nil && len(p.page.Order) > 0: // the page of a deleted post stays open, and is empty
		return fmt.Sprintf("is open, but a new visit is answered %d", status)
	case status != http.StatusOK:
		return ""
	case p.page == nil:
		return "is not open, but a new visit is allowed; the last was refused with " + p.refusedWith
	case p.conn == nil:
		return "has no connection"
	case p.page.Waiting:
		return "waits for the answer to its subscription"
	case p.page.River != uuid:
		return "" // a tag page is a search page for viewers who can read no post with the tag
	}
	var have []string
	for _, id := range p.page.Order {
		have = append(have, fmt.Sprint(id, " ", p.page.Entries[id].Tag))
	}
	if len(have) > len(want) || p.whole && len(have) != len(want) || len(have) == 0 && len(want) > 0 {
		return fmt.Sprintf("shows %d entries, the node %d (whole: %v)", len(have), len(want), p.whole)
	}
	for i := range have {
		if have[i] != want[i] {
			return fmt.Sprintf("shows at %d post %s, the node %s", i, have[i], want[i])
		}
	}
	return ""
}

// readEntries reads the page's path from a node. It returns the river's uuid and the id and
// tag of each entry, page after page until there are more than count entries or no older
// page; or the status of a refusal.
func (p *Page) readEntries(node string, count int) (uuid string, entries []string, status int, err error) {
	for path := p.Path; path != "" && len(entries) <= count; {
		a, err := p.scenario.Get(node, path, p.token)
		switch {
		case err != nil:
			return "", nil, 0, err
		case a.Status == http.StatusServiceUnavailable:
			return "", nil, 0, fmt.Errorf("can't be compared, the node is unavailable: %s", a.Body)
		case a.Status != http.StatusOK:
			return "", nil, a.Status, nil
		}
		b, err := parsePage(a.Body)
		if err != nil {
			return "", nil, 0, err
		}
		uuid = b.River.UUID
		for _, text := range b.Entries {
			e, err := parseEntry(text)
			if err != nil {
				return "", nil, 0, err
			}
			entries = append(entries, fmt.Sprint(e.Post, " ", e.Tag))
		}
		path = b.Older
		if strings.HasPrefix(path, "http") {
			path = path[len(node):]
		}
	}
	return uuid, entries, http.StatusOK, nil
}
