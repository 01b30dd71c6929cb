package metrics

import (
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are those of one process.
type Metrics struct {
	registry *prometheus.Registry
	made     []about // in the order of the code

	requests *prometheus.CounterVec
	answered *prometheus.HistogramVec
	refused  *prometheus.CounterVec
	turns    prometheus.Histogram
	followed prometheus.Histogram
	decided  prometheus.Counter
	builds   *prometheus.HistogramVec
	failures *prometheus.CounterVec
	rounds   prometheus.Histogram
	jobs     *prometheus.HistogramVec
	failed   *prometheus.CounterVec
	late     *prometheus.CounterVec
	done     *prometheus.GaugeVec
}

// about is what there is to know of a metric before it has a value; the table of
// docs/running.md is made of them.
type about struct{ name, kind, labels, help string }

// New makes the metrics of a process of that version. It has those of Go and of
// the process, and of the periodic jobs; the others are added by who has them.
func New(version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	m.gauges("build_info", "Always 1; the label says which version runs.", "version").WithLabelValues(version).Set(1)
	m.jobs = m.histograms("job_duration_seconds", "How long the runs of the periodic jobs took.", []float64{.01, .1, 1, 10, 60, 600}, "job")
	m.failed = m.counters("job_failures_total", "Runs of periodic jobs that failed.", "job")
	m.late = m.counters("job_late_total", "Ticks of periodic jobs that were left out as the run before was still under way.", "job")
	m.done = m.gauges("job_last_success_timestamp_seconds", "When the periodic job was last done, by this process or, where one of them does it for all, by any.", "job")
	return m
}

// Handler answers with the metrics, to whoever asks.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		DisableCompression:  true, // the site has its own
		MaxRequestsInFlight: 4,
	})
}

// prefix is what the names of all our metrics begin with.
const prefix = "amstel_"

// add makes a metric known and puts it into the registry.
func (m *Metrics) add(c prometheus.Collector, kind, name, help string, labels []string) {
	m.registry.MustRegister(c)
	m.note(kind, name, help, labels)
}

func (m *Metrics) note(kind, name, help string, labels []string) {
	m.made = append(m.made, about{name: prefix + name, kind: kind, labels: strings.Join(labels, ", "), help: help})
}

func (m *Metrics) counters(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + name, Help: help}, labels)
	m.add(c, "counter", name, help, labels)
	return c
}

func (m *Metrics) gauges(name, help string, labels ...string) *prometheus.GaugeVec {
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: prefix + name, Help: help}, labels)
	m.add(g, "gauge", name, help, labels)
	return g
}

func (m *Metrics) histograms(name, help string, bounds []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: prefix + name, Help: help, Buckets: bounds}, labels)
	m.add(h, "histogram", name, help, labels)
	return h
}
