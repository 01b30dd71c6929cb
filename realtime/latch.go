package realtime

import "sync"

// A latch is a lock that is held while somebody waits for something else, and
// so for long. It may be opened by another than who closed it. The zero value is
// open.
type latch struct {
	mu     sync.Mutex
	closed bool
	opened chan struct{} // closed when it is; nil: nobody waits
}

// try closes the latch, if it is open.
func (l *latch) try() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.closed = true
	return true
}

// close waits until the latch is open and closes it.
func (l *latch) close() {
	for !l.try() {
		l.mu.Lock()
		if !l.closed {
			l.mu.Unlock()
			continue
		}
		if l.opened == nil {
			l.opened = make(chan struct{})
		}
		opened := l.opened
		l.mu.Unlock()
		<-opened
	}
}

// open opens the latch.
func (l *latch) open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = false
	if l.opened != nil {
		close(l.opened)
		l.opened = nil
	}
}
