package timeline

import "context"

// An Effect is what writes came to, for the answer to the request that made them:
// the answer waits until pages have it.
type Effect struct {
	Changed bool // something stands in the change log
	Revoked bool // somebody may read less than before, or may have less to say
}

// Take returns the effect, and begins a new one.
func (e *Effect) Take() Effect {
	taken := *e
	*e = Effect{}
	return taken
}

type effectKey struct{}

// WithEffect returns a context, and what the writes under it came to, one write
// after another. A write whose commit was not answered counts: it may be in.
func WithEffect(ctx context.Context) (context.Context, *Effect) {
	e := new(Effect)
	return context.WithValue(ctx, effectKey{}, e), e
}

// report adds what a transaction came to to the effect of its context.
func (tx *txn) report(ctx context.Context) {
	if e, is := ctx.Value(effectKey{}).(*Effect); is {
		e.Changed = e.Changed || len(tx.changes) > 0
		e.Revoked = e.Revoked || tx.revoked
	}
}

// revokes says of a write that it takes a right away from someone, or gives a right
// to fewer than before: the answer to it waits until nothing of that is shown. A
// write says so before it finds that there is nothing to do, as the one that did it
// may not have been answered.
func (tx *txn) revokes() { tx.revoked = true }
