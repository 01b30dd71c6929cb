package report

import (
	"context"
	"maps"
	"sync"

	"github.com/jackc/pgx/v5"
)

// A caller is the part of the program that a statement goes to the primary for.
type caller int

const (
	callerOthers caller = iota // requests and sockets, and what is begun for them
	callerNode                 // the loop's turns, and periodic work
	callerBench                // the changes that are made
)

type callerKey struct{}

// ByNode returns the context of the statements that a node runs by itself, with or without
// viewers: the statements of its loop and its periodic work. Builds of rivers are not among
// them.
func ByNode(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, callerNode)
}

// ByBench returns the context of the changes that a measurement makes.
func ByBench(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, callerBench)
}

// StatementCounts counts the statements that go to a primary, by caller. A part of a
// batch counts as one, and the end of a snapshot as none.
type StatementCounts struct {
	mu     sync.Mutex
	counts map[caller]int
	others map[string]int // of the others, by how they begin
}

// Counts are the numbers of statements.
type Counts struct {
	Others, Node int
	Texts        map[string]int
}

func (a *StatementCounts) note(ctx context.Context, text string) {
	if text == "rollback" {
		return // it asks nothing, and closes snapshots of all callers
	}
	who, _ := ctx.Value(callerKey{}).(caller)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.counts == nil {
		a.counts, a.others = map[caller]int{}, map[string]int{}
	}
	a.counts[who]++
	if who == callerOthers {
		a.others[Shorten(text)]++
	}
}

// Take returns the counts since the last call, and starts again from 0.
func (a *StatementCounts) Take() Counts {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := Counts{a.counts[callerOthers], a.counts[callerNode], maps.Clone(a.others)}
	clear(a.counts)
	clear(a.others)
	return t
}

// TraceQueryStart counts a statement; pgx calls it.
func (a *StatementCounts) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	a.note(ctx, data.SQL)
	return ctx
}

// TraceQueryEnd is called by pgx.
func (a *StatementCounts) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart is called by pgx.
func (a *StatementCounts) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for _, q := range data.Batch.QueuedQueries {
		a.note(ctx, q.SQL)
	}
	return ctx
}

// TraceBatchQuery is called by pgx.
func (a *StatementCounts) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd is called by pgx.
func (a *StatementCounts) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
