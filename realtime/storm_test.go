package realtime_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// slowRivers take long to open.
type slowRivers struct {
	realtime.Rivers
	takes time.Duration
	deaf  bool // ignores that no socket waits any more
	mu    sync.Mutex
	held  bool
	now   int
	most  int
	order []timeline.UserID
}

// hold has rivers not be opened at all.
func (r *slowRivers) hold() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = true
}

func (r *slowRivers) Watch(ctx context.Context, key river.Key) (realtime.Watch, error) {
	r.mu.Lock()
	takes := r.takes
	if r.held {
		takes = time.Hour
	}
	r.now++
	r.most = max(r.most, r.now)
	r.order = append(r.order, key.Viewer)
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.now--
	}()
	if r.deaf {
		time.Sleep(takes)
		return r.Rivers.Watch(context.WithoutCancel(ctx), key)
	}
	select {
	case <-time.After(takes):
		return r.Rivers.Watch(ctx, key)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestAStormIsServedInOrderAFewAtATime(t *testing.T) {
	rivers := &slowRivers{takes: 100 * time.Millisecond}
	within(t, func(c *realtime.Config) {
		rivers.Rivers, c.Rivers = c.Rivers, rivers
		c.Openings = 8
	}, func(b *bench) {
		const pages = 400
		clients := make([]*client, pages)
		for i := range clients {
			key := homeOf(i)
			b.fill(key, 2)
			session := sessionOf(i)
			clients[i] = b.dial(session)
			clients[i].page = b.visit(key, session, "")
		}
		began := time.Now()
		for _, c := range clients {
			c.write(string(c.page.Sub()))
			synctest.Wait() // let each socket begin to wait before the next one comes
		}
		for i, c := range clients {
			if f := c.next(); f.Type != "hello" {
				t.Fatalf("page %d is told %+v", i, f)
			}
			c.same(homeOf(i))
		}
		if took := time.Since(began); took != pages/8*100*time.Millisecond {
			t.Errorf("it took %v", took)
		}
		if rivers.most != 8 {
			t.Errorf("%d rivers were opened at a time", rivers.most)
		}
		for i, viewer := range rivers.order {
			if int(viewer-1)/8 != i/8 { // eight are let in at the same moment
				t.Fatalf("as number %d came %d", i+1, viewer)
			}
		}
	})
}

// TestAMembersRiverOpensWhileAStrangersSocketsWait: one stranger asks for more rivers than the
// server opens at a time, and each takes long. A member's river still opens at once.
func TestAMembersRiverOpensWhileAStrangersSocketsWait(t *testing.T) {
	rivers := &slowRivers{takes: 10 * time.Second}
	within(t, func(c *realtime.Config) {
		rivers.Rivers, c.Rivers = c.Rivers, rivers
		c.Openings = 4
		c.Client = func(*http.Request) string { return "192.0.2.1/32" }
	}, func(b *bench) {
		for i := range 12 {
			key := river.Key{What: river.KindUser, TheirID: int64(100 + i)}
			b.fill(key, 1)
			b.dial("").write(string(b.visit(key, "", "").Sub()))
		}
		synctest.Wait()
		b.fill(homeOf(0), 1)
		member := b.dial(sessionOf(0))
		began := time.Now()
		member.page = b.visit(homeOf(0), sessionOf(0), "")
		member.write(string(member.page.Sub()))
		if f := member.next(); f.Type != "hello" || time.Since(began) != 10*time.Second {
			t.Errorf("the member is told %+v after %v, though opening takes 10 s", f, time.Since(began))
		}
	})
}

func TestSocketThatWaitsTooLongIsAskedToReconnect(t *testing.T) {
	rivers := &slowRivers{takes: 20 * time.Second, deaf: true}
	within(t, func(c *realtime.Config) {
		rivers.Rivers, c.Rivers = c.Rivers, rivers
		c.Openings = 1
	}, func(b *bench) {
		var clients []*client
		for i := range 4 {
			c := b.dial(sessionOf(i))
			c.page = b.visit(homeOf(i), sessionOf(i), "")
			c.write(string(c.page.Sub()))
			synctest.Wait()
			clients = append(clients, c)
		}
		began := time.Now()
		for _, c := range clients[1:] {
			if code := c.ended(); code != realtime.CodeOverload || time.Since(began) != 15*time.Second {
				t.Errorf("one who waited is closed with %d after %v", code, time.Since(began))
			}
		}
		if f := clients[0].next(); f.Type != "hello" || time.Since(began) != 20*time.Second {
			t.Errorf("the first is told %+v after %v", f, time.Since(began))
		}
	})
}

func TestClientThatLeavesGivesUpItsPlaceInLine(t *testing.T) {
	rivers := &slowRivers{takes: time.Second}
	within(t, func(c *realtime.Config) {
		rivers.Rivers, c.Rivers = c.Rivers, rivers
		c.Openings = 1
	}, func(b *bench) {
		for i := range 10 {
			c := b.dial(sessionOf(i))
			c.write(string(b.visit(homeOf(i), sessionOf(i), "").Sub()))
			synctest.Wait()
			if i < 9 {
				c.conn.CloseNow()
			} else {
				began := time.Now()
				if f := c.next(); f.Type != "hello" || time.Since(began) > time.Second {
					t.Errorf("the last is told %+v after %v", f, time.Since(began))
				}
			}
		}
	})
}

// TestPagesOfOneRiverOpenItOnce: while the published state stays the same, the server does not
// ask the node again.
func TestPagesOfOneRiverOpenItOnce(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		for range 50 {
			b.open(everything, "", "").same(everything)
		}
		if _, opened := b.rivers.Watches(); opened > 2 {
			t.Errorf("the river was opened %d times", opened)
		}
		// After a change, the server asks again.
		b.rivers.Put(everything, fold(9, 1, 9000, "new"))
		b.open(everything, "", "").same(everything)
		if _, opened := b.rivers.Watches(); opened != 3 {
			t.Errorf("the river was opened %d times", opened)
		}
		b.rivers.Deny(everything, timeline.ErrForbidden)
		c := b.dial("")
		c.write(string(b.visit(everything, "", "").Sub()))
		if code := c.ended(); code != realtime.CodeForbidden {
			t.Errorf("closed with %d", code)
		}
	})
}
