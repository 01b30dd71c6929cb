package river

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestWaitPositionWaitsForLateCommits: a node has not reached a position while it still has to
// read a lower change that was committed late.
func TestWaitPositionWaitsForLateCommits(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.stop()
	ctx := context.WithoutCancel(t.Context())
	tx, err := p.store.Pool().Begin(ctx)
	p.must(err)
	defer func() { _ = tx.Rollback(ctx) }() // no effect after a commit
	armed, done := 0, false
	p.faults.sequenced = func() {
		if armed == 1 && !done {
			_, err := tx.Exec(ctx, `insert into changes (kind, user_id, timelines, moved) values ('card', 1, '{}', false)`)
			p.must(err)
			p.post("bob", "unplaced")
			armed = 2
		}
	}
	p.faults.repeat = func() bool {
		if armed == 2 && !done {
			p.must(tx.Commit(ctx))
			done = true
		}
		return false
	}
	armed = 1
	p.start()
	p.node.mu.RLock()
	cursor, position := p.node.st.cursor, p.node.st.whole
	p.node.mu.RUnlock()
	var below int
	p.must(p.store.Pool().QueryRow(ctx, `select count(*) from change_log where position > $1 and position <= $2 and kind = 'card'`, cursor, position).Scan(&below))
	if below > 0 {
		t.Errorf("the node says that it is at %d, and has not seen %d change below it", position, below)
	}
}

// TestWaitPositionWaitsForALateChangeWithALowerID: a page of the node has a
// higher position than the visitor's own write, and does not contain that write.
func TestWaitPositionWaitsForALateChangeWithALowerID(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob")
	p.follow("ann", "bob")
	own := p.post("bob", "first")
	p.stop()
	p.set.Poll = time.Hour // no turns except requested ones
	p.start()
	want(t, "home", p.visit(p.home("ann")), "first")
	p.stop()

	ctx := context.WithoutCancel(t.Context())
	tx, err := p.store.Pool().Begin(ctx)
	p.must(err)
	defer func() { _ = tx.Rollback(ctx) }() // no effect after a commit
	_, err = tx.Exec(ctx, `update posts set text = 'first, edited', version = version + 1 where id = $1`, own)
	p.must(err)
	_, err = tx.Exec(ctx, `insert into changes (kind, post_id, timelines, moved) values ('post', $1, '{}', false)`, own)
	p.must(err)
	late := false
	p.faults.sequenced = func() { // the snapshot has this change, without a position
		if !late {
			p.post("bob", "second")
		}
	}
	p.faults.written = func() error { // and the other change gets its position at the same time, below it
		if !late {
			late = true
			p.must(tx.Commit(ctx))
		}
		return nil
	}
	shown := make(chan []string, 1)
	p.faults.turn = func() error { // before the turn that reads the late change
		if !late || shown == nil {
			return nil
		}
		var position int64
		p.must(p.store.Pool().QueryRow(ctx, `select max(position) from change_log where post_id = $1`, own).Scan(&position))
		if st := p.node.st; position >= st.position || position <= st.cursor {
			t.Errorf("the late change is at %d, and the node read up to %d and contains %d: nothing is shown", position, st.cursor, st.position)
		}
		read := shown
		shown = nil
		over := make(chan struct{})
		go func() {
			defer close(over)
			if err := p.node.WaitPosition(ctx, position); err != nil {
				t.Error(err)
			}
			v, err := p.node.Visit(ctx, p.home("ann"), At{})
			if err != nil {
				t.Error(err)
				v = &View{}
			}
			read <- texts(v.Entries)
		}()
		for waits := false; !waits; runtime.Gosched() {
			p.node.asks.mu.Lock()
			waits = !p.node.asks.rung.IsZero()
			p.node.asks.mu.Unlock()
			select {
			case <-over:
				waits = true
			default:
			}
		}
		return nil
	}
	seen := shown
	p.start()
	want(t, "home", <-seen, "second", "first, edited")
}

// TestInventedPositionsCauseOneTurn: many calls wait for positions that no node has seen.
// Together they ask the loop for one turn in a poll interval.
func TestInventedPositionsCauseOneTurn(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.stop() // so that no turn takes the rings
	p.node.cfg.Settings.Poll = time.Hour
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	rings := 0
	for i := range int64(300) {
		if err := p.node.WaitPosition(gone, 1<<40+i); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		select {
		case <-p.node.ring:
			rings++
		default:
		}
	}
	if rings != 1 {
		t.Errorf("300 made-up positions rang for %d turns", rings)
	}
}

// TestWaitPositionEndsAtTheTurnThatContainsIt: a call that may not ask for a turn ends when
// another turn reaches the position.
func TestWaitPositionEndsAtTheTurnThatContainsIt(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann")
	p.set.Poll = time.Hour
	gates := p.gates()
	p.sync()
	<-p.node.waitSoon() // the next call may not ring
	published := gates["between writing and publishing"]
	p.holding(gates, func() {
		ctx, _ := timeline.WithEffect(t.Context()) // without a doorbell, so that no other turn follows
		_, err := p.store.CreatePost(ctx, p.user("ann"), timeline.NewPost{To: []string{"user"}, Text: "hello"})
		p.must(err)
		published.arm(1)
	})
	published.held(t) // the turn began after the post, so its sequencer gave the post a position
	var position int64
	p.must(p.store.Pool().QueryRow(t.Context(), `select position from log_head`).Scan(&position))
	if whole, _ := p.node.whole(); whole >= position {
		t.Fatalf("the node is at %d before the turn with position %d is published", whole, position)
	}
	reached := make(chan error, 1)
	go func() { reached <- p.node.WaitPosition(t.Context(), position) }()
	waitUntil(t, "the call waits", func() bool {
		p.node.asks.mu.Lock()
		defer p.node.asks.mu.Unlock()
		return len(p.node.asks.waiting) > 0
	})
	published.release()
	p.must(<-reached)
}
