package faulttest

import (
	"fmt"
	"slices"
	"time"

	"amstel.dev/amstel/internal/audit"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// An Endpoint is the address of a node and the path of its river DB.
type Endpoint struct {
	URL   string
	River string // the path of the river DB; empty: the file is not checked
}

// CheckAll stops the load, waits until the nodes at the endpoints have applied all changes, and
// fails the test for each violation of the invariants that the package names. It closes the
// connections of pages to other nodes; the pages reconnect to one of the endpoints.
func (s *Scenario) CheckAll(endpoints ...Endpoint) {
	s.Helper()
	s.StopLoad()
	s.Until("the erase jobs do not end", func() string {
		if err := s.World.Finish(s.Context()); err != nil {
			return err.Error()
		}
		return ""
	})
	var head int64
	s.Until("the changes get no positions", func() string {
		var err error
		if head, err = s.Store.Sequence(s.Context()); err != nil {
			return err.Error()
		}
		return ""
	})
	var urls []string
	for _, at := range endpoints {
		urls = append(urls, at.URL)
		s.Until("a node is not ready", func() string { return s.WhyNotReady(at.URL, head) })
	}
	s.SetNodes(urls...)
	limit := time.Now().Add(waitLimit())
	for _, p := range s.pages {
		if why := waitUntil(limit, func() string { return p.difference(urls) }); why != "" {
			s.Errorf("the open page %s of %s %s", p.Path, s.viewerName(p.Viewer), why)
		}
	}
	oracle := s.Oracle
	if oracle == nil {
		oracle = s.runOracle
	}
	for _, at := range endpoints {
		if at.River == "" {
			continue
		}
		if why := waitUntil(limit, func() string { return oracle(at.River) }); why != "" {
			s.Errorf("river DB %s: %s", at.River, why)
		}
	}
	for _, p := range s.pages {
		p.mu.Lock()
		faults, entries := p.faults, []liveclient.Fault(nil)
		if p.page != nil {
			entries = p.page.Faults
		}
		for _, fault := range entries {
			if !s.mayReturn(p.Viewer, fault) {
				faults = append(faults, fmt.Sprintf("%s; the last frames with the post:\n%s", fault, p.framesWith(fault.Post)))
			}
		}
		for _, fault := range faults {
			s.Errorf("the open page %s of %s: %s", p.Path, s.viewerName(p.Viewer), fault)
		}
		p.mu.Unlock()
	}
	found := append(s.leaks(), s.lostWrites()...)
	faults, err := audit.Check(s.Context(), s.Pool)
	s.Must(err)
	for _, fault := range append(found, faults...) {
		s.Error(fault)
	}
	if s.Failed() {
		s.FailNow()
	}
}

// mayReturn reports whether an entry that left a page of the viewer may have come back unchanged, because rights
// changed in between. For example, the entry left with the account of a person who had commented on it, and came
// back when the viewer subscribed to its author.
func (s *Scenario) mayReturn(viewer timeline.UserID, f liveclient.Fault) (may bool) {
	s.Helper()
	const query = `
		select exists (select from change_log where position > $1 and position <= $2
			and (kind in ('access', 'card') or kind = 'viewer' and user_id = $3))`
	if f.Version < f.Newest {
		return false
	}
	s.Must(s.Pool.QueryRow(s.Context(), query, f.Left, f.Back, viewer).Scan(&may))
	return may
}

// difference returns the difference between the page and the nodes' pages, or an empty string.
// It closes the page's connection to a node that is not among them.
func (p *Page) difference(nodes []string) string {
	p.mu.Lock()
	if p.conn != nil && !slices.Contains(nodes, p.node) {
		p.conn.CloseNow()
		p.mu.Unlock()
		return "is connected to " + p.node
	}
	p.mu.Unlock()
	for _, node := range nodes {
		if why := p.differenceFrom(node); why != "" {
			return why
		}
	}
	return ""
}

// runOracle returns what [river.Check] finds wrong with a river DB, empty if nothing.
func (s *Scenario) runOracle(path string) string {
	found := ""
	sum, err := river.Check(s.Context(), s.Store, path, river.CheckOptions{Tries: 4}, func(line string) { found = line })
	switch {
	case err != nil:
		return err.Error()
	case sum.Differences > 0:
		return fmt.Sprintf("%d differences; %s", sum.Differences, found)
	case sum.Unsettled > 0:
		return fmt.Sprintf("%d rivers still have work to do", sum.Unsettled)
	case sum.Rivers == 0:
		return "the river DB has no rivers"
	}
	return ""
}
