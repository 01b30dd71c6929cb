package realtime

import (
	"context"

	"amstel.dev/amstel/river"
)

// Node is a river.Node as [Rivers].
type Node struct{ *river.Node }

// Watch opens a river.
func (n Node) Watch(ctx context.Context, key river.Key) (Watch, error) {
	w, err := n.Node.Watch(ctx, key)
	if err != nil {
		return nil, err
	}
	return w, nil
}
