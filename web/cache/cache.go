// Package cache remembers what package web has read, for as long as its callers
// say.
package cache

import "sync"

// A Cache is a map that holds at most so many values: one more lets go of one,
// whichever. It is for values that cost a query to read again and nothing to
// forget. Any number of goroutines may use it.
type Cache[K comparable, V any] struct {
	most int

	mu   sync.RWMutex
	held map[K]V
}

// New returns a Cache for at most so many values.
func New[K comparable, V any](most int) *Cache[K, V] {
	return &Cache[K, V]{most: most, held: make(map[K]V)}
}

// Get returns the value of a key, and reports whether there is one.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	value, held := c.held[key]
	return value, held
}

// Put remembers a value in the place of what its key had.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, held := c.held[key]; !held && len(c.held) >= c.most {
		for other := range c.held {
			delete(c.held, other)
			break
		}
	}
	c.held[key] = value
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
	for key, value := range c.held {
		if pick(value) {
			delete(c.held, key)
		}
	}
}
