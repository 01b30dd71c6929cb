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

// A ledger is what clerks wrote through nodes, and were answered.
type writeRecord struct {
	mu           sync.Mutex
	number       int
	acknowledged map[string]bool // texts: answered as done; else only tried
	retries      int             // how often a clerk was asked to come again
}

// newUUID is one by which a thing sent twice is done once.
func newUUID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// clerk writes a post through a node, and much below it, over and over, each thing
// again under its uuid until a node answers that it is done. When things come to rest,
// the clerk leaves the thing in hand as it is.
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

// write has one thing done, and answers its id; 0: it is not known whether it is.
func (s *Scenario) write(ctx context.Context, token, path string, thing func(text string) any) int64 {
	r := &s.record
	r.mu.Lock()
	r.number++
	text := fmt.Sprintf("write %d.", r.number)
	r.acknowledged[text] = false
	r.mu.Unlock()
	body, err := json.Marshal(thing(text))
	if err != nil {
		s.Error(err)
		return 0
	}
	for s.waitPace(ctx) {
		a, err := s.request(http.MethodPost, s.nodes.next()+path, token, bytes.NewReader(body))
		switch {
		case err != nil: // the node went, or is gone
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

// Written are how many things the clerks were told are done, and how often they
// were asked to come again.
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

// lostWrites lists the acknowledged writes that are missing, and those that were made twice.
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
			found = append(found, fmt.Sprintf("%q is there %d times", text, n))
		case n == 0 && acknowledged:
			found = append(found, fmt.Sprintf("%q was done, and is lost", text))
		}
	}
	return found
}

// ExpectOlderState says that the primary is put back to an earlier state: what was done
// since may be gone, and entries may be older.
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
