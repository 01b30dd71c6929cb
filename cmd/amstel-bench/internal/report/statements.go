package report

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// StatementTimes measures how long the caller of each statement on a pool waits, including the wait for
// locks and the reading of rows. The results of a batch arrive together, so the time of a part of
// a batch can't be measured. A batch of up to fewParts parts counts as one statement; larger batches
// are timed apart.
type StatementTimes struct {
	mu      sync.Mutex
	summary StatementSummary
}

// fewParts is the largest number of parts in a batch that counts as one statement. The largest
// batch that reads for a page has as many.
const fewParts = 20

// StatementSummary sums up statements.
type StatementSummary struct {
	Count   int
	Longest time.Duration // the time of the longest statement
	Text    string        // the text of the longest statement
	Batch   time.Duration // the time of the longest batch with more than fewParts parts
}

// Keys under which the start of a statement leaves values for its end.
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
func (s *StatementTimes) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, statementKey{}, &statement{time.Now(), data.SQL, 1})
}

// TraceQueryEnd is called by pgx.
func (s *StatementTimes) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if one, ok := ctx.Value(statementKey{}).(*statement); ok {
		s.note(one.text, time.Since(one.begun))
	}
}

// TraceBatchStart is called by pgx.
func (s *StatementTimes) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	text, parts := "", data.Batch.QueuedQueries
	if len(parts) > 0 {
		text = fmt.Sprintf("%d in a batch, the first: %s", len(parts), parts[0].SQL)
	}
	return context.WithValue(ctx, batchKey{}, &statement{time.Now(), text, len(parts)})
}

// TraceBatchQuery is called by pgx when the results of a part have been read.
func (s *StatementTimes) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd is called by pgx.
func (s *StatementTimes) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) {
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
	s.summary.Count += one.parts
	s.summary.Batch = max(s.summary.Batch, took)
}

// Take returns the summary of the statements since the last call of Take.
func (s *StatementTimes) Take() StatementSummary {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.summary
	s.summary = StatementSummary{}
	return taken
}

func (s *StatementTimes) note(text string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.summary.Count++
	if took > s.summary.Longest {
		s.summary.Longest, s.summary.Text = took, text
	}
}

// Shorten returns the beginning of a statement, on one line.
func Shorten(text string) string {
	const most = 100
	line := strings.Join(strings.Fields(text), " ")
	if len(line) > most {
		line = line[:most] + " …"
	}
	return line
}
