package timeline

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestReadingForOnePersonKeepsItsPlans reads the sets and the notices of one person many times on
// one connection. PostgreSQL makes a plan at each of the first five executions of a statement, and
// then keeps one.
func TestReadingForOnePersonKeepsItsPlans(t *testing.T) {
	t.Parallel()
	s := newSite(t, "ann", "bob")
	ann := s.people["ann"]
	err := pgx.BeginFunc(t.Context(), s.Pool(), func(tx pgx.Tx) error {
		// Another test may have used the connection for other statements.
		if err := tx.Conn().DeallocateAll(t.Context()); err != nil {
			return err
		}
		for range 10 {
			sets, _, err := ReadSetsOf(t.Context(), tx, []UserID{ann})
			if err != nil {
				return err
			}
			if _, err := countUnread(t.Context(), tx, sets); err != nil {
				return err
			}
		}
		return checkPlans(t.Context(), t, tx)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkPlans fails the test for each statement of the connection that was planned anew after its
// first five executions.
func checkPlans(ctx context.Context, t *testing.T, tx pgx.Tx) error {
	t.Helper()
	rows, err := tx.Query(ctx, `select statement, custom_plans, generic_plans from pg_prepared_statements where custom_plans + generic_plans >= 10`)
	if err != nil {
		return err
	}
	var statement string
	var custom, generic, n int
	_, err = pgx.ForEachRow(rows, []any{&statement, &custom, &generic}, func() error {
		if n++; custom > 5 {
			t.Errorf("planned %d times, and used a kept plan %d times:\n%s", custom, generic, statement)
		}
		return nil
	})
	if n < 14 {
		t.Errorf("%d statements were executed often, want those of the sets and of the notices", n)
	}
	return err
}
