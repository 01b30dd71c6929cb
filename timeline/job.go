package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"amstel.dev/amstel/internal/point"
)

// RunOnce runs a periodic job, unless any node ran it for that tick, and says
// whether it did. A job that fails is given back, for another try at the same
// tick; one whose process dies is not, and runs at the next.
func (s *Store) RunOnce(ctx context.Context, job string, tick time.Time, f func(context.Context) error) (ran bool, err error) {
	const claim = `insert into job_ticks (job, tick) values ($1, $2) on conflict do nothing`
	const giveBack = `delete from job_ticks where job = $1 and tick = $2`
	tag, err := s.pool.Exec(ctx, claim, job, tick)
	if err != nil {
		return false, fmt.Errorf("job %s at %s: %w", job, tick, err)
	}
	if tag.RowsAffected() == 0 {
		return false, nil
	}
	point.Reached("timeline: claimed")
	if err := f(ctx); err != nil {
		// The context may be what ended the job.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_, undone := s.pool.Exec(ending, giveBack, job, tick)
		return true, fmt.Errorf("job %s at %s: %w", job, tick, errors.Join(err, undone))
	}
	point.Reached("timeline: job done")
	return true, nil
}
