package faulttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// nodeList is the addresses that people know.
type nodeList struct {
	mu   sync.Mutex
	urls []string
	last int
}

// SetNodes says at which addresses the scenario is now: open pages of others come back
// at these, as behind a proxy that noticed.
func (s *Scenario) SetNodes(urls ...string) {
	s.nodes.mu.Lock()
	defer s.nodes.mu.Unlock()
	s.nodes.urls = slices.Clone(urls)
}

// next is one after the other.
func (n *nodeList) next() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.urls) == 0 {
		return "http://127.0.0.1:1" // no server listens there
	}
	n.last++
	return n.urls[n.last%len(n.urls)]
}

// An Answer is what a node said.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// requestTimeout is how long a node is waited for.
const requestTimeout = time.Minute

// Get asks a node for something, as a program with a token, or none.
func (s *Scenario) Get(node, path, token string) (*Answer, error) {
	return s.request(http.MethodGet, node+path, token, nil)
}

func (s *Scenario) request(method, url, token string, body io.Reader) (*Answer, error) {
	// People do not wait for ever.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.Context()), requestTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	if token != "" {
		r.Header.Set("X-API-Token", token)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := s.web.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	a := &Answer{response.StatusCode, response.Header, string(text)}
	// No client is shown an error of the server, even when a node is killed.
	if a.Status >= 500 && (a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "") {
		s.Errorf("%s %s: %d %v %.300s", method, url, a.Status, a.Header, a.Body)
	}
	return a, nil
}

// WhyNotReady says why a node is not ready, or has not come to a position of the log.
func (s *Scenario) WhyNotReady(node string, position int64) string {
	a, err := s.Get(node, "/readyz", "")
	if err != nil {
		return err.Error()
	}
	var at int64
	if _, err := fmt.Sscanf(a.Body, "ready at position %d", &at); err != nil {
		return fmt.Sprintf("%s says %d %q", node, a.Status, a.Body)
	}
	if at < position {
		return fmt.Sprintf("%s is at %d, and should be at %d", node, at, position)
	}
	return ""
}

// errRefused says that a page may not be opened, or is not there.
var errRefused = errors.New("refused")
