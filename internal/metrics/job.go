package metrics

import "time"

// Job is told of a run of a periodic job that ended at a time.
func (m *Metrics) Job(name string, at time.Time, took time.Duration, err error) {
	m.jobs.WithLabelValues(name).Observe(took.Seconds())
	if err != nil {
		m.failed.WithLabelValues(name).Inc()
		return
	}
	m.JobDone(name, at)
}

// JobDone is told that a periodic job is done for now, by whomever.
func (m *Metrics) JobDone(name string, at time.Time) {
	m.done.WithLabelValues(name).Set(float64(at.UnixMilli()) / 1000)
}

// JobLate is told that a periodic job was left out, as it was still under way.
func (m *Metrics) JobLate(name string) { m.late.WithLabelValues(name).Inc() }
