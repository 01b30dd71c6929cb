package river

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"amstel.dev/amstel/timeline"
)

func stack() []byte { return debug.Stack() }

// turn brings the node from one state of the primary to the next. more reports that work is left
// that must not wait for a doorbell.
func (n *Node) turn(ctx context.Context, asked *asks) (more bool, err error) {
	began, since := n.now(), time.Since(n.start)
	n.undoDrops()
	if err := n.reached(pointBegun); err != nil {
		return false, err
	}
	if n.db != nil {
		if err := n.db.checkIntact(); err != nil {
			n.discardDB(err)
		}
	}
	n.reopenDB(ctx)
	if _, err := n.store.Sequence(ctx); err != nil {
		return false, err
	}
	if err := n.reached(pointSequenced); err != nil {
		return false, err
	}
	sn, err := n.store.Snapshot(ctx)
	if err != nil {
		return false, err
	}
	defer sn.Close()
	log, err := sn.Log(ctx, n.st.cursor, n.st.nonce, n.st.logEpoch)
	if err != nil {
		return false, err
	}
	if log.Broken {
		n.log.Warn("the change log can't be followed: all rivers are dropped", "cursor", n.st.cursor, "head", log.Head)
		n.dropRivers(ctx, siteState{log.Site, log.Run})
		if n.cfg.Forgot != nil {
			n.cfg.Forgot()
		}
		log.Changes, log.Unplaced = nil, nil
	}
	if err := n.reached(pointRead); err != nil {
		return false, err
	}

	d := newDraft(n.st)
	n.draft = d
	d.log.cursor, d.log.nonce, d.log.logEpoch = log.Head, log.Nonce, log.Epoch
	d.log.position, d.log.whole = max(d.log.position, log.Head), log.Head
	if n.st.logEpoch != log.Epoch {
		d.log.position = log.Head
	}
	d.log.siteState = siteState{log.Site, log.Run}
	news, unplaced := n.newChanges(log)
	n.counts.lag.Store(int64(len(news)))
	n.builds.noteChanges(news)
	n.quarantine.keepUnchanged(n.following)
	n.following = news
	r := &router{node: n, draft: d, asked: asked}
	if err := r.route(ctx, sn, news); err != nil {
		return false, err
	}
	if err := n.reached(pointRouted); err != nil {
		return false, err
	}
	n.install(d, asked.built)
	if err := d.fill(ctx, sn); err != nil {
		return false, err
	}
	if err := r.count(ctx, sn); err != nil {
		return false, err
	}
	n.continueRound(d, asked.expire, began)
	n.trim(d, asked)
	sn.Close()

	if err := n.reached(pointDecided); err != nil {
		return false, err
	}
	n.persist(ctx, d, began)
	if err := n.reached(pointWritten); err != nil {
		return false, err
	}
	if len(unplaced) > 0 { // pages must carry the position of every change that they contain
		position, err := n.sequenced(ctx, unplaced)
		if err != nil {
			n.log.Warn("the position of changes is not known yet", "err", err)
		} else {
			d.log.position = max(d.log.position, position)
			if position == log.Head+int64(len(unplaced)) { // no later change stands between them
				d.log.whole = position
			}
		}
	}
	// Report ends of sessions before publishing the turn, so that the client of an ended session
	// learns of nothing that happened after the end.
	for _, c := range news {
		if c.Kind == timeline.ChangeSession && n.cfg.Ended != nil {
			n.cfg.Ended(c.Token)
		}
	}
	if err := n.publish(d, began, asked); err != nil {
		return false, err
	}
	n.lastBegan.Store(int64(since))
	if n.cfg.Turned != nil {
		n.cfg.Turned(Turn{Took: time.Since(n.start) - since, Changes: len(news), Decided: d.decided})
	}
	n.appliedEarly, n.following = unplaced, nil
	n.quarantine.clearSuspects(d.handledAlone)
	n.quarantine.confirmReleased()
	more = len(n.queue) > 0 || len(n.st.jobs) > 0 || len(n.stale) > 0 || len(n.rebuild.rivers) > 0 || log.Broken || n.hasExcess()
	return more, n.reached(pointPublished)
}

// newChanges returns the changes of the log that the node has not applied yet, and
// the ids of all changes in the log that have no position yet.
func (n *Node) newChanges(log *timeline.Log) (news []timeline.Change, unplaced map[int64]bool) {
	unplaced = make(map[int64]bool, len(log.Unplaced))
	for _, c := range log.Unplaced {
		unplaced[c.ID] = true
	}
	for _, list := range [][]timeline.Change{log.Changes, log.Unplaced} {
		for _, c := range list {
			if !n.appliedEarly[c.ID] {
				news = append(news, c)
			}
		}
	}
	return news, unplaced
}

// sequenced runs the sequencer until the changes have positions, and returns the
// highest position.
func (n *Node) sequenced(ctx context.Context, changes map[int64]bool) (int64, error) {
	if _, err := n.store.Sequence(ctx); err != nil {
		return 0, err
	}
	ids := make([]int64, 0, len(changes))
	for id := range changes {
		ids = append(ids, id)
	}
	return n.store.PositionOf(ctx, ids)
}

// errInconsistent reports that applying a draft panicked halfway, so that the state may
// contradict itself. The node then drops the state and all rivers.
var errInconsistent = errors.New("the state is inconsistent")

// publish shows the whole draft to readers, and wakes the watches of the changed rivers.
func (n *Node) publish(d *draft, began int64, asked *asks) error {
	wake, err := n.apply(d, began)
	if err != nil {
		return err
	}
	n.queue = slices.DeleteFunc(slices.Clone(d.queue), func(rv *river) bool { return n.st.rivers[rv.id] != rv })
	queued := make(map[*river]bool, len(n.queue))
	for _, rv := range n.queue {
		queued[rv] = true
	}
	for rv, rd := range d.rivers {
		if len(rd.mark) > 0 && !rd.dropped {
			if !queued[rv] {
				n.queue = append(n.queue, rv)
			}
			n.updateNextTurn(rv)
		}
		if rv.stale != 0 && !rd.dropped {
			n.stale[rv] = true
		} else {
			delete(n.stale, rv)
		}
	}
	n.round, n.leaving = d.round, n.leaving[:0]
	n.counts.shortened.Add(int64(len(n.shortening)))
	n.endShortening()
	n.lastTurn.Store(asked.turn)
	n.turns.Add(1)
	n.missedAhead(d)
	for rv := range wake {
		n.wake(rv)
	}
	for _, b := range asked.built {
		if b.err == nil && b.rv == nil && !b.ahead && kinds[b.key.What].home {
			n.counts.firstHomes.Add(1)
		}
		n.forget(b)
		close(b.done)
		if b.err != nil && b.rv != nil {
			n.wake(b.rv) // an open page that is being filled looks at the river again
		}
	}
	asked.published = true
	return nil
}

// apply turns the state into the state that the draft describes. A panic halfway leaves the
// state inconsistent: apply then returns errInconsistent.
func (n *Node) apply(d *draft, began int64) (wake map[*river]bool, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: publishing turn %d: %w", errInconsistent, d.counter, n.poisonError(d, p))
		}
	}()
	if err := n.reached(pointApplying); err != nil {
		return nil, err
	}
	wake = n.st.apply(d, began)
	close(n.next)
	n.next = make(chan struct{})
	return wake, nil
}
