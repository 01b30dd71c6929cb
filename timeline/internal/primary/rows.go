package primary

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Collect returns a function that appends rows of one column to a slice.
func Collect[T any](to *[]T) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		some, err := pgx.CollectRows(rows, pgx.RowTo[T])
		*to = append(*to, some...)
		return err
	}
}

// CollectMap returns a function that reads rows of two columns into a map.
func CollectMap[K comparable, V any](to map[K]V) func(pgx.Rows) error {
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

// Read runs a query of one column, and appends its rows to a slice.
func Read[T any](ctx context.Context, q Querier, to *[]T, query string, args ...any) error {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	return Collect(to)(rows)
}
