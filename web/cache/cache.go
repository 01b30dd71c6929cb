// Package cache keeps values that package web has read, with the time of each reading.
//
// The cache does not expire values: callers decide how old a value may be, and whether
// to use an older one while the primary is unavailable, because only they know what an
// outdated value would disclose. A [Sized] bounds bytes instead of values.
package cache

import (
	"sync"
	"time"
)

// A Cache holds a bounded number of values, each with the time at which it was true. A new value
// above the bound evicts an arbitrary other one, so a Cache suits values that cost one query to
// read again. Any number of goroutines may use a Cache.
type Cache[K comparable, V any] struct {
	most int

	mu    sync.RWMutex
	held  map[K]entry[V]
	loads map[K]*load // the readings under way that began after the last drop of their key
}

type entry[V any] struct {
	value V
	at    time.Time
}

// A load stands for the loads of one key that are under way and began after the same drops.
type load struct {
	running int
	dropped bool // the key was dropped since they began
}

// New returns a Cache for at most so many values.
func New[K comparable, V any](most int) *Cache[K, V] {
	return &Cache[K, V]{most: most, held: make(map[K]entry[V]), loads: make(map[K]*load)}
}

// Get returns the value of a key and the time at which the value was true, and reports whether
// the cache has the key.
func (c *Cache[K, V]) Get(key K) (value V, at time.Time, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	held, ok := c.held[key]
	return held.value, held.at, ok
}

// Put replaces the value of a key. To keep a value that was read from the primary, call
// Load instead.
func (c *Cache[K, V]) Put(key K, value V, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(key, value, at)
}

func (c *Cache[K, V]) put(key K, value V, at time.Time) {
	if _, held := c.held[key]; !held && len(c.held) >= c.most {
		for other := range c.held {
			delete(c.held, other)
			break
		}
	}
	c.held[key] = entry[V]{value, at}
}

// Load calls read and returns its result. Load keeps the value, as of at, the time before the
// call, unless read fails or the key is dropped while read runs.
//
// The reason for the second condition: a request changes a number and drops the key. Another
// request, which began to read the number before the change, may finish after the drop. The second
// request's number is outdated, and keeping it would show the old number for as long as callers
// use a value. Loads that begin after a drop are kept as usual.
func (c *Cache[K, V]) Load(key K, at time.Time, read func() (V, error)) (value V, err error) {
	l := c.beginLoad(key)
	keep := false
	defer func() { // also if read panics
		c.mu.Lock()
		defer c.mu.Unlock()
		if l.running--; l.running == 0 && !l.dropped {
			delete(c.loads, key)
		}
		if keep && !l.dropped {
			c.put(key, value, at)
		}
	}()
	value, err = read()
	keep = err == nil
	return value, err
}

func (c *Cache[K, V]) beginLoad(key K) *load {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.loads[key]
	if l == nil {
		l = &load{}
		c.loads[key] = l
	}
	l.running++
	return l
}

// Drop removes the value of a key. Loads of the key that are under way are not kept.
func (c *Cache[K, V]) Drop(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.held, key)
	c.dropLoad(key)
}

// DropIf removes every value for which pick returns true. No load under way is kept, because its
// value is not known yet.
func (c *Cache[K, V]) DropIf(pick func(V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, held := range c.held {
		if pick(held.value) {
			delete(c.held, key)
		}
	}
	for key := range c.loads {
		c.dropLoad(key)
	}
}

func (c *Cache[K, V]) dropLoad(key K) {
	if l := c.loads[key]; l != nil {
		l.dropped = true
		delete(c.loads, key)
	}
}
