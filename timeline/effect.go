package timeline

import "context"

// An Effect sums up the writes of one request. The answer to the request waits until the
// node's pages show the effect.
type Effect struct {
	Changed bool // the change log has a new row
	Revoked bool // a person may read or do less than before
}

// Take returns the effect and empties it.
func (e *Effect) Take() Effect {
	effect := *e
	*e = Effect{}
	return effect
}

type effectKey struct{}

// WithEffect returns a context, and the effect that adds up the writes under the context. A write
// whose commit got no answer from the primary counts too, because it may be committed.
func WithEffect(ctx context.Context) (context.Context, *Effect) {
	e := new(Effect)
	return context.WithValue(ctx, effectKey{}, e), e
}
