package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"amstel.dev/amstel/river"
)

const (
	// recoverClients is how many connections read pages all the time.
	recoverClients = 4
	// recoverOpen is one page of how many that is open on a socket.
	recoverOpen = 5
	// recoverWithin is how long rivers are waited for to live again.
	recoverWithin = 2 * time.Minute
	// recoverLook is how often it is looked how many do.
	recoverLook = 5 * time.Millisecond
	// recoverMost is what part of them is to be back.
	recoverMost = 0.95
)

// A recovery is many rivers whose river DB is lost while they are read.
type recovery struct {
	*crier
	flock
	visitors *visitorsOf
	rivers   []openPage
}

// recover measures how long it takes until rivers live again.
func (r *run) recover(ctx context.Context) error {
	n := max(4, r.Sockets/20)
	return r.founded(ctx, "recover", n, func(c *crier) (err error) {
		m := &recovery{crier: c}
		if m.rivers, err = c.homes(ctx, n/2); err != nil {
			return err
		}
		for i := range n - n/2 {
			m.rivers = append(m.rivers, openPage{Path: "/" + folkName(i)})
		}
		if err := m.served(ctx, m.lost); err != nil {
			return err
		}
		return m.served(ctx, m.restarted)
	})
}

// with runs a swarm and visitors while it calls do.
func (m *recovery) with(ctx context.Context, do func() error) (err error) {
	if m.swarm, err = m.startSwarm(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.swarm.stop(err == nil)) }()
	if m.visitors, err = m.startVisitors(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.visitors.stop(err == nil)) }()
	m.address = m.site.Address
	return do()
}

// visit has visitors begin to read.
func (m *recovery) visit() error {
	_, err := m.visitors.do(visiting{Do: doVisit, Site: m.site.Address, Pages: m.rivers, Clients: recoverClients})
	return err
}

// opened are the pages that are open.
func (m *recovery) opened() (pages []openPage) {
	for i := 0; i < len(m.rivers); i += recoverOpen {
		pages = append(pages, m.rivers[i])
	}
	return pages
}

// lost takes the river DB's file away under a node that is read from.
func (m *recovery) lost(ctx context.Context) error {
	return m.with(ctx, func() error {
		if _, err := doors(ctx, order{Site: m.site.Address, Pages: m.rivers}); err != nil {
			return err
		}
		if err := m.open(m.opened()); err != nil {
			return err
		}
		if err := m.visit(); err != nil {
			return err
		}
		if err := pause(ctx, m.during()/2); err != nil {
			return err
		}
		before, err := m.visitors.do(visiting{Do: doTell})
		if err != nil {
			return err
		}
		had := m.site.Rivers.Stats()
		m.notice("Removing the river DB of %d living rivers.", living(had))
		begun := time.Now()
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if err := os.Remove(m.site.River + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		back, err := m.back(ctx, begun, func(now river.Stats) bool { return now.Renewed > had.Renewed })
		if err != nil {
			return err
		}
		return m.tell(ctx, "recover", "the river DB's file was removed under the node", back, &before)
	})
}

// restarted has a node begin with nothing that is read from at once.
func (m *recovery) restarted(ctx context.Context) error {
	return m.with(ctx, func() error {
		m.notice("Reading from a node that has nothing.")
		begun := time.Now()
		if err := m.visit(); err != nil {
			return err
		}
		if err := m.open(m.opened()); err != nil {
			return err
		}
		back, err := m.back(ctx, begun, func(river.Stats) bool { return true })
		if err != nil {
			return err
		}
		return m.tell(ctx, "recover.restart", "a node began with none", back, nil)
	})
}

// during is how long pages are read for to see how that goes.
func (r *run) during() time.Duration { return time.Duration(r.Seconds * float64(time.Second)) }

// living are the rivers of the village's people that live.
func living(s river.Stats) int { return s.Living[river.KindHome] + s.Living[river.KindUser] }

// A comeback is how long it took until rivers lived again.
type comeback struct{ most, all time.Duration }

// back waits until all rivers live again. Before it is so that the loss was
// noticed, those that live are none.
func (m *recovery) back(ctx context.Context, begun time.Time, noticed func(river.Stats) bool) (c comeback, err error) {
	most := int(recoverMost * float64(len(m.rivers)))
	for time.Since(begun) < recoverWithin {
		now := m.site.Rivers.Stats()
		took := time.Since(begun)
		if n := living(now); noticed(now) {
			if n >= most && c.most == 0 {
				c.most = took
			}
			if n >= len(m.rivers) {
				c.all = took
				return c, nil
			}
		}
		if err := pause(ctx, recoverLook); err != nil {
			return c, err
		}
	}
	return c, fmt.Errorf("%d of %d rivers live after %v", living(m.site.Rivers.Stats()), len(m.rivers), recoverWithin)
}

// tell reports what came of it, a while after all are back.
func (m *recovery) tell(ctx context.Context, name, how string, back comeback, before *visited) error {
	if err := pause(ctx, m.during()/4); err != nil {
		return err
	}
	result, err := m.visitors.do(visiting{Do: doStop})
	if err != nil {
		return err
	}
	_, unequal, err := m.compare(ctx)
	if err != nil {
		return err
	}
	failed := result.failures()
	record := Record{
		Name: name, Value: milliseconds(back.most), Unit: "ms", N: result.Requests, P50: result.P50, P99: result.P99,
		Of: fmt.Sprintf("until 95 %% of %d rivers lived again after %s, read by %d clients all the time, %d open on sockets: "+
			"%d of %d requests failed; %d open pages unlike their river", len(m.rivers), how, recoverClients, len(m.pages), failed, result.Requests, len(unequal)),
		Parts: map[string]float64{"all of them": milliseconds(back.all), "slowest request": result.Worst},
	}
	if before != nil {
		record.Beside = &Beside{Name: "a request before, p50 in ms", Value: before.P50, P99: before.P99}
	}
	for failure, times := range result.Failed {
		m.notice("%d times: %s", times, failure)
	}
	record.expect("no request fails, and every open page is as its river", failed == 0 && len(unequal) == 0)
	return m.report(record)
}
