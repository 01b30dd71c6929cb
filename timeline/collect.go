package timeline

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// collect reads rows of one column to the end of a slice.
func collect[T any](to *[]T) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		some, err := pgx.CollectRows(rows, pgx.RowTo[T])
		*to = append(*to, some...)
		return err
	}
}

// collectMap reads rows of two columns into a map.
func collectMap[K comparable, V any](to map[K]V) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var key K
		var value V
		_, err := pgx.ForEachRow(rows, []any{&key, &value}, func() error {
			to[key] = value
			return nil
		})
		return err
	}
}

// read runs a query of one column, and reads its rows to the end of a slice.
func (tx *txn) read(ctx context.Context, to *[]PostID, query string, args ...any) error {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	return collect(to)(rows)
}

// put sets m[k] in a map that may not have been made yet.
func put[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[k] = v
}
