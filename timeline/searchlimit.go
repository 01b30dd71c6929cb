package timeline

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// SearchFor bounds how long a statement of this snapshot may take that looks for
// the words of a search, whether it chooses posts or matches them. One that takes
// longer ends with an [InvalidError] of the field q, and the snapshot with it. It
// is for what somebody waits for: a turn has to know, however long it takes.
func (sn *Snapshot) SearchFor(limit time.Duration) { sn.limit = limit }

// Searched says that all the searching in this snapshot took as long as one
// statement may: it is time to answer what was found.
func (sn *Snapshot) Searched() bool { return sn.limit > 0 && sn.spent >= sn.limit }

// search runs statements that look for words, each bounded.
func (sn *Snapshot) search(ctx context.Context, run func() error) error {
	const bound = `select set_config('statement_timeout', $1, true)`
	const unbound = `set local statement_timeout to default`
	if sn.limit == 0 {
		return run()
	}
	begin := time.Now()
	defer func() { sn.spent += time.Since(begin) }()
	if _, err := sn.tx.Exec(ctx, bound, strconv.FormatInt(max(sn.limit.Milliseconds(), 1), 10)); err != nil { // 0 is no bound
		return err
	}
	err := run()
	if pgErr, is := errors.AsType[*pgconn.PgError](err); is && pgErr.Code == "57014" && ctx.Err() == nil { // query_canceled
		return badSearch("takes too long to look for: add a word that is rarer")
	}
	if err == nil {
		_, err = sn.tx.Exec(ctx, unbound)
	}
	return err
}
