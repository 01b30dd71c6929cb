package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

const (
	// socketBar is the most memory that a socket may take in the server, in KB.
	socketBar = 20.0
	// crowdBar is the longest time that 99 of 100 frames to a crowd on one river may take.
	crowdBar = 200.0 // ms
	// stuckBar is how many times as long the frames may take while some sockets are stuck.
	stuckBar = 1.1
	// fill is how many large changes are made to fill the buffers of sockets that are not read, so
	// that these get stuck. stuckChanges is how many changes are measured then. They are few, because
	// the server soon closes a stuck socket.
	fill         = 8
	stuckChanges = 3
)

// A crowdRun measures very many sockets on the river that all viewers share.
type crowdRun struct {
	*publisher
	sockets *client.Sockets
	stuck   int // how many of the sockets are made to get stuck: the last ones

	// The memory of the server with one socket, with all sockets, and after all changes.
	before, idle, after report.Memory

	calm       []*changeSeries // while all sockets are open and read
	alone      []*changeSeries // while only the sockets that never get stuck are open
	whileStuck []*changeSeries // while the others are open and stuck

	// Counts of stuck sockets, each socket once per round in which it was stuck.
	merged, closed int // those for which the server merged changes, and those that it closed
	turns          int // all of them
	held           int // those that the server had not closed after the last change
}

// crowd measures the memory that very many sockets take, and the time until each of them gets the frame
// of a change.
func (r *run) crowd(ctx context.Context) error {
	return r.withPublisher(ctx, "crowd", 0, func(ctx context.Context, c *publisher) error {
		sockets, err := client.StartSockets(ctx, r.Clients)
		if err != nil {
			return err
		}
		m := &crowdRun{publisher: c, sockets: sockets, stuck: r.Sockets / 10}
		err = m.measure(ctx)
		return errors.Join(err, sockets.Stop(err == nil))
	})
}

// everybodysPage returns the page that all viewers share, to be opened on times sockets.
func everybodysPage(times int) client.Page { return client.Page{Path: hotPath, Times: times} }

func (m *crowdRun) measure(ctx context.Context) error {
	if err := m.sockets.Open(m.site.Address, 0, false, everybodysPage(1)); err != nil {
		return err
	}
	if err := client.Pause(ctx, m.Apart); err != nil {
		return err
	}
	m.before = report.ReadMemory()
	m.notice("Opening %d sockets.", m.Sockets)
	begun := time.Now()
	if m.Sockets > 1 {
		if err := m.sockets.Open(m.site.Address, 1, false, everybodysPage(m.Sockets-1)); err != nil {
			return err
		}
	}
	m.notice("Opened them in %.1f s.", time.Since(begun).Seconds())
	if err := client.Pause(ctx, m.Apart); err != nil { // until the work of opening the sockets is done
		return err
	}
	m.idle = report.ReadMemory()
	m.notice("Writing to them, now to all, now with %d that are stuck.", m.stuck)
	if err := m.fitFrame(ctx, m.sockets); err != nil {
		return err
	}
	for range m.Rounds {
		if err := m.turn(ctx); err != nil {
			return err
		}
	}
	if err := client.Pause(ctx, m.Apart); err != nil {
		return err
	}
	m.after = report.ReadMemory()
	return m.reportAll()
}

// changes returns how many changes are made in each round.
func (r *run) changes() int { return max(2, int(r.Seconds/2)) }

// turn measures one series of changes while all sockets are read, one while only the sockets that never
// get stuck are open, and one while the other sockets are stuck.
func (m *crowdRun) turn(ctx context.Context) error {
	s, err := m.series(ctx, m.sockets, m.changes())
	if err != nil {
		return err
	}
	m.calm = append(m.calm, s)
	if m.stuck == 0 {
		return nil
	}
	first := m.Sockets - m.stuck
	if _, err := m.sockets.Do(client.Order{Do: client.DoClose, First: first, Count: m.stuck}); err != nil {
		return err
	}
	if s, err = m.series(ctx, m.sockets, stuckChanges); err != nil {
		return err
	}
	m.alone = append(m.alone, s)
	if err := m.sockets.Open(m.site.Address, first, true, everybodysPage(m.stuck)); err != nil {
		return err
	}
	if _, err := m.sockets.Do(client.Order{Do: client.DoLeave, First: first, Count: m.stuck}); err != nil {
		return err
	}
	if err := m.fillBuffers(ctx); err != nil {
		return err
	}
	from := m.marks
	if s, err = m.series(ctx, m.sockets, stuckChanges); err != nil {
		return err
	}
	m.held += max(0, m.site.Sockets()-first)
	m.whileStuck = append(m.whileStuck, s)
	m.turns += m.stuck
	drained, err := m.sockets.Do(client.Order{Do: client.DoDrain, First: first, Count: m.stuck, From: from, To: m.marks - 1})
	if err != nil {
		return err
	}
	m.merged, m.closed = m.merged+drained.Merged, m.closed+drained.Closed
	return m.sockets.Open(m.site.Address, first, false, everybodysPage(m.stuck))
}

// fillBuffers makes large changes, until the kernel's buffers of the sockets that the loop does not
// read are full.
func (m *crowdRun) fillBuffers(ctx context.Context) error {
	for range fill {
		if err := m.changeLarge(ctx); err != nil {
			return err
		}
		if _, err := m.sockets.Do(client.Order{Do: client.DoAwait, From: m.marks, To: m.marks - 1}); err != nil {
			return err
		}
	}
	_, err := m.series(ctx, m.sockets, 1)
	return err
}

// reportAll reports the memory of a socket, and the times of all series.
func (m *crowdRun) reportAll() error {
	resident, own := m.idle.PerItem(m.before, max(1, m.Sockets-1))
	residentAfter, ownAfter := m.after.PerItem(m.before, max(1, m.Sockets-1))
	record := report.Record{
		Name: "crowd.memory", Value: resident, Unit: "KB", N: m.Sockets,
		Of:    fmt.Sprintf("what the server's resident memory grows by for each of %d sockets on the river of all visitors, idle", m.Sockets),
		Parts: map[string]float64{"heap and stacks": own, "after the changes": residentAfter, "heap and stacks after the changes": ownAfter},
	}
	record.Expect(fmt.Sprintf("<= %v KB", socketBar), resident <= socketBar)
	if err := m.report(record); err != nil {
		return err
	}
	took, lost, p99s := joinSeries(m.calm, m.Sockets)
	record = frameRecord("crowd", took)
	record.Of = fmt.Sprintf("%d changes, each %s, to %d sockets on one river; %d frames never came", len(p99s), m.calm[0].frame(), m.Sockets, lost)
	record.Parts = map[string]float64{"p99 of the middle change": report.Median(p99s), "the last of all": took.Quantile(1)}
	record.Expect(fmt.Sprintf("p99 <= %v ms, and every frame comes", crowdBar), record.P99 <= crowdBar && lost == 0)
	if err := m.report(record); err != nil || m.stuck == 0 {
		return err
	}
	return m.reportStuck()
}

// reportStuck reports how much later frames arrive while other sockets are stuck.
func (m *crowdRun) reportStuck() error {
	others := m.Sockets - m.stuck
	_, _, calm := joinSeries(m.calm, others)
	alone, _, aloneP99s := joinSeries(m.alone, others)
	took, lost, p99s := joinSeries(m.whileStuck, others)
	record := frameRecord("crowd.stuck", took)
	record.Of = fmt.Sprintf("%d changes to the %d sockets that are read while %d are stuck: of %d in all, the server had not closed %d by the last change, and %d were found behind, %d closed; %d frames never came",
		len(p99s), others, m.stuck, m.turns, m.held, m.merged, m.closed, lost)
	record.Beside = &report.Beside{Name: "the same sockets while there are no others, p50 in ms", Value: alone.Quantile(0.5), P99: alone.Quantile(0.99)}
	record.Parts = map[string]float64{
		"p99 of the middle change": report.Median(p99s), "while there are no others": report.Median(aloneP99s), "while none is stuck": report.Median(calm),
	}
	record.Ratio = report.Ratio(report.Median(aloneP99s), report.Median(p99s))
	ok := report.Median(p99s) < stuckBar*report.Median(aloneP99s) && lost == 0 && m.merged+m.closed == m.turns
	record.Expect("p99 of the middle change < 10 % more than while there are no others, every frame comes, and all that are to be stuck are", ok)
	return m.report(record)
}

// joinSeries joins the arrivals of several series at the first sockets, see [changeSeries.arrivals].
func joinSeries(series []*changeSeries, sockets int) (took report.Times, lost int, p99 []float64) {
	for _, s := range series {
		t, l, p := s.arrivals(0, sockets)
		took, lost, p99 = append(took, t...), lost+l, append(p99, p...)
	}
	return took, lost, p99
}
