package faulttest

import (
	"fmt"
	"slices"
	"time"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/river"
)

// An Endpoint is a node as a scenario knows it.
type Endpoint struct {
	URL   string
	River string // the file of its river DB; empty: it has none now
}

// CheckAll brings everything to rest and fails the test for each thing that is wrong. Open
// pages are at any of the places; pages elsewhere are cut, and reconnect to one of the
// places.
func (s *Scenario) CheckAll(endpoints ...Endpoint) {
	s.Helper()
	s.StopLoad()
	s.Until("the primary does not come to rest", func() string {
		if err := s.World.Finish(s.Context()); err != nil {
			return err.Error()
		}
		return ""
	})
	var head int64
	s.Until("the log", func() string {
		var err error
		if head, err = s.Store.Sequence(s.Context()); err != nil {
			return err.Error()
		}
		return ""
	})
	var urls []string
	for _, at := range endpoints {
		urls = append(urls, at.URL)
		s.Until("the node", func() string { return s.WhyNotReady(at.URL, head) })
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
			s.Errorf("the river DB %s: %s", at.River, why)
		}
	}
	for _, p := range s.pages {
		p.mu.Lock()
		faults := p.faults
		if p.page != nil {
			faults = append(faults, p.page.Faults...)
		}
		p.mu.Unlock()
		for _, fault := range faults {
			s.Errorf("the open page %s of %s: %s", p.Path, s.viewerName(p.Viewer), fault)
		}
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

// difference says what is wrong with an open page: it is at one of the nodes, and shows
// what each of them does.
func (p *Page) difference(nodes []string) string {
	p.mu.Lock()
	if p.conn != nil && !slices.Contains(nodes, p.node) {
		p.conn.CloseNow()
		p.mu.Unlock()
		return "is at " + p.node
	}
	p.mu.Unlock()
	for _, node := range nodes {
		if why := p.differenceFrom(node); why != "" {
			return why
		}
	}
	return ""
}

// runOracle is the oracle.
func (s *Scenario) runOracle(path string) string {
	found := ""
	sum, err := river.Check(s.Context(), s.Store, path, river.CheckOptions{Tries: 4}, func(line string) { found = line })
	switch {
	case err != nil:
		return err.Error()
	case sum.Differences > 0:
		return fmt.Sprintf("%d differences; %s", sum.Differences, found)
	case sum.Unsettled > 0:
		return fmt.Sprintf("%d rivers are not settled", sum.Unsettled)
	case sum.Rivers == 0:
		return "it has no rivers"
	}
	return ""
}
