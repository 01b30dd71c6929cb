package bench

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// statements notes how long each statement on a pool takes, as its caller has
// it: with waiting for locks, and with the reading of its rows. What a part of a
// batch took is not to be seen, as their answers come together: a batch counts
// as one statement, unless it has more than a few parts.
type statements struct {
	mu   sync.Mutex
	seen seen
}

// fewParts is how many parts a batch has that counts as one statement: as many
// as the largest that reads for a page.
const fewParts = 20

// seen is what was seen of statements.
type seen struct {
	count   int
	longest time.Duration
	text    string        // of the longest
	batch   time.Duration // the longest batch of more than a few parts
}

// Keys of what a start leaves for its end.
type (
	statementKey struct{}
	batchKey     struct{}
)

type statement struct {
	begun time.Time
	text  string
	parts int
}

// TraceQueryStart is called by pgx.
func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, statementKey{}, &statement{time.Now(), data.SQL, 1})
}

// TraceQueryEnd is called by pgx.
func (s *statements) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if one, ok := ctx.Value(statementKey{}).(*statement); ok {
		s.note(one.text, time.Since(one.begun))
	}
}

// TraceBatchStart is called by pgx.
func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	text, parts := "", data.Batch.QueuedQueries
	if len(parts) > 0 {
		text = fmt.Sprintf("%d in a batch, the first: %s", len(parts), parts[0].SQL)
	}
	return context.WithValue(ctx, batchKey{}, &statement{time.Now(), text, len(parts)})
}

// TraceBatchQuery is called by pgx when the results of a part have been read.
func (s *statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd is called by pgx.
func (s *statements) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) {
	one, ok := ctx.Value(batchKey{}).(*statement)
	if !ok {
		return
	}
	took := time.Since(one.begun)
	if one.parts <= fewParts {
		s.note(one.text, took)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen.count += one.parts
	s.seen.batch = max(s.seen.batch, took)
}

// take answers what was seen since it was last asked, and begins anew.
func (s *statements) take() seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.seen
	s.seen = seen{}
	return taken
}

func (s *statements) note(text string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen.count++
	if took > s.seen.longest {
		s.seen.longest, s.seen.text = took, text
	}
}

// brief is the beginning of a statement, on one line.
func brief(text string) string {
	const most = 100
	line := strings.Join(strings.Fields(text), " ")
	if len(line) > most {
		line = line[:most] + " …"
	}
	return line
}
