package faulttest

import (
	"fmt"
	"net/http"
	"strings"
)

// differenceFrom says how the page is not what a node shows now.
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
	case status != http.StatusOK && p.page != nil && len(p.page.Order) > 0: // that of a post that is gone stays, and is empty
		return fmt.Sprintf("is open, and is refused now: %d", status)
	case status != http.StatusOK:
		return ""
	case p.page == nil:
		return "is not open, and may be: " + p.refusedWith
	case p.conn == nil:
		return "is cut"
	case p.page.Waiting:
		return "is not answered"
	case p.page.River != uuid:
		return "" // for viewers without a readable post of the tag, the page is a search's
	}
	var have []string
	for _, id := range p.page.Order {
		have = append(have, fmt.Sprint(id, " ", p.page.Entries[id].Tag))
	}
	if len(have) > len(want) || p.whole && len(have) != len(want) || len(have) == 0 && len(want) > 0 {
		return fmt.Sprintf("shows %d entries of %d (whole: %v)", len(have), len(want), p.whole)
	}
	for i := range have {
		if have[i] != want[i] {
			return fmt.Sprintf("shows at %d post %s, and should %s", i, have[i], want[i])
		}
	}
	return ""
}

// readEntries is what a node shows of the river, ids and tags, at least so many and one
// more if there are; or the status that it is refused with.
func (p *Page) readEntries(node string, many int) (uuid string, entries []string, status int, err error) {
	for path := p.Path; path != "" && len(entries) <= many; {
		a, err := p.scenario.Get(node, path, p.token)
		switch {
		case err != nil:
			return "", nil, 0, err
		case a.Status == http.StatusServiceUnavailable:
			return "", nil, 0, fmt.Errorf("can't be compared: %s", a.Body)
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
