package bench

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
)

// Pages that all come back at once are as their rivers are, and nobody asks the
// primary for it.
func TestStorm(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := small(t, &out)
	c.Only = []string{Storm}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := records(t, &out)
	if r, pages := found["storm"], c.Sockets/10; r.N != pages*c.Rounds || !strings.Contains(r.Of, " 0 pages unlike their river; 0 sockets ended before they were open, 0 pages had to subscribe anew,") {
		t.Errorf("not all pages came back right: %+v", r)
	}
	if r := found["storm.statements"]; r.Value != 0 || r.Parts["builds"] != 0 {
		t.Errorf("the primary was asked for pages that came back: %+v", r)
	} else if r.Parts["of turns"] == 0 || r.Parts["turns"] == 0 {
		t.Errorf("of the loop's own turns nothing was counted: %+v", r)
	}
}

func TestAskedKnowsWhoAsks(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig(pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	a := &asked{}
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
	ask(ByItself(t.Context()))
	ask(ByItself(t.Context()))
	ask(byBench(t.Context()))
	got := a.take()
	if got.others != 5 || got.node != 10 || got.texts["select 2"] != 2 { // begin and commit
		t.Errorf("%+v", got)
	}
	if got := a.take(); got.others != 0 || got.node != 0 || len(got.texts) != 0 {
		t.Errorf("counted twice: %+v", got)
	}
}
