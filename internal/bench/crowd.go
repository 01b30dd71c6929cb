package bench

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// socketBar is what a socket may take of the server's memory, in KB.
	socketBar = 20.0
	// crowdBar is what 99 of 100 frames may take at most to a crowd on one river.
	crowdBar = 200.0 // ms
	// stuckBar is how many times as long they may take where some are stuck.
	stuckBar = 1.1
	// fill is how many large changes there are before sockets are held to be stuck,
	// and jammedChanges how many there are then: the server closes them soon.
	fill          = 8
	jammedChanges = 3
)

// A crowd is very many sockets on one river that everybody shares.
type crowd struct {
	*crier
	swarm *remote
	stuck int // how many of the sockets, the last ones, get stuck now and then

	before, idle, after memory
	calm                []*spell // while all sockets are read
	alone, jammed       []*spell // to the others, while there are no more, and while those are stuck
	merged, closed      int      // of all that were stuck in turn
	turns               int      // how many that were
	held                int      // how many of them the server still had when it was over
}

// crowd measures what a crowd costs, and how soon it is shown what is new.
func (r *run) crowd(ctx context.Context) error {
	return r.inVillage(ctx, "crowd", 0, func(ctx context.Context, c *crier) error {
		swarm, err := r.startSwarm(ctx)
		if err != nil {
			return err
		}
		m := &crowd{crier: c, swarm: swarm, stuck: r.Sockets / 10}
		err = m.measure(ctx)
		return errors.Join(err, swarm.stop(err == nil))
	})
}

// ofHot are so many sockets for the page that everybody shares.
func ofHot(times int) openPage { return openPage{Path: hotPath, Times: times} }

func (m *crowd) measure(ctx context.Context) error {
	if err := m.swarm.open(m.site.Address, 0, false, ofHot(1)); err != nil {
		return err
	}
	if err := pause(ctx, m.Apart); err != nil {
		return err
	}
	m.before = remembered()
	m.notice("Opening %d sockets.", m.Sockets)
	begun := time.Now()
	if m.Sockets > 1 {
		if err := m.swarm.open(m.site.Address, 1, false, ofHot(m.Sockets-1)); err != nil {
			return err
		}
	}
	m.notice("Opened them in %.1f s.", time.Since(begun).Seconds())
	if err := pause(ctx, m.Apart); err != nil { // for what opening them left to end
		return err
	}
	m.idle = remembered()
	m.notice("Writing to them, now to all, now with %d that are stuck.", m.stuck)
	if err := m.fitted(ctx, m.swarm); err != nil {
		return err
	}
	for range m.Rounds {
		if err := m.turn(ctx); err != nil {
			return err
		}
	}
	if err := pause(ctx, m.Apart); err != nil {
		return err
	}
	m.after = remembered()
	return m.tell()
}

// changes is how many changes are made in each turn.
func (r *run) changes() int { return max(2, int(r.Seconds/2)) }

// turn measures once while all sockets are read, once while there are only those
// that never get stuck, and once while the others are.
func (m *crowd) turn(ctx context.Context) error {
	s, err := m.spell(ctx, m.swarm, m.changes())
	if err != nil {
		return err
	}
	m.calm = append(m.calm, s)
	if m.stuck == 0 {
		return nil
	}
	first := m.Sockets - m.stuck
	if _, err := m.swarm.do(order{Do: doClose, First: first, Count: m.stuck}); err != nil {
		return err
	}
	if s, err = m.spell(ctx, m.swarm, jammedChanges); err != nil {
		return err
	}
	m.alone = append(m.alone, s)
	if err := m.swarm.open(m.site.Address, first, true, ofHot(m.stuck)); err != nil {
		return err
	}
	if _, err := m.swarm.do(order{Do: doLeave, First: first, Count: m.stuck}); err != nil {
		return err
	}
	if err := m.jam(ctx); err != nil {
		return err
	}
	from := m.marks
	if s, err = m.spell(ctx, m.swarm, jammedChanges); err != nil {
		return err
	}
	m.held += max(0, m.site.Sockets()-first)
	m.jammed = append(m.jammed, s)
	m.turns += m.stuck
	drained, err := m.swarm.do(order{Do: doDrain, First: first, Count: m.stuck, From: from, To: m.marks - 1})
	if err != nil {
		return err
	}
	m.merged, m.closed = m.merged+drained.Merged, m.closed+drained.Closed
	return m.swarm.open(m.site.Address, first, false, ofHot(m.stuck))
}

// jam fills what the kernel holds for sockets that nobody reads.
func (m *crowd) jam(ctx context.Context) error {
	for range fill {
		if err := m.bellow(ctx); err != nil {
			return err
		}
		if _, err := m.swarm.do(order{Do: doAwait, From: m.marks, To: m.marks - 1}); err != nil {
			return err
		}
	}
	_, err := m.spell(ctx, m.swarm, 1)
	return err
}

// tell reports what came of it.
func (m *crowd) tell() error {
	resident, own := m.idle.each(m.before, max(1, m.Sockets-1))
	residentAfter, ownAfter := m.after.each(m.before, max(1, m.Sockets-1))
	record := Record{
		Name: "crowd.memory", Value: resident, Unit: "KB", N: m.Sockets,
		Of:    fmt.Sprintf("what the server's resident memory grows by for each of %d sockets on everybody's river, idle", m.Sockets),
		Parts: map[string]float64{"heap and stacks": own, "after the changes": residentAfter, "heap and stacks after the changes": ownAfter},
	}
	record.expect(fmt.Sprintf("<= %v KB", socketBar), resident <= socketBar)
	if err := m.report(record); err != nil {
		return err
	}
	took, lost, p99s := all(m.calm, m.Sockets)
	record = frameRecord("crowd", took)
	record.Of = fmt.Sprintf("%d changes, each %s, to %d sockets on one river; %d frames never came", len(p99s), m.calm[0].frame(), m.Sockets, lost)
	record.Parts = map[string]float64{"p99 of the middle change": middle(p99s), "the last of all": took.quantile(1)}
	record.expect(fmt.Sprintf("p99 <= %v ms, and every frame comes", crowdBar), record.P99 <= crowdBar && lost == 0)
	if err := m.report(record); err != nil || m.stuck == 0 {
		return err
	}
	return m.tellStuck()
}

// tellStuck reports what those who are stuck do to the others.
func (m *crowd) tellStuck() error {
	others := m.Sockets - m.stuck
	_, _, calm := all(m.calm, others)
	alone, _, aloneP99s := all(m.alone, others)
	took, lost, p99s := all(m.jammed, others)
	record := frameRecord("crowd.stuck", took)
	record.Of = fmt.Sprintf("%d changes to the %d sockets that are read while %d are stuck: of %d in all, the server had not closed %d by the last change, and %d were found behind, %d closed; %d frames never came",
		len(p99s), others, m.stuck, m.turns, m.held, m.merged, m.closed, lost)
	record.Beside = &Beside{Name: "the same sockets while there are no others, p50 in ms", Value: alone.quantile(0.5), P99: alone.quantile(0.99)}
	record.Parts = map[string]float64{
		"p99 of the middle change": middle(p99s), "while there are no others": middle(aloneP99s), "while none is stuck": middle(calm),
	}
	record.Ratio = over(middle(aloneP99s), middle(p99s))
	ok := middle(p99s) < stuckBar*middle(aloneP99s) && lost == 0 && m.merged+m.closed == m.turns
	record.expect("p99 of the middle change < 10 % more than while there are no others, every frame comes, and all that are to be stuck are", ok)
	return m.report(record)
}

// all puts spells together, of the first so many sockets.
func all(spells []*spell, sockets int) (took times, lost int, p99 []float64) {
	for _, s := range spells {
		t, l, p := s.arrivals(sockets)
		took, lost, p99 = append(took, t...), lost+l, append(p99, p...)
	}
	return took, lost, p99
}
