package pool

import (
	"context"
	"math"
	"runtime"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/turnstile"
)

// strangers bound how many connections of a pool work for clients that are not signed in, and admit
// such clients in turn. So members and the loop never wait for a connection behind a flood of
// strangers, and only a few statements of strangers compete with theirs for the cores of the primary.
//
// For example, of 16 connections on two cores two work for strangers. While a crawler waits for a
// third, the request of a member gets one of the other 14 at once.
//
// The pool calls strangers before it looks for a connection, and when a connection is released. The
// type is a tracer, because pgxpool calls only tracers at these two moments.
type strangers struct {
	admission *turnstile.Turnstile

	mu    sync.Mutex
	leave map[*pgx.Conn]func() // for each connection that works for a stranger: ends the stranger's turn
}

// strangersMost returns the largest number of connections of a pool that work for strangers: one for
// each core and at least two, but no more than a quarter of the pool, and at least one.
func strangersMost(connections int) int {
	return max(1, min(connections/4, max(2, runtime.GOMAXPROCS(0))))
}

func newStrangers(most int) *strangers {
	return &strangers{
		// The number of waiting reads needs no limit here: the slots of packages river and web
		// bound them.
		admission: turnstile.New(turnstile.Config{Slots: most, Each: most, Waiting: math.MaxInt}),
		leave:     make(map[*pgx.Conn]func()),
	}
}

type leaveKey struct{}

// TraceAcquireStart waits until a connection may work for a stranger. If the context ends first, it
// returns, and the pool then returns the error of the context.
func (s *strangers) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	if !turnstile.Stranger(ctx) {
		return ctx
	}
	leave, err := s.admission.Enter(ctx, turnstile.Client(ctx))
	if err != nil {
		return ctx
	}
	return context.WithValue(ctx, leaveKey{}, leave)
}

// TraceAcquireEnd notes the connection that was taken for a stranger.
func (s *strangers) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, data pgxpool.TraceAcquireEndData) {
	leave, ok := ctx.Value(leaveKey{}).(func())
	if !ok {
		return
	}
	if data.Err != nil {
		leave()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave[data.Conn] = leave
}

// TraceRelease admits the next stranger if the connection worked for one.
func (s *strangers) TraceRelease(_ *pgxpool.Pool, data pgxpool.TraceReleaseData) {
	s.mu.Lock()
	leave := s.leave[data.Conn]
	delete(s.leave, data.Conn)
	s.mu.Unlock()
	if leave != nil {
		leave()
	}
}

// TraceQueryStart does nothing: a tracer must have it.
func (*strangers) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd does nothing: a tracer must have it.
func (*strangers) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
