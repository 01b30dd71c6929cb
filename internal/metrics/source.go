package metrics

import "github.com/prometheus/client_golang/prometheus"

// A source collects the metrics of one part of the process. Each time the metrics are read, it
// calls read once and makes all metrics from the result.
type source[S any] struct {
	metrics  *Metrics
	read     func() S
	readings []reading[S]
}

// A reading makes one metric from the values of a source.
type reading[S any] struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(S) float64                        // nil for a metric with a label
	each  func(S, func(label string, n float64)) // calls the function with each value of the label
}

func newSource[S any](m *Metrics, read func() S) *source[S] {
	return &source[S]{metrics: m, read: read}
}

func (s *source[S]) gauge(name, help string, value func(S) float64) {
	s.readings = append(s.readings, reading[S]{desc: s.describe("gauge", name, help), kind: prometheus.GaugeValue, value: value})
}

func (s *source[S]) counter(name, help string, value func(S) float64) {
	s.readings = append(s.readings, reading[S]{desc: s.describe("counter", name, help), kind: prometheus.CounterValue, value: value})
}

func (s *source[S]) gauges(name, help, label string, each func(S, func(label string, n float64))) {
	s.readings = append(s.readings, reading[S]{desc: s.describe("gauge", name, help, label), kind: prometheus.GaugeValue, each: each})
}

func (s *source[S]) counters(name, help, label string, each func(S, func(label string, n float64))) {
	s.readings = append(s.readings, reading[S]{desc: s.describe("counter", name, help, label), kind: prometheus.CounterValue, each: each})
}

func (s *source[S]) describe(kind, name, help string, labels ...string) *prometheus.Desc {
	s.metrics.note(kind, name, help, labels)
	return prometheus.NewDesc(prefix+name, help, labels, nil)
}

// register adds the source to the registry.
func (s *source[S]) register() { s.metrics.registry.MustRegister(s) }

// Describe implements [prometheus.Collector].
func (s *source[S]) Describe(to chan<- *prometheus.Desc) {
	for _, r := range s.readings {
		to <- r.desc
	}
}

// Collect implements [prometheus.Collector].
func (s *source[S]) Collect(to chan<- prometheus.Metric) {
	state := s.read()
	for _, r := range s.readings {
		if r.value != nil {
			to <- prometheus.MustNewConstMetric(r.desc, r.kind, r.value(state))
			continue
		}
		r.each(state, func(label string, n float64) {
			to <- prometheus.MustNewConstMetric(r.desc, r.kind, n, label)
		})
	}
}
