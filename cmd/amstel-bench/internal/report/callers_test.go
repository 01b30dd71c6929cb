package report

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
)

func TestStatementCountsByCaller(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	a := &StatementCounts{}
	config.ConnConfig.Tracer = a
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	ask := func(ctx context.Context) {
		t.Helper()
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "select 1"); err != nil {
				return err
			}
			var batch pgx.Batch
			batch.Queue("select 2")
			batch.Queue("select 2")
			return tx.SendBatch(ctx, &batch).Close()
		})
		if err != nil {
			t.Error(err)
		}
	}
	ask(t.Context())
	ask(ByNode(t.Context()))
	ask(ByNode(t.Context()))
	ask(ByBench(t.Context()))
	got := a.Take()
	if got.Others != 5 || got.Node != 10 || got.Texts["select 2"] != 2 { // begin and commit
		t.Errorf("%+v", got)
	}
	if got := a.Take(); got.Others != 0 || got.Node != 0 || len(got.Texts) != 0 {
		t.Errorf("counted twice: %+v", got)
	}
}
