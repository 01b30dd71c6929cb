package realtime_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
)

func TestDrainRefusesNewSocketsAndKeepsOpenOnes(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		b.server.Drain()
		if _, answer, err := b.net.Dial(b.Context(), nil); err == nil || answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
			t.Errorf("a socket: %v %+v", err, answer)
		}
		if status, body := b.poll(c.page.River, c.page.Path, "", ""); status != http.StatusServiceUnavailable {
			t.Errorf("a poll: %d %s", status, body)
		}
		if n := b.server.Stats().Refused["draining"]; n != 1 {
			t.Errorf("%d upgrades were refused", n)
		}
		b.rivers.Put(everything, fold(9, 1, 9000, "still served"))
		c.nextPatch()
		c.same(everything)
	})
}

func TestCloseSendsGoodbyesInBatches(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		const pages = 1000
		ends := make([]time.Duration, pages)
		var began time.Time
		var all sync.WaitGroup
		for i := range pages {
			c := b.open(everything, "", "")
			all.Go(func() {
				bye := false
				for {
					if _, _, err := c.conn.Read(b.Context()); err != nil {
						if code := websocket.CloseStatus(err); code != realtime.CodeRestart || !bye {
							t.Errorf("closed with %d (bye: %v)", code, bye)
						}
						ends[i] = time.Since(began)
						return
					}
					bye = true
				}
			})
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(b.Context(), 2*time.Second)
		defer cancel()
		began = time.Now()
		if err := b.server.Close(ctx); err != nil {
			t.Error(err)
		}
		all.Wait()
		early, late := 0, time.Duration(0)
		for _, end := range ends {
			late = max(late, end)
			if end < 100*time.Millisecond {
				early++
			}
		}
		if early > pages/5 || late < 800*time.Millisecond || late > time.Second {
			t.Errorf("%d of %d were told at once, and the last after %v", early, pages, late)
		}
	})
}

func TestAFewAreNotKeptWaiting(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		for range 10 {
			b.open(everything, "", "").readOn()
		}
		began := time.Now()
		if err := b.server.Close(b.Context()); err != nil || time.Since(began) > 0 {
			t.Errorf("ten pages were closed after %v: %v", time.Since(began), err)
		}
	})
}

// TestCloseEndsInTimeWithPagesThatReadNothing closes a server with pages that read nothing, a
// page in the middle of its upgrade, and a page that waits until its river opens.
func TestCloseEndsInTimeWithPagesThatReadNothing(t *testing.T) {
	opening := &slowRivers{}
	within(t, func(c *realtime.Config) {
		c.CloseWithin, c.WriteWithin = time.Hour, time.Hour
		opening.Rivers = c.Rivers
		c.Rivers = opening
	}, func(b *bench) {
		b.fill(everything, 3)
		b.open(everything, "", "")
		half, err := b.net.Connect(b.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer half.Close()
		go func() { // and reads no answer
			_, _ = half.Write([]byte(upgrade + "\r\n"))
		}()
		opening.hold()
		c := b.dial("7")
		c.write(string(b.visit(home, "7", "").Sub()))
		synctest.Wait()
		if n := b.server.Stats().Sockets; n != 3 {
			t.Fatalf("%d sockets", n)
		}
		ctx, cancel := context.WithTimeout(b.Context(), 4*time.Second)
		defer cancel()
		if err := b.server.Close(ctx); err == nil || ctx.Err() != nil {
			t.Errorf("closed with %v, and the context has ended: %v", err, ctx.Err())
		}
	})
}
