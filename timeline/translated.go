package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A primary is the pool of a [Store]. All queries outside of transactions go
// through it, so the errors of all of them have the names of this package: no
// method can forget to translate.
type primary struct{ *pgxpool.Pool }

func (p primary) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return translated{p.Pool}.Query(ctx, sql, args...)
}

func (p primary) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return translated{p.Pool}.QueryRow(ctx, sql, args...)
}

func (p primary) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return translated{p.Pool}.Exec(ctx, sql, args...)
}

func (p primary) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return translated{p.Pool}.SendBatch(ctx, b)
}

// A translated querier passes every error of another querier through translate.
type translated struct{ querier querier }

func (t translated) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	rows, err := t.querier.Query(ctx, sql, args...)
	if err != nil {
		return rows, translate(err)
	}
	return translatedRows{rows}, nil
}

func (t translated) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return translatedRow{t.querier.QueryRow(ctx, sql, args...)}
}

func (t translated) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	tag, err := t.querier.Exec(ctx, sql, args...)
	return tag, translate(err)
}

func (t translated) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return translatedResults{t.querier.SendBatch(ctx, b)}
}

type translatedRows struct{ pgx.Rows }

func (r translatedRows) Err() error             { return translate(r.Rows.Err()) }
func (r translatedRows) Scan(dest ...any) error { return translate(r.Rows.Scan(dest...)) }

type translatedRow struct{ pgx.Row }

func (r translatedRow) Scan(dest ...any) error { return translate(r.Row.Scan(dest...)) }

type translatedResults struct{ pgx.BatchResults }

func (r translatedResults) Exec() (pgconn.CommandTag, error) {
	tag, err := r.BatchResults.Exec()
	return tag, translate(err)
}

func (r translatedResults) Query() (pgx.Rows, error) {
	rows, err := r.BatchResults.Query()
	if err != nil {
		return rows, translate(err)
	}
	return translatedRows{rows}, nil
}

func (r translatedResults) QueryRow() pgx.Row { return translatedRow{r.BatchResults.QueryRow()} }

func (r translatedResults) Close() error { return translate(r.BatchResults.Close()) }
