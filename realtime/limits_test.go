package realtime_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/realtime"
)

func TestAFloodOfPingsClosesTheSocket(t *testing.T) {
	within(t, nil, func(b *bench) {
		c := b.dial("")
		go func() {
			for {
				ctx, cancel := context.WithTimeout(b.Context(), time.Second)
				err := c.conn.Ping(ctx)
				cancel()
				if err != nil {
					return
				}
			}
		}()
		if code := c.ended(); code != realtime.CodeBad {
			t.Errorf("closed with %d", code)
		}
	})
}

func TestAPingNowAndThenIsAnswered(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		c.readOn()
		for range 30 {
			time.Sleep(time.Second)
			if err := c.conn.Ping(b.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestAFrameThatDoesNotEndEndsTheSocket(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		r := &rogue{bench: b, did: counts{}}
		r.connect("")
		began := time.Now()
		r.send([]byte{0x81, 0x80 | 126, 0x10, 0, 0, 0, 0, 0, '{'})
		for {
			if _, _, err := r.frame(); err != nil {
				break
			}
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("it was waited for for %v", took)
		}
		synctest.Wait()
		if n := b.server.Stats().Sockets; n != 0 {
			t.Errorf("%d sockets", n)
		}
	})
}

// TestABlockedUpgradeEnds: the server soon ends the connection of a client that does not read the
// answer to its upgrade.
func TestABlockedUpgradeEnds(t *testing.T) {
	within(t, nil, func(b *bench) {
		conn, err := b.net.Connect(b.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		r := &rogue{bench: b, conn: conn}
		r.send([]byte(upgrade + "\r\n"))
		time.Sleep(30 * time.Second)
		synctest.Wait()
		if n := b.server.Stats().Sockets; n != 0 {
			t.Errorf("%d sockets", n)
		}
	})
}

func TestStatsSayWhatHappened(t *testing.T) {
	rounds := 0
	within(t, func(c *realtime.Config) {
		c.Wrote = func(sockets int, took time.Duration) {
			if sockets > 0 {
				rounds++
			}
		}
	}, func(b *bench) {
		b.fill(everything, 3)
		c, d := b.open(everything, "", ""), b.open(everything, "", "")
		c.write(`{"type":"vis","hidden":true}`)
		synctest.Wait()
		if s := b.server.Stats(); s.Sockets != 2 || s.Hidden != 1 || s.Hubs != 1 || s.Subs != 2 {
			t.Errorf("%+v", s)
		}
		b.rivers.Put(everything, fold(9, 1, 9000, "new"))
		d.nextPatch()
		c.nextPatch()
		synctest.Wait()
		if s := b.server.Stats(); s.Rounds != int64(rounds) || rounds != 2 || s.Shared != 1 {
			t.Errorf("%d rounds; %+v", rounds, s)
		}
		d.write("nonsense")
		if code := d.ended(); code != realtime.CodeBad {
			t.Errorf("closed with %d", code)
		}
		if _, answer, err := b.net.Dial(b.Context(), http.Header{"Cookie": {"session=7-s"}, "Origin": {"http://evil.test"}}); err == nil || answer.StatusCode != 403 {
			t.Errorf("%v", err)
		}
		if answer, err := b.net.HTTP().Get("http://site.test/live"); err != nil || answer.StatusCode != http.StatusUpgradeRequired {
			t.Errorf("%v", err)
		} else {
			answer.Body.Close()
		}
		c.conn.CloseNow()
		synctest.Wait()
		s := b.server.Stats()
		if s.Hidden != 0 || s.Closed[int(realtime.CodeBad)] != 1 || s.Refused["origin"] != 1 || s.Refused["upgrade"] != 1 || s.Dropped != 0 {
			t.Errorf("%+v", s)
		}
	})
}
