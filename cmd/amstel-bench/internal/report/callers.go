package report

import (
	"context"
	"maps"
	"sync"

	"github.com/jackc/pgx/v5"
)

// A caller is a part of the program for which a statement goes to the primary.
type caller int

const (
	callerOthers caller = iota // requests and sockets, and the builds of rivers for them
	callerNode                 // the loop's turns, and periodic work
	callerBench                // the changes that a measurement makes
)

type callerKey struct{}

// ByNode returns a context for the node's own work: its loop and its periodic work. Statements in it
// count as those of the node. Builds of rivers, which viewers cause, have another context.
func ByNode(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, callerNode)
}

// ByBench returns a context for the changes that a measurement makes. Statements in it do not count as
// those of requests.
func ByBench(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, callerBench)
}

// StatementCounts counts the statements that go to a primary, by caller. Each part of a batch counts as
// one statement. The end of a snapshot, a rollback, does not count.
type StatementCounts struct {
	mu     sync.Mutex
	counts map[caller]int
	others map[string]int // the statements of callerOthers, by their beginnings
}

// Counts are numbers of statements.
type Counts struct {
	Others int            // statements for requests and sockets
	Node   int            // statements of the node's own work
	Texts  map[string]int // statements for requests and sockets, by their beginnings
}

func (a *StatementCounts) note(ctx context.Context, text string) {
	if text == "rollback" {
		return // a rollback reads nothing, and ends the snapshots of every caller
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

// Take returns the counts since the last call of Take.
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
