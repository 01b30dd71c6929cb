// Package audit compares derived values in the primary with the facts behind them: counts, the
// order of timelines and their entries, the access of feeds. A difference is a fault of the code
// that wrote the value, in an import or a request.
//
// An audit only reads, and reads one state of the database, so an audit may run on a live site.
// The package shares no code with the server: the rules are written anew, in SQL.
package audit

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// most is the number of listed faults of one kind.
const most = 20

// A rule is a query that returns a sentence for each fault, in a fixed order.
type rule struct{ name, query string }

// Check audits the whole primary and returns a sentence for each fault. A sound primary has
// none.
func Check(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	tx, err := pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	// Nothing was written, so a rollback loses nothing, and its error does not matter.
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	var faults []string
	for _, rules := range [][]rule{postRules(), entryRules(), wordRules(), peopleRules(), rightsRules(), rankingRules(), chosenRules(), logRules()} {
		for _, r := range rules {
			found, err := r.check(ctx, tx)
			if err != nil {
				return nil, fmt.Errorf("audit of %s: %w", r.name, err)
			}
			faults = append(faults, found...)
		}
	}
	return faults, nil
}

// check returns the faults of one kind: the first ones, and then the number of the rest.
func (r rule) check(ctx context.Context, tx pgx.Tx) ([]string, error) {
	rows, err := tx.Query(ctx, r.query)
	if err != nil {
		return nil, err
	}
	faults, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if more := len(faults) - most; more > 0 {
		faults = append(faults[:most], fmt.Sprintf("%s: %d more", r.name, more))
	}
	return faults, err
}
