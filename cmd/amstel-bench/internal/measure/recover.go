package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
)

const (
	// recoverClients is how many connections read pages all the time.
	recoverClients = 4
	// recoverOpen is the number of rivers for each one open on a socket.
	recoverOpen = 5
	// recoverWithin is how long rivers are waited for to live again.
	recoverWithin = 2 * time.Minute
	// recoverLook is how often it is looked how many do.
	recoverLook = 5 * time.Millisecond
	// recoverMost is the share of rivers that must live again.
	recoverMost = 0.95
)

// A recoverRun loses the river DB of many rivers while they are read.
type recoverRun struct {
	*publisher
	client.FollowedPages
	visitors *client.Process
	rivers   []client.Page
}

// recover measures how long it takes until rivers live again.
func (r *run) recover(ctx context.Context) error {
	n := max(4, r.Sockets/20)
	return r.withDataset(ctx, "recover", n, func(c *publisher) (err error) {
		m := &recoverRun{publisher: c}
		if m.rivers, err = c.homes(ctx, n/2); err != nil {
			return err
		}
		for i := range n - n/2 {
			m.rivers = append(m.rivers, client.Page{Path: "/" + dataset.MemberName(i)})
		}
		if err := m.withNode(ctx, m.lost); err != nil {
			return err
		}
		return m.withNode(ctx, m.restarted)
	})
}

// underLoad runs sockets and visitors while it calls do.
func (m *recoverRun) underLoad(ctx context.Context, do func() error) (err error) {
	if m.Sockets, err = client.StartSockets(ctx, m.Clients); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Sockets.Stop(err == nil)) }()
	if m.visitors, err = client.Start(ctx, m.Clients, client.PartVisitors); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.visitors.Stop(err == nil)) }()
	m.Site = m.site.Address
	return do()
}

// visit starts the visitors' reads.
func (m *recoverRun) visit() error {
	_, err := client.Call[client.Requests](m.visitors, client.VisitOrder{Do: client.DoVisit, Site: m.site.Address, Pages: m.rivers, Clients: recoverClients})
	return err
}

// opened returns the open pages.
func (m *recoverRun) opened() (pages []client.Page) {
	for i := 0; i < len(m.rivers); i += recoverOpen {
		pages = append(pages, m.rivers[i])
	}
	return pages
}

// lost takes the river DB's file away under a node that is read from.
func (m *recoverRun) lost(ctx context.Context) error {
	return m.underLoad(ctx, func() error {
		if err := client.LoadPages(ctx, m.site.Address, m.rivers); err != nil {
			return err
		}
		if err := m.Open(m.opened()); err != nil {
			return err
		}
		if err := m.visit(); err != nil {
			return err
		}
		if err := client.Pause(ctx, m.during()/2); err != nil {
			return err
		}
		before, err := client.Call[client.Requests](m.visitors, client.VisitOrder{Do: client.DoTell})
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
		return m.reportBack(ctx, "recover", "the river DB's file was removed under the node", back, &before)
	})
}

// restarted measures a node that begins with no rivers and is read from at once.
func (m *recoverRun) restarted(ctx context.Context) error {
	return m.underLoad(ctx, func() error {
		m.notice("Reading from a node that has nothing.")
		begun := time.Now()
		if err := m.visit(); err != nil {
			return err
		}
		if err := m.Open(m.opened()); err != nil {
			return err
		}
		back, err := m.back(ctx, begun, func(river.Stats) bool { return true })
		if err != nil {
			return err
		}
		return m.reportBack(ctx, "recover.restart", "a node began with none", back, nil)
	})
}

// during returns how long pages are read to measure the reads.
func (r *run) during() time.Duration { return time.Duration(r.Seconds * float64(time.Second)) }

// living returns how many homes and feeds live.
func living(s river.Stats) int { return s.Living[river.KindHome] + s.Living[river.KindUser] }

// A comeback is how long it took until rivers lived again.
type comeback struct{ most, all time.Duration }

// back waits until all rivers live again. Until noticed reports that the node noticed the
// loss, no river counts as living.
func (m *recoverRun) back(ctx context.Context, begun time.Time, noticed func(river.Stats) bool) (c comeback, err error) {
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
		if err := client.Pause(ctx, recoverLook); err != nil {
			return c, err
		}
	}
	return c, fmt.Errorf("%d of %d rivers live after %v", living(m.site.Rivers.Stats()), len(m.rivers), recoverWithin)
}

// reportBack reports the recovery. It waits a while after all rivers live again, so that it
// counts the failures of that time too.
func (m *recoverRun) reportBack(ctx context.Context, name, how string, back comeback, before *client.Requests) error {
	if err := client.Pause(ctx, m.during()/4); err != nil {
		return err
	}
	result, err := client.Call[client.Requests](m.visitors, client.VisitOrder{Do: client.DoStop})
	if err != nil {
		return err
	}
	_, unequal, err := m.Compare(ctx)
	if err != nil {
		return err
	}
	failed := result.Failures()
	record := report.Record{
		Name: name, Value: report.Milliseconds(back.most), Unit: "ms", N: result.Count, P50: result.P50, P99: result.P99,
		Of: fmt.Sprintf("until 95 %% of %d rivers lived again after %s, read by %d clients all the time, %d open on sockets: "+
			"%d of %d requests failed; %d open pages unlike their river", len(m.rivers), how, recoverClients, len(m.Pages), failed, result.Count, len(unequal)),
		Parts: map[string]float64{"all of them": report.Milliseconds(back.all), "slowest request": result.Worst},
	}
	if before != nil {
		record.Beside = &report.Beside{Name: "a request before, p50 in ms", Value: before.P50, P99: before.P99}
	}
	for failure, times := range result.Failed {
		m.notice("%d times: %s", times, failure)
	}
	record.Expect("no request fails, and every open page is as its river", failed == 0 && len(unequal) == 0)
	return m.report(record)
}
