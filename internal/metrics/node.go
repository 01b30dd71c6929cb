package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"amstel.dev/amstel/river"
)

// Node adds the metrics of a node. Stats is called each time that the metrics are read.
func (m *Metrics) Node(stats func() river.Stats) {
	m.turns = m.histogram("turn_duration_seconds", "How long the loop's turns took, without those that failed.", []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10})
	m.followed = m.histogram("turn_changes", "How many changes a turn followed.", []float64{0, 1, 10, 100, 1000, 10_000})
	m.decided = prometheus.NewCounter(prometheus.CounterOpts{Name: prefix + "decided_total", Help: "Decisions of turns: whether a river shows an entry, and where."})
	m.add(m.decided, "counter", "decided_total", "Decisions of turns: whether a river shows an entry, and where.", nil)
	m.builds = m.histograms("build_duration_seconds", "How long builds of rivers took: first visits, and older entries.", []float64{.001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}, "kind")
	m.failures = m.counters("build_failures_total", "Builds that failed.", "kind")

	a := newSource(m, stats)
	byKind := func(of func(river.Stats) map[river.Kind]int) func(river.Stats, func(string, float64)) {
		return func(s river.Stats, each func(string, float64)) {
			for kind, n := range of(s) {
				each(string(kind), float64(n))
			}
		}
	}
	a.gauges("rivers_living", "Rivers that the node keeps.", "kind", byKind(func(s river.Stats) map[river.Kind]int { return s.Living }))
	a.gauges("rivers_open", "Rivers that open pages listen to.", "kind", byKind(func(s river.Stats) map[river.Kind]int { return s.Open }))
	a.gauge("entries", "Entries in rivers.", func(s river.Stats) float64 { return float64(s.Entries) })
	a.gauge("posts", "Posts in rivers, each counted once.", func(s river.Stats) float64 { return float64(s.Posts) })
	a.gauge("viewers", "People for whom the node keeps rivers.", func(s river.Stats) float64 { return float64(s.Viewers) })

	a.gauge("age_seconds", "Age of the state that pages show: no open page misses a change that is older.", func(s river.Stats) float64 { return s.Age.Seconds() })
	a.gauge("log_lag_changes", "Changes that the last turn had to follow.", func(s river.Stats) float64 { return float64(s.Lag) })
	a.gauge("log_position", "Position in the change log up to which pages have followed it.", func(s river.Stats) float64 { return float64(s.Position) })
	a.counter("turn_failures_total", "Turns of the loop that failed and were repeated.", func(s river.Stats) float64 { return float64(s.TurnsFailed) })
	a.gauge("builds_running", "Builds under way.", func(s river.Stats) float64 { return float64(s.Building) })

	a.gauge("marks", "Posts in rivers that must be decided again, when the node is idle or at the next visit.", func(s river.Stats) float64 { return float64(s.Marks) })
	a.gauge("marked_rivers", "Rivers with posts that must be decided again.", func(s river.Stats) float64 { return float64(s.Marked) })
	a.gauge("oldest_mark_seconds", "The longest time that a marked river has waited for its posts to be decided again; a visit decides them at once.", func(s river.Stats) float64 { return s.OldestMark.Seconds() })
	a.gauge("sweeping_rivers", "Rivers whose viewer's rights changed and whose sweep is not finished.", func(s river.Stats) float64 { return float64(s.Sweeping) })
	a.gauge("timeline_jobs", "Timelines whose access changed and whose job is not finished.", func(s river.Stats) float64 { return float64(s.Jobs) })

	a.counter("rivers_expired_total", "Rivers that were dropped because they were not visited.", func(s river.Stats) float64 { return float64(s.Expired) })
	a.counter("rivers_shortened_total", "How often a river that no page has open was shortened to the length that its readers scroll.", func(s river.Stats) float64 { return float64(s.Shortened) })
	a.counter("ahead_built_total", "Homes built in advance, before their readers came.", func(s river.Stats) float64 { return float64(s.Ahead.Built) })
	a.counter("ahead_hits_total", "Homes built in advance whose reader then came: each saved the reader the wait for a build.", func(s river.Stats) float64 { return float64(s.Ahead.Hits) })
	a.counter("ahead_misses_total", "Homes built in advance that were dropped before their reader came.", func(s river.Stats) float64 { return float64(s.Ahead.Misses) })
	a.counter("first_visits_total", "First visits of homes: the home was not kept, or was built in advance.", func(s river.Stats) float64 { return float64(s.Ahead.First) })
	a.counters("rivers_evicted_total", "Rivers that were dropped to make room, by the limit: memory, river_db, or the number of searches and days.", "reason", func(s river.Stats, each func(string, float64)) {
		for reason, n := range s.Evicted {
			each(reason, float64(n))
		}
	})
	a.gauge("memory_bytes", "Memory that rivers, posts, cards and sets take, as the node counts it.", func(s river.Stats) float64 { return float64(s.Memory) })
	a.gauge("memory_budget_bytes", "Memory that rivers may take; above it the least recently used are dropped.", func(s river.Stats) float64 { return float64(s.MemoryBudget) })
	a.gauge("full", "1 if open pages alone exceed a budget, so that no other pages are kept.", func(s river.Stats) float64 { return oneIf(s.Full) })
	a.gauge("posts_quarantined", "Posts that are left out because the server fails to render or decide them: a bug.", func(s river.Stats) float64 { return float64(s.Quarantined) })
	a.gauge("river_db_bytes", "Size of the river DB's file and its journal.", func(s river.Stats) float64 { return float64(s.Size) })
	a.gauge("river_db_budget_bytes", "Greatest size of the river DB; above it the least recently used rivers are dropped.", func(s river.Stats) float64 { return float64(s.SizeBudget) })
	a.gauge("river_db_adrift", "1 if the river DB can't be written and lacks rivers that the node has: after a restart they would be built again.", func(s river.Stats) float64 { return oneIf(s.RiverDBIncomplete) })
	a.counter("river_db_renewed_total", "How often the node replaced the river DB by a new file while running.", func(s river.Stats) float64 { return float64(s.Renewed) })
	a.register()
}

// Ready adds the metric that says whether the node can serve.
func (m *Metrics) Ready(ready func() bool) {
	a := newSource(m, ready)
	a.gauge("ready", "1 if the node can serve, as /readyz says; else 0.", oneIf)
	a.register()
}

func oneIf(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

func (m *Metrics) histogram(name, help string, bounds []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: prefix + name, Help: help, Buckets: bounds})
	m.add(h, "histogram", name, help, nil)
	return h
}

// Turned records a turn of the loop. It ignores failed turns, which the node counts itself.
func (m *Metrics) Turned(t river.Turn) {
	if t.Err != nil {
		return
	}
	m.turns.Observe(t.Took.Seconds())
	m.followed.Observe(float64(t.Changes))
	m.decided.Add(float64(t.Decided))
}

// Built records a build.
func (m *Metrics) Built(kind river.Kind, took time.Duration, err error) {
	m.builds.WithLabelValues(string(kind)).Observe(took.Seconds())
	if err != nil {
		m.failures.WithLabelValues(string(kind)).Inc()
	}
}
