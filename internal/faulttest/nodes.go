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

// nodeList holds the addresses at which pages, writers and the reader find nodes.
type nodeList struct {
	mu   sync.Mutex
	urls []string
	last int
}

// SetNodes sets the addresses of the serving nodes. Pages that reconnect, writers and the reader
// use these addresses, as if behind a proxy that knows which nodes serve.
func (s *Scenario) SetNodes(urls ...string) {
	s.nodes.mu.Lock()
	defer s.nodes.mu.Unlock()
	s.nodes.urls = slices.Clone(urls)
}

// next returns the addresses one after another.
func (n *nodeList) next() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.urls) == 0 {
		return "http://127.0.0.1:1" // no server listens there
	}
	n.last++
	return n.urls[n.last%len(n.urls)]
}

// An Answer is the answer of a node to a request.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// requestTimeout limits each request.
const requestTimeout = time.Minute

// Get sends a GET request to a node, with an API token unless token is empty. It returns the answer
// with its body, and fails the test if the answer is an error of the server.
func (s *Scenario) Get(node, path, token string) (*Answer, error) {
	return s.request(http.MethodGet, node+path, token, nil)
}

func (s *Scenario) request(method, url, token string, body io.Reader) (*Answer, error) {
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
	// No client may get an error of the server, even while nodes are killed; 503 needs Retry-After.
	if a.Status >= 500 && (a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "") {
		s.Errorf("%s %s: %d %v %.300s", method, url, a.Status, a.Header, a.Body)
	}
	return a, nil
}

// WhyNotReady returns why a node is not ready or has not applied the log up to a position; empty if
// it is and has.
func (s *Scenario) WhyNotReady(node string, position int64) string {
	a, err := s.Get(node, "/readyz", "")
	if err != nil {
		return err.Error()
	}
	var at int64
	if _, err := fmt.Sscanf(a.Body, "ready at position %d", &at); err != nil {
		return fmt.Sprintf("%s answers %d %q", node, a.Status, a.Body)
	}
	if at < position {
		return fmt.Sprintf("%s has applied position %d, want %d", node, at, position)
	}
	return ""
}

// errRefused is returned where the viewer may not open a page, or the page does not exist.
var errRefused = errors.New("refused")
