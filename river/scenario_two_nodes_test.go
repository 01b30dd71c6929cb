package river

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestTwoNodes: two nodes that share only a primary show the same pages. A node that waits for a
// position shows no older state.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	// A store of its own: only the log tells it of the other store's writes.
	store := timeline.New(p.store.Pool(), timeline.Options{Now: p.clock.now})
	other, err := Open(t.Context(), Config{Store: store, Path: filepath.Join(t.TempDir(), "other.db"), Settings: p.set, Now: p.clock.now})
	p.must(err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := other.Run(ctx); err != nil {
			t.Errorf("the other loop: %v", err)
		}
	})
	defer wg.Wait()
	defer cancel()
	key := p.home("ann")
	if p.node.Name(key, []byte("session")) != other.Name(key, []byte("session")) {
		t.Error("a river has two names")
	}
	p.visit(key)
	_, err = other.Visit(t.Context(), key, At{})
	p.must(err)
	for _, text := range []string{"one", "two", "three"} {
		p.post("bob", text)
		here, err := p.node.EntryAfterWrite(t.Context(), key, 0)
		p.must(err)
		p.must(other.WaitPosition(t.Context(), here.Position))
		there, err := other.Visit(t.Context(), key, At{})
		p.must(err)
		if there.Position < here.Position || len(there.Entries) == 0 || there.Entries[0].Fold.Text.Text != text {
			t.Errorf("at position %d of %d the other node shows %v, want %q first", there.Position, here.Position, texts(there.Entries), text)
		}
	}
	p.sync() // Acted answers from the primary while the loop is late
	here, err := p.node.Visit(t.Context(), key, At{})
	p.must(err)
	there, err := other.Visit(t.Context(), key, At{})
	p.must(err)
	if diff := cmp.Diff(haveOf(here), haveOf(there)); diff != "" {
		t.Errorf("the two nodes show different entries (-one +other):\n%s", diff)
	}
	if here.Epoch == there.Epoch {
		t.Error("two rivers have one epoch")
	}
}
