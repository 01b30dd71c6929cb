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

// WithEffect returns a context, and the effect that collects all writes made with the context.
// If the primary does not answer a commit, the effect counts the write, because the primary may
// have committed it.
func WithEffect(ctx context.Context) (context.Context, *Effect) {
	e := new(Effect)
	return context.WithValue(ctx, effectKey{}, e), e
}
