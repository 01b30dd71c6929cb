package metrics

import (
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the metrics of one process.
type Metrics struct {
	registry *prometheus.Registry
	made     []description // in the order in which they were added

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
	previews *prometheus.CounterVec
	intakes  *prometheus.CounterVec
	mails    *prometheus.CounterVec
	pushes   *prometheus.CounterVec
}

// description describes a metric. The table of docs/metrics.md is made of these descriptions.
type description struct{ name, kind, labels, help string }

// New returns the metrics of a process of this version: those of the Go runtime, of the process
// and of periodic jobs. The other methods add the metrics of the process's parts.
func New(version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	m.gauges("build_info", "Always 1; the label says which version runs.", "version").WithLabelValues(version).Set(1)
	m.jobs = m.histograms("job_duration_seconds", "How long the runs of the periodic jobs took.", []float64{.01, .1, 1, 10, 60, 600}, "job")
	m.failed = m.counters("job_failures_total", "Runs of periodic jobs that failed.", "job")
	m.late = m.counters("job_late_total", "Runs of periodic jobs that were skipped because the run before was still going on.", "job")
	m.done = m.gauges("job_last_success_timestamp_seconds", "When the periodic job last succeeded, in this process or, if one process does it for all, in any of them.", "job")
	return m
}

// Handler returns a handler that serves the metrics to every client.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		DisableCompression:  true, // the site compresses its answers itself
		MaxRequestsInFlight: 4,
	})
}

// prefix is the beginning of the names of all metrics of this package.
const prefix = "amstel_"

// add adds a metric to the registry and to the descriptions.
func (m *Metrics) add(c prometheus.Collector, kind, name, help string, labels []string) {
	m.registry.MustRegister(c)
	m.note(kind, name, help, labels)
}

func (m *Metrics) note(kind, name, help string, labels []string) {
	m.made = append(m.made, description{name: prefix + name, kind: kind, labels: strings.Join(labels, ", "), help: help})
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
