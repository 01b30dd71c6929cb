package metrics

import "amstel.dev/amstel/realtime"

// Sockets adds what the sockets of a node have and do.
func (m *Metrics) Sockets(stats func() realtime.Stats) {
	a := newAsked(m, stats)
	a.gauge("hubs", "Hubs: one a river that is open.", func(s realtime.Stats) float64 { return float64(s.Hubs) })
	a.gauge("sockets", "Open pages.", func(s realtime.Stats) float64 { return float64(s.Sockets) })
	a.counter("subs_total", "Pages that were told where their river stands: opened, or come back.", func(s realtime.Stats) float64 { return float64(s.Subs) })
	a.counter("patches_composed_total", "Patches and resets made of a river's state; sockets share them.", func(s realtime.Stats) float64 { return float64(s.Composed) })
	a.counter("entries_rendered_total", "Entries rendered for patches and resets.", func(s realtime.Stats) float64 { return float64(s.Drawn) })
	a.counter("frames_total", "Frames written to sockets, of any type.", func(s realtime.Stats) float64 { return float64(s.Frames) })
	a.counter("frame_bytes_total", "Bytes of frames written to sockets.", func(s realtime.Stats) float64 { return float64(s.Bytes) })
	a.done()
}
