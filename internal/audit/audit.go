// Package audit holds what the primary stores twice against what it follows
// from: counts, the order of timelines, who is in which, whose access is what.
// What differs is a fault of whoever wrote it, an import or a request.
//
// It reads only, and one state of the database, so it may run on a live one.
// It does not follow the code it tests: the rules are said anew, in SQL.
package audit

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// most is how many faults of one kind are told one by one.
const most = 20

// A rule is a query whose rows are the faults, in words, in a fixed order.
type rule struct{ name, query string }

// Check looks at the whole primary, and answers every fault in a sentence;
// none is what it should find.
func Check(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	tx, err := pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	// Nothing was written, so however it ends nothing is lost.
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

// check answers the faults of one kind, at most so many and then how many more.
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
