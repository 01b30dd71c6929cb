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
