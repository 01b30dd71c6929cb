// Package turnstile admits a few reads of the primary at a time, from each client in turn.
package turnstile

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// The errors of reads that are not admitted.
var (
	// ErrCrowded reports that a client has as many waiting reads as allowed.
	ErrCrowded = errors.New("too many reads of one client wait")
	// ErrBusy reports that a read has waited as long as allowed, or that as many reads of all
	// clients wait as allowed.
	ErrBusy = errors.New("too many reads wait")
)

// A Config bounds a turnstile.
type Config struct {
	Slots    int           // how many reads run at a time
	Each     int           // how many of them are of one client, at most; at least 1
	Waiting  int           // how many reads of one known client wait at most
	Total    int           // how many reads of all clients wait at most; 0: no bound
	Patience time.Duration // how long a read waits at most; 0: no bound
	// Rest is how many times as long as a read took its slot rests before another read
	// gets it. Even if reads never stop coming, a slot is busy for 1/(1+Rest) of the time.
	Rest int
}

// A Turnstile admits reads. The reads of each client wait in a line of their own, and
// one read is admitted from each line in turn: a client with a hundred reads delays the
// one read of another client by one read, not by a hundred.
type Turnstile struct {
	config Config

	mu    sync.Mutex
	free  int
	wait  int // how many reads wait
	lines map[string]*line
	queue []*line // the lines in which a read waits, the next one first
}

// A line has the reads of one client.
type line struct {
	client  string
	running int
	waiting []chan struct{} // closed when the read is admitted
}

// New creates a turnstile.
func New(c Config) *Turnstile {
	c.Each = max(c.Each, 1)
	return &Turnstile{config: c, free: c.Slots, lines: make(map[string]*line)}
}

// Enter waits until a read of a client is admitted; all unknown clients share the empty
// name. The caller calls leave when the read is over. Errors: ErrCrowded, ErrBusy, and
// that of the context.
func (t *Turnstile) Enter(ctx context.Context, client string) (leave func(), err error) {
	t.mu.Lock()
	l := t.lines[client]
	if l == nil {
		l = &line{client: client}
		t.lines[client] = l
	}
	var began time.Time // set before the caller can leave
	leave = sync.OnceFunc(func() { t.leave(l, time.Since(began)) })
	if t.free > 0 && l.running < t.config.Each {
		t.free--
		l.running++
		t.mu.Unlock()
		began = time.Now()
		return leave, nil
	}
	if client != "" && len(l.waiting) >= t.config.Waiting {
		t.forget(l)
		t.mu.Unlock()
		return nil, ErrCrowded
	}
	if t.config.Total > 0 && t.wait >= t.config.Total {
		t.forget(l)
		t.mu.Unlock()
		return nil, ErrBusy
	}
	admitted := make(chan struct{})
	if len(l.waiting) == 0 {
		t.queue = append(t.queue, l)
	}
	l.waiting = append(l.waiting, admitted)
	t.wait++
	t.mu.Unlock()

	var late <-chan time.Time
	if t.config.Patience > 0 {
		timer := time.NewTimer(t.config.Patience)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-admitted:
		began = time.Now()
		return leave, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-late:
		err = ErrBusy
	}
	if began = time.Now(); !t.giveUp(l, admitted) {
		leave() // the read was admitted in the same moment
	}
	return nil, err
}

// giveUp takes a read out of its line, and reports whether the read was still waiting.
func (t *Turnstile) giveUp(l *line, read chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.Index(l.waiting, read)
	if at < 0 {
		return false
	}
	l.waiting = slices.Delete(l.waiting, at, at+1)
	t.wait--
	if len(l.waiting) == 0 {
		at := slices.Index(t.queue, l)
		t.queue = slices.Delete(t.queue, at, at+1)
	}
	t.forget(l)
	return true
}

// leave returns a slot that a read of a line took for a while, at once or after
// the slot's rest, and admits the next read.
func (t *Turnstile) leave(l *line, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l.running--
	t.forget(l)
	if rest := time.Duration(t.config.Rest) * took; rest > 0 {
		time.AfterFunc(rest, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.free++
			t.admit()
		})
	} else {
		t.free++
	}
	t.admit()
}

// admit gives free slots to the lines in the queue, one read at a time. The caller holds the lock.
func (t *Turnstile) admit() {
	for t.free > 0 {
		at := slices.IndexFunc(t.queue, func(l *line) bool { return l.running < t.config.Each })
		if at < 0 {
			return
		}
		next := t.queue[at]
		t.queue = slices.Delete(t.queue, at, at+1)
		close(next.waiting[0])
		next.waiting = slices.Delete(next.waiting, 0, 1)
		t.wait--
		next.running++
		t.free--
		if len(next.waiting) > 0 {
			t.queue = append(t.queue, next)
		}
	}
}

// forget deletes a line if it has no reads.
func (t *Turnstile) forget(l *line) {
	if l.running == 0 && len(l.waiting) == 0 {
		delete(t.lines, l.client)
	}
}

// Waiting returns how many reads of a client wait.
func (t *Turnstile) Waiting(client string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.lines[client]; l != nil {
		return len(l.waiting)
	}
	return 0
}

type clientKey struct{}

// WithClient returns a context for reads on behalf of a client: an account, or the
// address of a client that is not signed in.
func WithClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientKey{}, name)
}

// Client returns the name of the client that WithClient put into a context, or an empty
// string.
func Client(ctx context.Context) string {
	name, _ := ctx.Value(clientKey{}).(string)
	return name
}

type strangerKey struct{}

// WithStranger returns a context for reads on behalf of a client that is not signed in.
func WithStranger(ctx context.Context) context.Context {
	return context.WithValue(ctx, strangerKey{}, true)
}

// Stranger reports whether the context was made by WithStranger, or derives from such a context.
func Stranger(ctx context.Context) bool { return ctx.Value(strangerKey{}) != nil }
