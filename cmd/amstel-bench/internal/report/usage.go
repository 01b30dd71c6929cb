package report

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// A Usage is what a server has used since it started.
type Usage struct {
	CPU     time.Duration // the CPU time of this process, which is the server's if the clients have processes of their own
	Sent    int64         // bytes sent to clients
	Written int64         // bytes of the primary's write-ahead log
}

// ReadUsage returns the CPU time of this process, and the length of the primary's log.
func ReadUsage(ctx context.Context, primary *pgxpool.Pool) (u Usage, err error) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return u, fmt.Errorf("CPU time of the process: %w", err)
	}
	u.CPU = time.Duration(used.Utime.Nano() + used.Stime.Nano())
	err = primary.QueryRow(ctx, `select pg_current_wal_lsn() - '0/0'::pg_lsn`).Scan(&u.Written)
	return u, err
}

// SetUsage sets what the server used while the things that the record is of were measured.
func (r *Record) SetUsage(before, after Usage) {
	r.CPU, r.Sent, r.Written = Round((after.CPU - before.CPU).Seconds()), after.Sent-before.Sent, after.Written-before.Written
}
