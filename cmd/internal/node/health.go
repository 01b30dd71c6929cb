package node

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
	"amstel.dev/amstel/web/page"
)

const (
	// watchEvery is the time between two checks whether the state of the node has changed, for the log.
	watchEvery = 250 * time.Millisecond
	// statsEvery is the number of checks after which health asks the node for the state of its
	// river DB. The answer counts all rivers, so health does not ask each time.
	statsEvery = 20
	// manyChanges is the number of changes in one turn that is worth a line of the log.
	manyChanges = 1000
	// renewalsMost is the number of new river DBs within renewalsIn that is reported as trouble,
	// because something must be wrong with the disk.
	renewalsMost = 3
	renewalsIn   = time.Minute
)

// health records whether the work of a node succeeds.
type health struct {
	log *slog.Logger

	mu           sync.Mutex
	err          error       // the error of the last turn; nil: the turn succeeded
	catching     bool        // the last turn followed many changes
	renewed      int64       // the number of new river DBs at the last call of stored
	renewals     []time.Time // the times of the new river DBs within renewalsIn
	dbIncomplete bool        // see river.Stats.RiverDBIncomplete
}

// turned notes the end of a turn.
func (h *health) turned(t river.Turn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = t.Err
	if t.Err != nil {
		return
	}
	if many := t.Changes >= manyChanges; many != h.catching {
		h.catching = many
		if many {
			h.log.Info("catching up", "changes", t.Changes, "took", t.Took)
		} else {
			h.log.Info("caught up")
		}
	}
}

// built records a build. A missing page, or one that the viewer may not open, is no failure of
// the node.
func (h *health) built(kind river.Kind, took time.Duration, err error) {
	switch {
	case err == nil, errors.Is(err, timeline.ErrNotFound), errors.Is(err, timeline.ErrForbidden), errors.Is(err, context.Canceled):
		return
	case errors.Is(err, timeline.ErrUnavailable), errors.Is(err, river.ErrBehind), errors.Is(err, river.ErrGone):
		h.log.Debug("a build failed", "kind", string(kind), "took", took, "err", err)
		return
	}
	h.log.Warn("a build failed", "kind", string(kind), "took", took, "err", err)
}

// stored notes the state of the river DB.
func (h *health) stored(s river.Stats, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dbIncomplete = s.RiverDBIncomplete
	for ; h.renewed < s.Renewed; h.renewed++ {
		h.renewals = append(h.renewals, now)
	}
	for len(h.renewals) > 0 && now.Sub(h.renewals[0]) > renewalsIn {
		h.renewals = h.renewals[1:]
	}
}

// trouble returns the present trouble of the node, for [web.Config.Trouble]; zero if there is none.
func (h *health) trouble() page.Trouble {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case errors.Is(h.err, timeline.ErrUnavailable):
		return page.Trouble{Kind: page.TroublePrimary}
	case h.err != nil:
		return page.Trouble{Kind: page.TroubleTurns}
	case h.dbIncomplete:
		return page.Trouble{Kind: page.TroubleRiverDB}
	case len(h.renewals) >= renewalsMost:
		return page.Trouble{Kind: page.TroubleRiverDBRenewed, Times: len(h.renewals)}
	}
	return page.Trouble{}
}

// watch logs when the node becomes ready, and when it stops to be ready, until the context ends.
func (n *Node) watch(ctx context.Context) {
	ticks := time.NewTicker(watchEvery)
	defer ticks.Stop()
	for i := 0; ; i++ {
		if i%statsEvery == 0 {
			n.health.stored(n.rivers.Stats(), time.Now())
		}
		n.logHealth()
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
	}
}

// logHealth logs the state of the node if it has changed since the last call.
func (n *Node) logHealth() {
	n.watched.logChanges(n.config.Log, n.site.Readiness(), n.rivers.Position(), time.Now())
}

// watched holds the state of a node that was logged last.
type watched struct {
	mu    sync.Mutex
	state web.State
	since time.Time
}

// logChanges logs the state of the node if it has changed since the last call.
func (w *watched) logChanges(log *slog.Logger, r web.Readiness, position int64, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	was, since := w.state, w.since
	if r.State == was {
		return
	}
	w.state, w.since = r.State, now
	switch {
	case r.State == web.StateStarting, r.State == web.StateStopping:
		// The log has lines for the start and the stop already.
	case r.Ready() && was == "" || was == web.StateStarting && r.Ready():
		log.Info("ready", "position", position)
	case r.Ready():
		log.Info("ready again", "position", position, "after", now.Sub(since).Round(time.Millisecond))
	default:
		log.Warn("not ready", "state", string(r.State), "why", r.Why)
	}
}
