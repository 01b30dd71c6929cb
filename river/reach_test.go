package river

import (
	"context"
	"testing"
)

// TestReachIsOfAll: a node is not at a position while a change below it, which was
// committed late, is still to be read.
func TestReachIsOfAll(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "ann", "bob")
	p.stop()
	ctx := context.WithoutCancel(t.Context())
	tx, err := p.store.Pool().Begin(ctx)
	p.must(err)
	defer func() { _ = tx.Rollback(ctx) }() // after a commit it does nothing
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
