package metrics

// Pushes adds the metrics of pushes.
func (m *Metrics) Pushes() {
	m.pushes = m.counters("pushes_total", "Pushes, by outcome: sent, later (the push service did not take the push, which is tried again), failed (given up), dropped (it must not be sent any more), gone (the browser takes no more pushes).", "outcome")
}

// Push records what became of a push, by its outcome.
func (m *Metrics) Push(outcome string) { m.pushes.WithLabelValues(outcome).Inc() }
