package metrics

import (
	"strconv"
	"time"

	"amstel.dev/amstel/realtime"
)

// Sockets adds what the sockets of a node have and do.
func (m *Metrics) Sockets(stats func() realtime.Stats) {
	m.rounds = m.histogram("hub_round_duration_seconds", "How long rounds of hubs took, in which they write what changed to their sockets.", []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5})
	a := newAsked(m, stats)
	a.gauge("hubs", "Hubs: one a river that is open.", func(s realtime.Stats) float64 { return float64(s.Hubs) })
	a.gauge("sockets", "Open pages.", func(s realtime.Stats) float64 { return float64(s.Sockets) })
	a.gauge("sockets_hidden", "Open pages that nobody looks at.", func(s realtime.Stats) float64 { return float64(s.Hidden) })
	a.gauge("pace_seconds", "How far apart the frames of the busiest river are: it is stretched under load.", func(s realtime.Stats) float64 { return s.Pace.Seconds() })

	a.counter("subs_total", "Pages that were told where their river stands: opened, or come back.", func(s realtime.Stats) float64 { return float64(s.Subs) })
	a.counter("polls_total", "Polls answered, of pages that get no socket.", func(s realtime.Stats) float64 { return float64(s.Polls) })
	a.counter("frames_total", "Frames written to sockets, of any type.", func(s realtime.Stats) float64 { return float64(s.Frames) })
	a.counter("frame_bytes_total", "Bytes of frames written to sockets.", func(s realtime.Stats) float64 { return float64(s.Bytes) })
	a.counter("frames_composed_total", "Patches and resets made of a river's state.", func(s realtime.Stats) float64 { return float64(s.Composed) })
	a.counter("frames_shared_total", "Patches and resets written that another socket was given before.", func(s realtime.Stats) float64 { return float64(s.Shared) })
	a.counter("frames_compressed_total", "Frames written packed.", func(s realtime.Stats) float64 { return float64(s.Compressed) })
	a.counter("frames_merged_total", "Times that a page was told of several changes at once: it reads slowly, or its river is fast.", func(s realtime.Stats) float64 { return float64(s.Merged) })
	a.counter("entries_rendered_total", "Entries rendered for patches and resets.", func(s realtime.Stats) float64 { return float64(s.Drawn) })
	a.counter("entries_poisoned_total", "Entries that could not be rendered: a fault of ours.", func(s realtime.Stats) float64 { return float64(s.Poisoned) })

	a.counters("sockets_closed_total", "Sockets that the server closed, by code: 1012 it stopped, 1013 overload, 4008 slow, 4011 behind, 4400 bad frames, 4401 signed out, 4403 forbidden, 4429 too many.", "code",
		func(s realtime.Stats, each func(string, float64)) {
			for code, n := range s.Closed {
				each(strconv.Itoa(code), float64(n))
			}
		})
	a.counter("sockets_cut_total", "Connections that were dropped without a word, or did not answer one.", func(s realtime.Stats) float64 { return float64(s.Cut) })
	a.counters("upgrades_refused_total", "Sockets that were not opened: from another origin, while the node stops, where it could not be told who asks, or as they were none.", "reason",
		func(s realtime.Stats, each func(string, float64)) {
			for reason, n := range s.Refused {
				each(reason, float64(n))
			}
		})
	a.done()
}

// Wrote is told of each round of a hub.
func (m *Metrics) Wrote(_ int, took time.Duration) { m.rounds.Observe(took.Seconds()) }
