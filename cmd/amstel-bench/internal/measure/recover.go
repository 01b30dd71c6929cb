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
	// recoverClients is how many visitors read pages all the time.
	recoverClients = 4
	// recoverOpen says how many of the rivers are open on sockets: one in five.
	recoverOpen = 5
	// recoverWithin is the time within which all rivers must live again.
	recoverWithin = 2 * time.Minute
	// recoverLook is the time between two counts of the rivers that live.
	recoverLook = 5 * time.Millisecond
	// recoverMost is the share of rivers for which the time is measured until they live again.
	recoverMost = 0.95
)

// A recoverRun loses the river DB with many rivers, while they are read.
type recoverRun struct {
	*publisher
	client.FollowedPages
	visitors *client.Process
	rivers   []client.Page // the pages of all rivers
}

// recover measures how long it takes until the rivers of a lost river DB live again.
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

// underLoad starts the processes of sockets and of visitors, calls do, and stops the processes.
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

// visit has the visitors begin to read.
func (m *recoverRun) visit() error {
	_, err := client.Call[client.Requests](m.visitors, client.VisitOrder{Do: client.DoVisit, Site: m.site.Address, Pages: m.rivers, Clients: recoverClients})
	return err
}

// opened returns the pages to open on sockets.
func (m *recoverRun) opened() (pages []client.Page) {
	for i := 0; i < len(m.rivers); i += recoverOpen {
		pages = append(pages, m.rivers[i])
	}
	return pages
}

// lost measures a node whose river DB's file is removed while the node serves pages from it.
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

// restarted measures a node that starts without rivers, and from which pages are read at once.
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

// during returns how long a measurement of requests lasts.
func (r *run) during() time.Duration { return time.Duration(r.Seconds * float64(time.Second)) }

// living returns how many rivers of homes and of people's feeds live.
func living(s river.Stats) int { return s.Living[river.KindHome] + s.Living[river.KindUser] }

// A comeback is how long it took until most rivers, and until all rivers, lived again.
type comeback struct{ most, all time.Duration }

// back waits until all rivers live again. Until noticed reports that the node has noticed the loss, no
// river counts as living.
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

// reportBack reports the recovery. Before, it waits a while after all rivers live again, so that the
// failures in that time count too.
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
