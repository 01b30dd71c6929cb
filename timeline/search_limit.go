package timeline

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"amstel.dev/amstel/timeline/query"
)

// SearchFor limits the time that statements of this snapshot may take to test words, when they
// choose posts or match them. Callers set a limit if a person waits for the answer. A turn of a
// node sets no limit, because its result must be complete.
//
// Counts bound the rows that a statement looks at (see chooseQuery), and tell whether a search is
// too broad. So a statement that takes searchPatience times the limit is not too broad: the machine
// is busy. Such a statement ends with [ErrBusy], and the snapshot can't be used any more.
func (sn *Snapshot) SearchFor(limit time.Duration) { sn.limit = limit }

// searchPatience is how many times the limit one statement may take.
const searchPatience = 5

// Searched reports whether the statements of this snapshot have used up the limit. The caller
// then answers with the posts found so far.
func (sn *Snapshot) Searched() bool { return sn.limit > 0 && sn.spent >= sn.limit }

// search runs statements that test words, and stops a statement that takes too long.
func (sn *Snapshot) search(ctx context.Context, run func() error) error {
	const bound = `select set_config('statement_timeout', $1, true)`
	const unbound = `set local statement_timeout to default`
	if sn.limit == 0 {
		return run()
	}
	begin := time.Now()
	defer func() { sn.spent += time.Since(begin) }()
	if _, err := sn.tx.Exec(ctx, bound, strconv.FormatInt(max((searchPatience*sn.limit).Milliseconds(), 1), 10)); err != nil { // 0 is no bound
		return err
	}
	err := run()
	if pgErr, is := errors.AsType[*pgconn.PgError](err); is && pgErr.Code == "57014" && ctx.Err() == nil { // query_canceled
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	if err == nil {
		_, err = sn.tx.Exec(ctx, unbound)
	}
	return err
}

// TooBroad returns an [InvalidError] if the index of words found too many posts for the query in
// this snapshot, and nil otherwise. The caller asks it if no post was found in time.
func (sn *Snapshot) TooBroad(q *Query) error {
	if q == nil || sn.broad != q {
		return nil
	}
	return query.Invalid("has only words that very many posts have, and the newest of those don't fit it: add a rarer word, or from: and a name", "rarer", "")
}
