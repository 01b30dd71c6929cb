package cache

import (
	"container/list"
	"sync"
)

// A Sized holds values that together have at most a number of bytes. A new value above the bound
// evicts the values whose last use is the oldest. Any number of goroutines may use a Sized.
type Sized[K comparable, V any] struct {
	most int // bytes
	size func(K, V) int

	mu     sync.Mutex
	held   map[K]*list.Element // of sizedEntry[K, V], the one used last in front
	recent *list.List
	bytes  int
}

type sizedEntry[K comparable, V any] struct {
	key   K
	value V
	size  int
}

// NewSized returns a Sized for values of at most so many bytes. Size returns how many bytes a key takes
// with its value; the value must not grow while the Sized holds the value.
func NewSized[K comparable, V any](most int, size func(K, V) int) *Sized[K, V] {
	return &Sized[K, V]{most: most, size: size, held: make(map[K]*list.Element), recent: list.New()}
}

// Get returns the value of a key, and reports whether the Sized has the key.
func (c *Sized[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.held[key]
	if !ok {
		return value, false
	}
	c.recent.MoveToFront(at)
	return at.Value.(*sizedEntry[K, V]).value, true
}

// Put replaces the value of a key. A value that is larger than the bound is not held.
func (c *Sized[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, held := c.held[key]; held {
		c.remove(at)
	}
	e := &sizedEntry[K, V]{key, value, c.size(key, value)}
	c.held[key] = c.recent.PushFront(e)
	c.bytes += e.size
	for c.bytes > c.most && c.recent.Len() > 0 {
		c.remove(c.recent.Back())
	}
}

// Bytes returns how many bytes the held values take.
func (c *Sized[K, V]) Bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

func (c *Sized[K, V]) remove(at *list.Element) {
	e := c.recent.Remove(at).(*sizedEntry[K, V])
	delete(c.held, e.key)
	c.bytes -= e.size
}
