package realtime_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// TestAFrameThatWasComposedIsNotSentOnceTheNodeShowsNothing: the frame was made
// for one page and would be right for the others, for nothing new was published.
func TestAFrameThatWasComposedIsNotSentOnceTheNodeShowsNothing(t *testing.T) {
	for _, tt := range []struct {
		name string
		take func(*livetest.Rivers)
	}{
		{"sealed", func(r *livetest.Rivers) { r.Seal(river.ErrBehind) }},
		{"may not be opened any more", func(r *livetest.Rivers) {
			r.Seal(river.ErrGone)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			within(t, nil, func(b *bench) {
				b.fill(everything, 3)
				seen, hidden, late := b.open(everything, "", ""), b.open(everything, "", ""), b.open(everything, "", "")
				hidden.write(`{"type":"vis","hidden":true}`)
				late.write(`{"type":"vis","hidden":true}`)
				time.Sleep(time.Second)
				b.rivers.Put(everything, fold(9, 1, 9000, "a secret"))
				if f := seen.nextPatch(); len(f.Ops) != 1 {
					t.Errorf("got %+v", f)
				}
				synctest.Wait()
				tt.take(b.rivers)
				late.write(`{"type":"vis","hidden":false}`) // asks by itself
				for _, c := range []*client{late, hidden} { // the hidden page gets its frame later
					if code := c.ended(); code != realtime.CodeBehind {
						t.Errorf("closed with %d", code)
					}
				}
				b.rivers.Seal(nil)
				b.open(everything, "", "").same(everything)
			})
		})
	}
}

// TestRightTakenAwayDuringARoundHoldsForLaterSockets revokes a right while a round sends a
// frame: sockets without the frame get one composed after the loss.
func TestRightTakenAwayDuringARoundHoldsForLaterSockets(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		clients := make([]*client, 30)
		for i := range clients {
			clients[i] = b.open(everything, "", "")
		}
		blocked := b.open(everything, "", "") // reads nothing for a while
		time.Sleep(time.Second)
		b.rivers.Put(everything, fold(8, 1, 8000, "blocks the one who does not read"))
		for _, c := range clients {
			c.nextPatch()
		}
		time.Sleep(time.Second)
		b.rivers.Put(everything, fold(9, 1, 9000, "a secret"))
		for _, c := range clients {
			c.nextPatch()
		}
		b.rivers.Remove(everything, 9)
		time.Sleep(time.Second)
		blocked.next()
		for blocked.page.Counter < 5 {
			data, err := liveclient.Read(b.Context(), blocked.conn)
			if err != nil || strings.Contains(string(data), "a secret") {
				t.Fatalf("%s, %v", data, err)
			}
			if _, _, err := blocked.page.Take(data); err != nil {
				t.Fatal(err)
			}
		}
		blocked.same(everything)
	})
}

// TestLogoutMeetsASocketAnywhere ends a session at each moment of a socket's life: from then on
// the socket gets nothing except the closing code for a signed-out session.
func TestLogoutMeetsASocketAnywhere(t *testing.T) {
	const session = "7-mine"
	open := func(b *bench) *client {
		c := b.dial(session)
		c.page = b.visit(home, session, "")
		return c
	}
	t.Run("while it is upgraded", func(t *testing.T) {
		var ends func()
		within(t, func(c *realtime.Config) {
			c.Client = func(*http.Request) string { // the viewer is known by then
				ends()
				return ""
			}
		}, func(b *bench) {
			ends = func() { b.server.Ended([]byte(session)) }
			b.fill(home, 3)
			if code := b.dial(session).ended(); code != realtime.CodeSignedOut {
				t.Errorf("closed with %d", code)
			}
		})
	})
	t.Run("before it asks for anything", func(t *testing.T) {
		within(t, nil, func(b *bench) {
			b.fill(home, 3)
			c := open(b)
			b.server.Ended([]byte(session))
			if code := c.ended(); code != realtime.CodeSignedOut {
				t.Errorf("closed with %d", code)
			}
		})
	})
	t.Run("while its river is found", func(t *testing.T) {
		var ends atomic.Pointer[func()]
		within(t, func(c *realtime.Config) {
			resolve := c.Resolve
			c.Resolve = func(ctx context.Context, viewer timeline.UserID, page string, is func(river.Key) bool) (river.Key, river.At, error) {
				(*ends.Load())()
				return resolve(ctx, viewer, page, is)
			}
		}, func(b *bench) {
			f := func() { b.server.Ended([]byte(session)) }
			ends.Store(&f)
			b.fill(home, 3)
			c := open(b)
			c.write(string(c.page.Sub()))
			c.endedUntold(realtime.CodeSignedOut)
		})
	})
	t.Run("while its river is opened", func(t *testing.T) {
		rivers := &slowRivers{takes: time.Second}
		within(t, func(c *realtime.Config) { rivers.Rivers, c.Rivers = c.Rivers, rivers }, func(b *bench) {
			b.fill(home, 3)
			c := open(b)
			c.write(string(c.page.Sub()))
			time.Sleep(500 * time.Millisecond)
			began := time.Now()
			b.server.Ended([]byte(session))
			c.endedUntold(realtime.CodeSignedOut)
			if time.Since(began) > 0 {
				t.Errorf("after %v", time.Since(began))
			}
		})
	})
	t.Run("while it is written to", func(t *testing.T) {
		within(t, nil, func(b *bench) {
			b.fill(home, 3)
			c := b.open(home, session, "")
			synctest.Wait()
			b.rivers.Put(home, fold(8, 1, 8000, "on its way"))
			synctest.Wait()
			b.server.Ended([]byte(session))
			b.rivers.Put(home, fold(9, 1, 9000, "a secret"))
			time.Sleep(time.Second)
			if f := c.next(); f.Type != "patch" || len(f.Ops) != 1 || f.Ops[0].Post != 8 {
				t.Errorf("what was on its way is %+v", f)
			}
			c.endedUntold(realtime.CodeSignedOut)
		})
	})
	t.Run("while it reads nothing", func(t *testing.T) {
		within(t, nil, func(b *bench) {
			b.fill(home, 3)
			b.open(home, session, "")
			synctest.Wait()
			b.rivers.Put(home, fold(8, 1, 8000, "on its way"))
			synctest.Wait()
			b.server.Ended([]byte(session))
			time.Sleep(4 * time.Second)
			if s := b.server.Stats(); s.Sockets != 0 || s.Dropped != 1 {
				t.Errorf("%d sockets, %d cut", s.Sockets, s.Dropped)
			}
		})
	})
}
