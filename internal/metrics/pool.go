package metrics

import "github.com/jackc/pgx/v5/pgxpool"

// Pool adds the connections to the primary.
func (m *Metrics) Pool(stat func() *pgxpool.Stat) {
	a := newAsked(m, stat)
	a.gauges("pool_connections", "Connections to the primary, by what they do.", "state", func(s *pgxpool.Stat, each func(string, float64)) {
		each("acquired", float64(s.AcquiredConns()))
		each("idle", float64(s.IdleConns()))
		each("opening", float64(s.ConstructingConns()))
	})
	a.gauge("pool_connections_max", "How many connections to the primary there may be.", func(s *pgxpool.Stat) float64 { return float64(s.MaxConns()) })
	a.counter("pool_acquires_total", "How often a connection was taken.", func(s *pgxpool.Stat) float64 { return float64(s.AcquireCount()) })
	a.counter("pool_acquire_seconds_total", "How long taking connections took in all.", func(s *pgxpool.Stat) float64 { return s.AcquireDuration().Seconds() })
	a.counter("pool_waits_total", "How often no connection was free at once.", func(s *pgxpool.Stat) float64 { return float64(s.EmptyAcquireCount()) })
	a.counter("pool_wait_seconds_total", "How long was waited for a free connection in all.", func(s *pgxpool.Stat) float64 { return s.EmptyAcquireWaitTime().Seconds() })
	a.counter("pool_canceled_total", "How often who waited for a connection gave up.", func(s *pgxpool.Stat) float64 { return float64(s.CanceledAcquireCount()) })
	a.done()
}
