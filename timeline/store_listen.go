package timeline

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Listen returns a bell that is rung after each write of this store that
// changed something, and a function that takes it down. Rings that nobody has
// heard yet are one, so a ring says "look", not how often.
func (s *Store) Listen() (bell <-chan struct{}, stop func()) { return s.bells.hang() }

// bells are the channels of those who listen.
type bells struct {
	mu  sync.Mutex
	all map[chan struct{}]struct{}
}

func (b *bells) hang() (<-chan struct{}, func()) {
	bell := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all[bell] = struct{}{}
	return bell, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.all, bell)
	}
}

func (b *bells) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for bell := range b.all {
		select {
		case bell <- struct{}{}:
		default: // it rings already
		}
	}
}

// Notices calls ring whenever the sequencer, run by any process, moved changes
// into the log, until the context ends. It listens on a connection of its own,
// which it makes anew when it breaks, or does not answer: one that was dropped
// without a word would else be listened to for ever. A notice may be lost: it is a doorbell,
// and who relies on changes looks at the log now and then anyway.
func (s *Store) Notices(ctx context.Context, ring func()) {
	for ctx.Err() == nil {
		if conn, err := pgx.ConnectConfig(ctx, s.db.Pool.Config().ConnConfig); err == nil {
			if _, err = conn.Exec(ctx, `listen amstel`); err == nil {
				ring() // for what was missed
				for err == nil {
					if err = next(ctx, conn); err == nil {
						ring()
					}
				}
			}
			closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			_ = conn.Close(closing) // it is broken, or we are leaving
			cancel()
		}
		pause := time.NewTimer(time.Second)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
}

// How long a connection is listened to before it is asked whether it is still
// there, and how long it has to answer.
const (
	listenFor    = 30 * time.Second
	answerWithin = 5 * time.Second
)

// next waits for a notice; after a long silence it answers without one if the
// connection is alive.
func next(ctx context.Context, conn *pgx.Conn) error {
	waiting, cancel := context.WithTimeout(ctx, listenFor)
	defer cancel()
	_, err := conn.WaitForNotification(waiting)
	if err == nil || ctx.Err() != nil || waiting.Err() == nil {
		return err
	}
	asking, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	return conn.Ping(asking)
}
