package bench

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
)

// traced is a pool whose statements are noted.
func traced(t *testing.T) (*statements, *pgxpool.Pool) {
	t.Helper()
	config, err := pgxpool.ParseConfig(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &statements{}
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
