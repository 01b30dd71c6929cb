package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"amstel.dev/amstel/river"
)

// Node adds what a node has and does. Stats is asked each time that the metrics
// are read.
func (m *Metrics) Node(stats func() river.Stats) {
	m.turns = m.histogram("turn_duration_seconds", "How long the loop's turns took that came through.", []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10})
	m.followed = m.histogram("turn_changes", "How many changes a turn followed.", []float64{0, 1, 10, 100, 1000, 10_000})
	m.decided = prometheus.NewCounter(prometheus.CounterOpts{Name: prefix + "decided_total", Help: "Entries that turns decided."})
	m.add(m.decided, "counter", "decided_total", "Entries that turns decided.", nil)
	m.builds = m.histograms("build_duration_seconds", "How long builds of rivers took: first visits, and older entries.", []float64{.001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}, "kind")
	m.failures = m.counters("build_failures_total", "Builds that failed.", "kind")

	a := newAsked(m, stats)
	byKind := func(of func(river.Stats) map[river.Kind]int) func(river.Stats, func(string, float64)) {
		return func(s river.Stats, each func(string, float64)) {
			for kind, n := range of(s) {
				each(string(kind), float64(n))
			}
		}
	}
	a.gauges("rivers_living", "Rivers that the node keeps.", "kind", byKind(func(s river.Stats) map[river.Kind]int { return s.Living }))
	a.gauges("rivers_open", "Rivers that open pages listen to.", "kind", byKind(func(s river.Stats) map[river.Kind]int { return s.Open }))
	a.gauge("entries", "Places of posts in rivers.", func(s river.Stats) float64 { return float64(s.Entries) })
	a.gauge("posts", "Posts that rivers share.", func(s river.Stats) float64 { return float64(s.Posts) })
	a.gauge("viewers", "People for whom the node keeps rivers.", func(s river.Stats) float64 { return float64(s.Viewers) })

	a.gauge("age_seconds", "How old what pages show is: no change that is older is missing from an open page.", func(s river.Stats) float64 { return s.Age.Seconds() })
	a.gauge("log_lag_changes", "Changes that the last turn had to follow.", func(s river.Stats) float64 { return float64(s.Lag) })
	a.gauge("log_position", "The place in the change log that pages have come to.", func(s river.Stats) float64 { return float64(s.Position) })
	a.counter("turn_failures_total", "Turns of the loop that failed, and were taken again.", func(s river.Stats) float64 { return float64(s.TurnsFailed) })
	a.gauge("builds_running", "Builds under way.", func(s river.Stats) float64 { return float64(s.Building) })

	a.gauge("marks", "Places in rivers where a post is to be decided again, when there is time or somebody visits.", func(s river.Stats) float64 { return float64(s.Marks) })
	a.gauge("marked_rivers", "Rivers that have posts which are to be decided again.", func(s river.Stats) float64 { return float64(s.Marked) })
	a.gauge("oldest_mark_seconds", "How long the oldest river has waited to have its posts decided again; a visit does not wait for that.", func(s river.Stats) float64 { return s.OldestMark.Seconds() })
	a.gauge("sweeping_rivers", "Rivers whose viewer's rights changed, and that are not gone through to their end.", func(s river.Stats) float64 { return float64(s.Sweeping) })
	a.gauge("timeline_jobs", "Timelines whose access changed, and that are not gone through.", func(s river.Stats) float64 { return float64(s.Jobs) })

	a.counter("rivers_expired_total", "Rivers that went as nobody visited them.", func(s river.Stats) float64 { return float64(s.Expired) })
	a.counters("rivers_evicted_total", "Rivers that went for want of room, by what was short: memory, river_db, or the number of searches and days.", "reason", func(s river.Stats, each func(string, float64)) {
		for reason, n := range s.Evicted {
			each(reason, float64(n))
		}
	})
	a.gauge("memory_bytes", "Memory that rivers take, with posts, cards and what people may see, as it is counted.", func(s river.Stats) float64 { return float64(s.Memory) })
	a.gauge("memory_budget_bytes", "Memory that they may take; beyond it the least recently used go.", func(s river.Stats) float64 { return float64(s.MemoryBudget) })
	a.gauge("full", "1 where open pages alone take more than the budgets: further pages are not kept.", func(s river.Stats) float64 { return oneIf(s.Full) })
	a.gauge("posts_quarantined", "Posts that are left out, as showing them fails: a fault of ours.", func(s river.Stats) float64 { return float64(s.Quarantined) })
	a.gauge("river_db_bytes", "Size of the river DB's file and its journal.", func(s river.Stats) float64 { return float64(s.Size) })
	a.gauge("river_db_budget_bytes", "What that may be; beyond it the least recently used rivers go.", func(s river.Stats) float64 { return float64(s.SizeBudget) })
	a.gauge("river_db_adrift", "1 where the river DB does not have all that the node knows, as it can't be written: a restart would begin with less.", func(s river.Stats) float64 { return oneIf(s.RiverDBIncomplete) })
	a.counter("river_db_renewed_total", "How often the river DB was begun anew while the node ran.", func(s river.Stats) float64 { return float64(s.Renewed) })
	a.done()
}

// Ready adds whether the node can serve.
func (m *Metrics) Ready(ready func() bool) {
	a := newAsked(m, ready)
	a.gauge("ready", "1 where the node can serve, as /readyz says; else 0.", oneIf)
	a.done()
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func (m *Metrics) histogram(name, help string, bounds []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: prefix + name, Help: help, Buckets: bounds})
	m.add(h, "histogram", name, help, nil)
	return h
}

// Turned is told of each turn of the loop. Those that failed the node counts
// itself.
func (m *Metrics) Turned(t river.Turn) {
	if t.Err != nil {
		return
	}
	m.turns.Observe(t.Took.Seconds())
	m.followed.Observe(float64(t.Changes))
	m.decided.Add(float64(t.Decided))
}

// Built is told of each build.
func (m *Metrics) Built(kind river.Kind, took time.Duration, err error) {
	m.builds.WithLabelValues(string(kind)).Observe(took.Seconds())
	if err != nil {
		m.failures.WithLabelValues(string(kind)).Inc()
	}
}
