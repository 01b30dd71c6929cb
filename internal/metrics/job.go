package metrics

import "time"

// Job records a run of a periodic job, which ended at a time.
func (m *Metrics) Job(name string, at time.Time, took time.Duration, err error) {
	m.jobs.WithLabelValues(name).Observe(took.Seconds())
	if err != nil {
		m.failed.WithLabelValues(name).Inc()
		return
	}
	m.JobDone(name, at)
}

// JobDone records that a periodic job was done at a time, by any process.
func (m *Metrics) JobDone(name string, at time.Time) {
	m.done.WithLabelValues(name).Set(float64(at.UnixMilli()) / 1000)
}

// JobLate records that a run of a periodic job was skipped, because the last run was still
// going on.
func (m *Metrics) JobLate(name string) { m.late.WithLabelValues(name).Inc() }
