package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// homes measures how soon very many homes show a change that concerns all of them. Each home is that of
// another person, and is open on one socket.
func (r *run) homes(ctx context.Context) error {
	n := r.few()
	return r.withPublisher(ctx, "homes", n, func(ctx context.Context, c *publisher) error {
		sockets, err := client.StartSockets(ctx, r.Clients)
		if err != nil {
			return err
		}
		err = c.atHome(ctx, sockets, n)
		return errors.Join(err, sockets.Stop(err == nil))
	})
}

// few returns how many pages are open in the measurements of homes and of storms: a tenth of the sockets
// of a crowd.
func (r *run) few() int { return max(2, r.Sockets/10) }

func (c *publisher) atHome(ctx context.Context, sockets *client.Sockets, n int) error {
	pages, err := c.homes(ctx, n)
	if err != nil {
		return err
	}
	c.notice("Opening %d homes.", n)
	begun := time.Now()
	if err := sockets.Open(c.site.Address, 0, false, pages...); err != nil {
		return err
	}
	c.notice("Opened them in %.1f s.", time.Since(begun).Seconds())
	if err := c.fitFrame(ctx, sockets); err != nil {
		return err
	}
	before, err := c.usage(ctx, c.primary, c.site)
	if err != nil {
		return err
	}
	s, err := c.series(ctx, sockets, c.Rounds*c.changes())
	if err != nil {
		return err
	}
	after, err := c.usage(ctx, c.primary, c.site)
	if err != nil {
		return err
	}
	took, lost, p99s := s.arrivals(0, n)
	record := frameRecord("homes", took)
	record.SetUsage(before, after)
	record.Of = fmt.Sprintf("%d changes, each %s, to %d homes, each on one socket; %d frames never came", len(p99s), s.frame(), n, lost)
	record.Parts = map[string]float64{"p99 of the middle change": report.Median(p99s), "the last of all": took.Quantile(1)}
	record.Expect(fmt.Sprintf("p99 <= %v ms, and every frame comes", frameBar), record.P99 <= frameBar && lost == 0)
	return c.report(record)
}
