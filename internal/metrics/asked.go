package metrics

import "github.com/prometheus/client_golang/prometheus"

// asked collects what somebody knows of himself: he is asked once each time that
// the metrics are read, and each reading takes its part of the answer.
type asked[S any] struct {
	metrics  *Metrics
	ask      func() S
	readings []reading[S]
}

// reading makes one metric of the answer.
type reading[S any] struct {
	desc  *prometheus.Desc
	value prometheus.ValueType
	read  func(S) float64
	each  func(S, func(label string, n float64)) // with one label; then read is nil
}

func newAsked[S any](m *Metrics, ask func() S) *asked[S] { return &asked[S]{metrics: m, ask: ask} }

func (a *asked[S]) gauge(name, help string, read func(S) float64) {
	a.readings = append(a.readings, reading[S]{desc: a.describe("gauge", name, help), value: prometheus.GaugeValue, read: read})
}

func (a *asked[S]) counter(name, help string, read func(S) float64) {
	a.readings = append(a.readings, reading[S]{desc: a.describe("counter", name, help), value: prometheus.CounterValue, read: read})
}

func (a *asked[S]) gauges(name, help, label string, each func(S, func(label string, n float64))) {
	a.readings = append(a.readings, reading[S]{desc: a.describe("gauge", name, help, label), value: prometheus.GaugeValue, each: each})
}

func (a *asked[S]) counters(name, help, label string, each func(S, func(label string, n float64))) {
	a.readings = append(a.readings, reading[S]{desc: a.describe("counter", name, help, label), value: prometheus.CounterValue, each: each})
}

func (a *asked[S]) describe(kind, name, help string, labels ...string) *prometheus.Desc {
	a.metrics.note(kind, name, help, labels)
	return prometheus.NewDesc(prefix+name, help, labels, nil)
}

// done puts all of it into the registry.
func (a *asked[S]) done() { a.metrics.registry.MustRegister(a) }

// Describe is a [prometheus.Collector]'s.
func (a *asked[S]) Describe(to chan<- *prometheus.Desc) {
	for _, r := range a.readings {
		to <- r.desc
	}
}

// Collect is a [prometheus.Collector]'s.
func (a *asked[S]) Collect(to chan<- prometheus.Metric) {
	answer := a.ask()
	for _, r := range a.readings {
		if r.read != nil {
			to <- prometheus.MustNewConstMetric(r.desc, r.value, r.read(answer))
			continue
		}
		r.each(answer, func(label string, n float64) {
			to <- prometheus.MustNewConstMetric(r.desc, r.value, n, label)
		})
	}
}
