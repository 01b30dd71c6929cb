// Package cache remembers what package web has read, with the time when it was read.
//
// How long a value is believed, and what is shown while the primary is away, the
// callers say: each knows what the value would give away.
package cache

import (
	"sync"
	"time"
)

// A Cache holds at most so many values, each as it was at a time: one more lets go
// of one, whichever. It is for values that cost a query to read again and nothing
// to forget. Any number of goroutines may use it.
type Cache[K comparable, V any] struct {
	most int

	mu   sync.RWMutex
	held map[K]entry[V]
}

type entry[V any] struct {
	value V
	at    time.Time
}

// New returns a Cache for at most so many values.
func New[K comparable, V any](most int) *Cache[K, V] {
	return &Cache[K, V]{most: most, held: make(map[K]entry[V])}
}

// Get returns the value of a key, as of when it was put, and reports whether there
// is one.
func (c *Cache[K, V]) Get(key K) (value V, at time.Time, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	held, ok := c.held[key]
	return held.value, held.at, ok
}

// Put remembers a value, as it was at a time, in the place of what its key had. A
// value that was read is of the time when the read began.
func (c *Cache[K, V]) Put(key K, value V, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, held := c.held[key]; !held && len(c.held) >= c.most {
		for other := range c.held {
			delete(c.held, other)
			break
		}
	}
	c.held[key] = entry[V]{value, at}
}

// Drop forgets the value of a key.
func (c *Cache[K, V]) Drop(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.held, key)
}

// DropIf forgets every value that the function picks.
func (c *Cache[K, V]) DropIf(pick func(V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, held := range c.held {
		if pick(held.value) {
			delete(c.held, key)
		}
	}
}
