package report

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
)

func TestLongestStatementIsKept(t *testing.T) {
	t.Parallel()
	var s StatementTimes
	s.note("one", time.Millisecond)
	s.note("two", 3*time.Millisecond)
	s.note("three", 2*time.Millisecond)
	if got, want := s.Take(), (StatementSummary{Count: 3, Longest: 3 * time.Millisecond, Text: "two"}); got != want {
		t.Errorf("seen %+v, want %+v", got, want)
	}
	if got := s.Take(); got != (StatementSummary{}) {
		t.Errorf("taken, and yet %+v", got)
	}
}

func TestStatementsOfAPoolAreNoted(t *testing.T) {
	t.Parallel()
	s, pool := traced(t)
	if _, err := pool.Exec(t.Context(), `select 1 from pg_sleep(0.01)`); err != nil {
		t.Fatal(err)
	}
	if got := s.Take(); got.Longest < 10*time.Millisecond || !strings.Contains(got.Text, "pg_sleep") {
		t.Errorf("seen %+v", got)
	}
	if err := inBatch(t.Context(), pool, `select 1`, `select 2 from pg_sleep(0.01)`, `select 3`); err != nil {
		t.Fatal(err)
	}
	if got := s.Take(); got.Longest < 10*time.Millisecond || got.Text != "3 in a batch, the first: select 1" {
		t.Errorf("seen of a batch %+v", got)
	}
	if err := inBatch(t.Context(), pool, slices.Repeat([]string{`select from pg_sleep(0.001)`}, fewParts+1)...); err != nil {
		t.Fatal(err)
	}
	if got := s.Take(); got.Batch < fewParts*time.Millisecond || got.Longest > got.Batch || got.Text != "" {
		t.Errorf("seen of a large batch %+v", got)
	}
}

// traced returns a pool, and the recorded times of the statements on it.
func traced(t *testing.T) (*StatementTimes, *pgxpool.Pool) {
	t.Helper()
	config, err := pgxpool.ParseConfig(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &StatementTimes{}
	config.ConnConfig.Tracer = s
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return s, pool
}

// inBatch sends queries in one batch.
func inBatch(ctx context.Context, pool *pgxpool.Pool, queries ...string) error {
	var batch pgx.Batch
	for _, q := range queries {
		batch.Queue(q)
	}
	return pool.SendBatch(ctx, &batch).Close()
}
