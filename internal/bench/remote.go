package bench

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A remote is a swarm as the process of the server has it.
type remote struct{ *readers }

// startSwarm starts a swarm in a process of its own.
func (r *run) startSwarm(ctx context.Context) (*remote, error) {
	from, err := r.startReaders(ctx, partSwarm)
	return &remote{from}, err
}

// do has the swarm do something.
func (s *remote) do(o order) (outcome, error) {
	if o.Within == 0 {
		o.Within = lastFrameWithin
	}
	if err := s.to.Encode(o); err != nil {
		return outcome{}, fmt.Errorf("swarm: %w", err)
	}
	var result outcome
	if err := s.from.Decode(&result); err != nil {
		return outcome{}, fmt.Errorf("swarm: %w", err)
	}
	if result.Error != "" {
		return result, errors.New(result.Error)
	}
	return result, nil
}

// open opens sockets, and fails if not all of them open.
func (s *remote) open(site string, first int, small bool, pages ...openPage) error {
	return s.opened(order{Do: doOpen, Site: site, First: first, Small: small, Pages: pages})
}

// follow opens a socket for each page, and has the pages followed.
func (s *remote) follow(site string, pages []openPage) error {
	return s.opened(order{Do: doOpen, Site: site, Follow: true, Pages: pages})
}

func (s *remote) opened(o order) error {
	o.Within = openOrder
	result, err := s.do(o)
	if err != nil {
		return err
	}
	if result.Ended > 0 {
		return fmt.Errorf("%d sockets did not open or ended, the first: %s", result.Ended, result.Why)
	}
	want := 0
	for _, p := range o.Pages {
		want += max(1, p.Times)
	}
	if result.Open < want {
		return fmt.Errorf("%d of %d sockets are open after %v", result.Open, want, openOrder)
	}
	return nil
}

// pause waits for a while, if the context lets it.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
