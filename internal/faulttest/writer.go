package faulttest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
)

// A writeRecord holds the writes through nodes, and which of them were acknowledged.
type writeRecord struct {
	mu           sync.Mutex
	number       int
	acknowledged map[string]bool // by text; false: sent, but not known to be done
	retries      int             // requests answered 429 or 503
}

// newUUID returns a random uuid. A request sent again with its uuid has effect once.
func newUUID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// runWriter writes posts, with ten comments each, through the nodes until ctx ends. It
// repeats each request, under the same uuid, until a node acknowledges the write. Of a write
// that is under way when ctx ends it is not known whether it was made.
func (s *Scenario) runWriter(ctx context.Context, number int) {
	token := s.token(s.writers[number])
	for ctx.Err() == nil {
		post := s.write(ctx, token, "/api/v1/posts.json", func(text string) any {
			return map[string]any{"post": map[string]any{"text": text, "timelines": []string{"user"}}, "_uuid": newUUID()}
		})
		if post == 0 {
			return
		}
		for range 10 {
			s.write(ctx, token, fmt.Sprintf("/api/v1/posts/%d/comments.json", post), func(text string) any {
				return map[string]any{"comment": map[string]any{"text": text}, "_uuid": newUUID()}
			})
		}
	}
}

// write sends one write until a node acknowledges it, and returns the id of the new post or
// comment; 0 if ctx ends before or the request fails. The body is made from a new text.
func (s *Scenario) write(ctx context.Context, token, path string, body func(text string) any) int64 {
	r := &s.record
	r.mu.Lock()
	r.number++
	text := fmt.Sprintf("write %d.", r.number)
	r.acknowledged[text] = false
	r.mu.Unlock()
	sent, err := json.Marshal(body(text))
	if err != nil {
		s.Error(err)
		return 0
	}
	for s.waitPace(ctx) {
		a, err := s.request(http.MethodPost, s.nodes.next()+path, token, bytes.NewReader(sent))
		switch {
		case err != nil: // the node was killed
		case a.Status == http.StatusServiceUnavailable, a.Status == http.StatusTooManyRequests:
			r.mu.Lock()
			r.retries++
			r.mu.Unlock()
		case a.Status >= 300:
			s.Errorf("%s of %q: %d %.300s", path, text, a.Status, a.Body)
			return 0
		default:
			r.mu.Lock()
			r.acknowledged[text] = true
			r.mu.Unlock()
			s.writes.Add(1)
			var made struct {
				Post struct {
					ID int64 `json:"id"`
				} `json:"post"`
				ID int64 `json:"id"`
			}
			if err := json.Unmarshal([]byte(a.Body), &made); err != nil {
				s.Errorf("%s: %v in %.300s", path, err, a.Body)
			}
			return max(made.Post.ID, made.ID)
		}
	}
	return 0
}

// WriteCounts returns how many writes were acknowledged to the writers, and how many of their
// requests were answered 429 or 503.
func (s *Scenario) WriteCounts() (acknowledged, retries int) {
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	for _, ok := range s.record.acknowledged {
		if ok {
			acknowledged++
		}
	}
	return acknowledged, s.record.retries
}

// lostWrites returns a line for each acknowledged write that is missing, and for each write made
// twice.
func (s *Scenario) lostWrites() (found []string) {
	s.Helper()
	const query = `
		select text from posts where text like 'write %' and deleted_at is null
		union all select text from comments where text like 'write %'`
	rows, err := s.Pool.Query(s.Context(), query)
	s.Must(err)
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	s.Must(err)
	count := make(map[string]int)
	for _, text := range texts {
		count[strings.TrimSpace(text)]++
	}
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	for text, acknowledged := range s.record.acknowledged {
		switch n := count[text]; {
		case n > 1:
			found = append(found, fmt.Sprintf("%q was made %d times", text, n))
		case n == 0 && acknowledged:
			found = append(found, fmt.Sprintf("%q was acknowledged, and is missing", text))
		}
	}
	return found
}

// ExpectOlderState stops the load, and lets the checks accept that acknowledged writes are
// missing and that pages are shown older states. A test calls ExpectOlderState when it
// restores an earlier state of the primary.
func (s *Scenario) ExpectOlderState() {
	s.Helper()
	s.StopLoad()
	s.record.mu.Lock()
	for text := range s.record.acknowledged {
		s.record.acknowledged[text] = false
	}
	s.record.mu.Unlock()
	for _, p := range s.pages {
		p.expectOlderState()
	}
}
