package metrics

// Intakes adds the metrics of the feeds of other sites that people import.
func (m *Metrics) Intakes() {
	m.intakes = m.counters("intakes_total", "Looks at feeds of other sites that people import, by outcome: new (there were new items), same (there were none), refused (the server must not connect to that address), failed (the feed could not be had, or its items not be posted).", "outcome")
}

// Intake records a look at a feed, by its outcome.
func (m *Metrics) Intake(outcome string) { m.intakes.WithLabelValues(outcome).Inc() }
