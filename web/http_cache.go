package web

import "sync"

// bounded is a map that holds at most max values: one more lets go of one,
// whichever. It is for what costs a query to know again and nothing to forget.
type bounded[K comparable, V any] struct {
	max int

	mu   sync.RWMutex
	held map[K]V
}

func newBounded[K comparable, V any](max int) *bounded[K, V] {
	return &bounded[K, V]{max: max, held: make(map[K]V)}
}

func (b *bounded[K, V]) get(key K) (V, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	value, held := b.held[key]
	return value, held
}

func (b *bounded[K, V]) put(key K, value V) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, held := b.held[key]; !held && len(b.held) >= b.max {
		for other := range b.held {
			delete(b.held, other)
			break
		}
	}
	b.held[key] = value
}

// drop forgets one.
func (b *bounded[K, V]) drop(key K) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.held, key)
}

// dropIf forgets every value that the function picks.
func (b *bounded[K, V]) dropIf(pick func(V) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key, value := range b.held {
		if pick(value) {
			delete(b.held, key)
		}
	}
}
