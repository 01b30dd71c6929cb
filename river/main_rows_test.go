package river

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
)

// A rows counts the statements to the primary that use its contexts, and the rows of their
// answers.
type rows struct {
	mu         sync.Mutex
	statements int
	rows       int64
	batched    func(sql string) // called with each statement of a batch, with any context; nil: nothing
}

type rowsKey struct{}

func (r *rows) of(ctx context.Context) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements, r.rows = 0, 0
	return context.WithValue(ctx, rowsKey{}, true)
}

func (r *rows) note(ctx context.Context, n int64) {
	if ctx.Value(rowsKey{}) == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements++
	r.rows += n
}

func (r *rows) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

func (r *rows) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	r.note(ctx, data.CommandTag.RowsAffected())
}

func (r *rows) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (r *rows) TraceBatchQuery(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	r.note(ctx, data.CommandTag.RowsAffected())
	if r.batched != nil {
		r.batched(data.SQL)
	}
}

func (r *rows) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// newCountedSite makes a site whose statements are counted.
func newCountedSite(t *testing.T, names ...string) (*testSite, *rows) {
	t.Helper()
	p, counted := newTestSite(t, names...), &rows{}
	p.stop()
	config := p.store.Pool().Config()
	config.ConnConfig.Tracer = counted
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	p.must(err)
	t.Cleanup(pool.Close)
	p.store = timeline.New(pool, timeline.Options{Now: p.clock.now})
	t.Cleanup(func() { p.stop() }) // before the pool is closed
	p.start()
	return p, counted
}
