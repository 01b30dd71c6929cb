package metrics

import "github.com/jackc/pgx/v5/pgxpool"

// Pool adds the metrics of the connections to the primary.
func (m *Metrics) Pool(stat func() *pgxpool.Stat) {
	a := newSource(m, stat)
	a.gauges("pool_connections", "Connections to the primary, by state.", "state", func(s *pgxpool.Stat, each func(string, float64)) {
		each("acquired", float64(s.AcquiredConns()))
		each("idle", float64(s.IdleConns()))
		each("opening", float64(s.ConstructingConns()))
	})
	a.gauge("pool_connections_max", "The greatest number of connections to the primary.", func(s *pgxpool.Stat) float64 { return float64(s.MaxConns()) })
	a.counter("pool_acquires_total", "How often a connection was acquired.", func(s *pgxpool.Stat) float64 { return float64(s.AcquireCount()) })
	a.counter("pool_acquire_seconds_total", "Total time of acquiring connections.", func(s *pgxpool.Stat) float64 { return s.AcquireDuration().Seconds() })
	a.counter("pool_waits_total", "How often a request for a connection had to wait.", func(s *pgxpool.Stat) float64 { return float64(s.EmptyAcquireCount()) })
	a.counter("pool_wait_seconds_total", "Total time of waiting for a free connection.", func(s *pgxpool.Stat) float64 { return s.EmptyAcquireWaitTime().Seconds() })
	a.counter("pool_canceled_total", "How often a request for a connection was cancelled.", func(s *pgxpool.Stat) float64 { return float64(s.CanceledAcquireCount()) })
	a.register()
}
