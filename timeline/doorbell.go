package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Notices calls ring whenever the sequencer, run by any process, moved changes
// into the log, until the context ends. It listens on a connection of its own,
// which it makes anew when it breaks, or does not answer: one that was dropped
// without a word would else be listened to for ever. A notice may be lost: it is a doorbell,
// and who relies on changes looks at the log now and then anyway.
func (s *Store) Notices(ctx context.Context, ring func()) {
	for ctx.Err() == nil {
		if conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig); err == nil {
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
