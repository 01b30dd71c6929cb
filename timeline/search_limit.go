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

// SearchFor bounds how long this snapshot may look for the words of a search,
// whether a statement chooses posts or matches them. Where somebody waits for the
// answer it is set; a turn has to know, however long it takes.
//
// What a statement looks at is bounded by counts (see chooseQuery), which tell
// whether a search asks for too much. So a statement that takes searchPatience
// times the limit is held up by what else the machine does: it ends with
// [ErrBusy], and the snapshot with it.
func (sn *Snapshot) SearchFor(limit time.Duration) { sn.limit = limit }

// searchPatience is how many times the limit of a snapshot's searching one
// statement may take.
const searchPatience = 5

// Searched reports whether all the searching in this snapshot took as long as it
// may: it is time to answer what was found.
func (sn *Snapshot) Searched() bool { return sn.limit > 0 && sn.spent >= sn.limit }

// search runs statements that look for words, each bounded in time.
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

// TooBroad returns what is wrong with a query of which nothing was found in the
// time that there was, if that is the query's own fault: its words are in very many
// posts. Nil: they are not.
func (sn *Snapshot) TooBroad(q *Query) error {
	if q == nil || sn.broad != q {
		return nil
	}
	return query.Invalid("has only words that very many posts have, and the newest of those don't fit it: add a rarer word, or from: and a name", "rarer", "")
}
