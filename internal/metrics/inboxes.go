package metrics

import "amstel.dev/amstel/timeline/inbox"

// Inboxes adds the metrics of inboxes.
func (m *Metrics) Inboxes(counts func() inbox.Counts) {
	a := newSource(m, counts)
	for _, c := range []struct {
		name, help string
		of         func(inbox.Counts) int64
	}{
		{"inbox_reads_total", "Parts of rivers that came from an inbox.", func(c inbox.Counts) int64 { return c.Chosen }},
		{"inbox_missed_total", "Parts of rivers that were read from timelines because no inbox of the river was ready.", func(c inbox.Counts) int64 { return c.Missed }},
		{"inbox_below_total", "Parts of rivers that were read from timelines because the inbox does not reach down to them.", func(c inbox.Counts) int64 { return c.Below }},
		{"inbox_waiting_total", "Parts of rivers that were read from timelines because too many posts waited for their inboxes.", func(c inbox.Counts) int64 { return c.Waiting }},
		{"inbox_pulls_total", "Reads of pulled timelines beside an inbox.", func(c inbox.Counts) int64 { return c.Pulls }},
		{"inbox_empty_pulls_total", "Reads of pulled timelines that found no post.", func(c inbox.Counts) int64 { return c.EmptyPulls }},
		{"inbox_told_total", "Inboxes that learnt of a post, counted once for each post.", func(c inbox.Counts) int64 { return c.Updated }},
		{"inbox_chunks_total", "Chunks of inboxes that the background told of a post.", func(c inbox.Counts) int64 { return c.Chunks }},
		{"inbox_fills_total", "Inboxes that were filled.", func(c inbox.Counts) int64 { return c.Fills }},
	} {
		a.counter(c.name, c.help, func(s inbox.Counts) float64 { return float64(c.of(s)) })
	}
	a.register()
}
