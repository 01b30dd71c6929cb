package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Notices calls ring whenever the sequencer, run by any process, moved changes
// into the log, until the context ends. It listens on a connection of its own,
// which it makes anew when it breaks. A notice may be lost: it is a doorbell,
// and who relies on changes looks at the log now and then anyway.
func (s *Store) Notices(ctx context.Context, ring func()) {
	for ctx.Err() == nil {
		if conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig); err == nil {
			if _, err = conn.Exec(ctx, `listen amstel`); err == nil {
				ring() // for what was missed
				for err == nil {
					if _, err = conn.WaitForNotification(ctx); err == nil {
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
