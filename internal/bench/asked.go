package bench

import (
	"context"
	"maps"
	"sync"

	"github.com/jackc/pgx/v5"
)

// An asker is on whose behalf the primary is asked something.
type asker int

const (
	askedForOthers asker = iota // requests and sockets, and what is begun for them
	askedByNode                 // the loop's turns, and periodic work
	askedByBench                // the changes that are made
)

type askerKey struct{}

// ByItself is the context of what a node does by itself, whoever looks at it: of
// its loop and its periodic work. Builds are not that.
func ByItself(ctx context.Context) context.Context {
	return context.WithValue(ctx, askerKey{}, askedByNode)
}

func byBench(ctx context.Context) context.Context {
	return context.WithValue(ctx, askerKey{}, askedByBench)
}

// asked counts the statements that go to a primary, by who asks. A part of a
// batch counts as one, and the end of a snapshot as none.
type asked struct {
	mu     sync.Mutex
	counts map[asker]int
	others map[string]int // for others, by how they begin
}

// tally is what was counted.
type tally struct {
	others, node int
	texts        map[string]int
}

func (a *asked) note(ctx context.Context, text string) {
	if text == "rollback" {
		return // it asks nothing, and a snapshot is closed by it whoever opened it
	}
	who, _ := ctx.Value(askerKey{}).(asker)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.counts == nil {
		a.counts, a.others = map[asker]int{}, map[string]int{}
	}
	a.counts[who]++
	if who == askedForOthers {
		a.others[brief(text)]++
	}
}

// take answers what was counted since it was last asked, and begins anew.
func (a *asked) take() tally {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := tally{a.counts[askedForOthers], a.counts[askedByNode], maps.Clone(a.others)}
	clear(a.counts)
	clear(a.others)
	return t
}

// TraceQueryStart is called by pgx.
func (a *asked) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	a.note(ctx, data.SQL)
	return ctx
}

// TraceQueryEnd is called by pgx.
func (a *asked) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart is called by pgx.
func (a *asked) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for _, q := range data.Batch.QueuedQueries {
		a.note(ctx, q.SQL)
	}
	return ctx
}

// TraceBatchQuery is called by pgx.
func (a *asked) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd is called by pgx.
func (a *asked) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
