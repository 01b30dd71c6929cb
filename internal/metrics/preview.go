package metrics

// Previews adds the metrics of the pages that are fetched for previews of links.
func (m *Metrics) Previews() {
	m.previews = m.counters("previews_total", "Attempts to fetch a page for the preview of a link, by outcome: ready, none (the page has nothing to show), refused (the server must not connect to that address), failed (the page could not be fetched).", "outcome")
}

// Preview records a try to fetch a page, by its outcome.
func (m *Metrics) Preview(outcome string) { m.previews.WithLabelValues(outcome).Inc() }
