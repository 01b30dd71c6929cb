package metrics

import (
	"strconv"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/realtime/faye"
	"amstel.dev/amstel/web/quota"
)

// Sockets adds the metrics of a node's sockets.
func (m *Metrics) Sockets(stats func() realtime.Stats) {
	m.rounds = m.histogram("hub_round_duration_seconds", "How long the rounds took in which a hub writes changes to its sockets.", []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5})
	a := newSource(m, stats)
	a.gauge("hubs", "Hubs: one for each open river.", func(s realtime.Stats) float64 { return float64(s.Hubs) })
	a.gauge("sockets", "Open pages.", func(s realtime.Stats) float64 { return float64(s.Sockets) })
	a.gauge("sockets_hidden", "Open pages that are hidden, such as those in background tabs.", func(s realtime.Stats) float64 { return float64(s.Hidden) })
	a.gauge("listeners", "Subscriptions of clients of Faye to a river.", func(s realtime.Stats) float64 { return float64(s.Listeners) })
	a.gauge("pace_seconds", "The longest time between two rounds of a hub; it is stretched under load.", func(s realtime.Stats) float64 { return s.Pace.Seconds() })

	a.counter("subs_total", "Frames of type sub that were answered: pages that connected or reconnected.", func(s realtime.Stats) float64 { return float64(s.Subs) })
	a.counter("polls_total", "Polls answered, from pages that can't open a socket.", func(s realtime.Stats) float64 { return float64(s.Polls) })
	a.counter("frames_total", "Frames written to sockets, of all types.", func(s realtime.Stats) float64 { return float64(s.Frames) })
	a.counter("frame_bytes_total", "Bytes of frames written to sockets.", func(s realtime.Stats) float64 { return float64(s.Bytes) })
	a.counter("frames_composed_total", "Patches and resets composed from the state of a river.", func(s realtime.Stats) float64 { return float64(s.Composed) })
	a.counter("frames_shared_total", "Patches and resets that were composed for another socket and written again.", func(s realtime.Stats) float64 { return float64(s.Shared) })
	a.counter("frames_compressed_total", "Patches and resets written compressed.", func(s realtime.Stats) float64 { return float64(s.Compressed) })
	a.counter("frames_merged_total", "Frames that merged several changes, because a page reads slowly or its river is fast.", func(s realtime.Stats) float64 { return float64(s.Merged) })
	a.counter("entries_rendered_total", "Entries rendered for patches and resets.", func(s realtime.Stats) float64 { return float64(s.Rendered) })
	a.counter("entries_poisoned_total", "Entries that the server failed to render: a bug.", func(s realtime.Stats) float64 { return float64(s.Poisoned) })

	a.counters("sockets_closed_total", "Sockets that the server closed, by code: 1012 it stopped, 1013 overload, 4008 slow, 4011 behind, 4400 bad frames, 4401 signed out, 4403 forbidden, 4429 too many.", "code",
		func(s realtime.Stats, each func(string, float64)) {
			for code, n := range s.Closed {
				each(strconv.Itoa(code), float64(n))
			}
		})
	a.counter("sockets_cut_total", "Connections that were dropped without a closing frame, or whose client did not answer the closing frame.", func(s realtime.Stats) float64 { return float64(s.Dropped) })
	a.counters("upgrades_refused_total", "Upgrades that were refused: origin (another site), draining (the node stops), identify (the viewer could not be identified), upgrade (no proper WebSocket upgrade).", "reason",
		func(s realtime.Stats, each func(string, float64)) {
			for reason, n := range s.Refused {
				each(reason, float64(n))
			}
		})
	a.register()
}

// Faye adds the metrics of the clients of Mokum's realtime protocol.
func (m *Metrics) Faye(stats func() faye.Stats) {
	a := newSource(m, stats)
	a.gauge("faye_clients", "Clients of Faye, those that poll and those with a socket.", func(s faye.Stats) float64 { return float64(s.Clients) })
	a.gauge("faye_sockets", "WebSockets of Faye.", func(s faye.Stats) float64 { return float64(s.Sockets) })
	a.counter("faye_handshakes_total", "Handshakes of Faye.", func(s faye.Stats) float64 { return float64(s.Handshakes) })
	a.counter("faye_subscriptions_total", "Subscriptions that were granted to clients of Faye.", func(s faye.Stats) float64 { return float64(s.Subscriptions) })
	a.counter("faye_messages_total", "Messages sent to subscribers of Faye: one for each post that changed.", func(s faye.Stats) float64 { return float64(s.Messages) })
	a.counter("faye_refused_total", "Clients and WebSockets of Faye that were refused, because there were too many.", func(s faye.Stats) float64 { return float64(s.Refused) })
	a.register()
}

// Quotas adds the metrics of the quotas of requests.
func (m *Metrics) Quotas(stats func() quota.Stats) {
	a := newSource(m, stats)
	a.gauge("quota_keys", "Tokens, people and addresses whose requests of this hour are counted on this node.", func(s quota.Stats) float64 { return float64(s.Keys) })
	a.counters("quota_refused_total", "Requests refused because a quota of the hour was used up, by what it was the quota of: token, person, address.", "of",
		func(s quota.Stats, each func(string, float64)) {
			for of, n := range s.Refused {
				each(of, float64(n))
			}
		})
	a.counter("quota_additions_total", "Statements that added the counts of this node to the primary.", func(s quota.Stats) float64 { return float64(s.Added) })
	a.counter("quota_additions_failed_total", "Failed statements that add requests to quotas; until one succeeds, this node counts from the last sums that it read.", func(s quota.Stats) float64 { return float64(s.Failed) })
	a.register()
}

// Wrote records a round of a hub.
func (m *Metrics) Wrote(_ int, took time.Duration) { m.rounds.Observe(took.Seconds()) }
