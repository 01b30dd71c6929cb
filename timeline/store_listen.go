package timeline

import (
	"context"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Listen returns a bell that rings after each write by this store that changed something, and a
// function that removes the bell. A write with an [Effect] does not ring: its request asks the node for a turn before it
// answers, and one turn is enough. Rings not yet received count as one, so a ring does not say
// how many writes there were.
func (s *Store) Listen() (bell <-chan struct{}, stop func()) { return s.bells.add() }

// bells are the bells of all listeners.
type bells struct {
	mu  sync.Mutex
	all map[chan struct{}]struct{}
}

// add returns a new bell, and a function to remove the bell.
func (b *bells) add() (<-chan struct{}, func()) {
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

// ring rings all bells.
func (b *bells) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for bell := range b.all {
		select {
		case bell <- struct{}{}:
		default: // an earlier ring has not been received yet, and stands for this one too
		}
	}
}

// Announced calls tell each time the sequencer, in any process, has moved changes into the log, with
// the log's highest position, until ctx ends. The position is [math.MaxInt64] if it is not known. Announced listens on a
// connection of its own, and opens another one if the
// connection breaks. A connection can also be dropped silently, for example by a firewall; so
// Announced tests a silent connection from time to time (see waitForNotification). A notification
// may still be lost, so callers also look at the log from time to time.
func (s *Store) Announced(ctx context.Context, tell func(position int64)) {
	for ctx.Err() == nil {
		if conn, err := pgx.ConnectConfig(ctx, s.db.Pool.Config().ConnConfig); err == nil {
			if _, err = conn.Exec(ctx, `listen amstel`); err == nil {
				tell(math.MaxInt64) // changes may have come while there was no connection
				for err == nil {
					var position int64
					if position, err = waitForNotification(ctx, conn); err == nil {
						tell(position)
					}
				}
			}
			closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			_ = conn.Close(closing) // the connection is broken, or ctx has ended
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

// How long a connection may be silent before it is tested, and how long it has to answer the
// test.
const (
	listenFor    = 30 * time.Second
	answerWithin = 5 * time.Second
)

// waitForNotification waits for a notification from PostgreSQL, and returns its position. After a long silence it
// tests the connection, and returns an unknown position if the connection answers.
func waitForNotification(ctx context.Context, conn *pgx.Conn) (position int64, err error) {
	waiting, cancel := context.WithTimeout(ctx, listenFor)
	defer cancel()
	told, err := conn.WaitForNotification(waiting)
	if err == nil {
		if position, err = strconv.ParseInt(told.Payload, 10, 64); err != nil {
			return math.MaxInt64, nil // from a database before migration 0027
		}
		return position, nil
	}
	if ctx.Err() != nil || waiting.Err() == nil {
		return 0, err
	}
	asking, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	return math.MaxInt64, conn.Ping(asking)
}
