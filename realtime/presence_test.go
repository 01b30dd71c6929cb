package realtime_test

import (
	"encoding/json"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/internal/livetest"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
)

// TestPagesOfAPostAreToldHowManyAreThere counts a person once, however many pages
// he has open, and everybody who is not signed in.
func TestPagesOfAPostAreToldHowManyAreThere(t *testing.T) {
	var on atomic.Bool
	on.Store(true)
	within(t, func(c *realtime.Config) { c.Presence = on.Load }, func(b *bench) {
		mineKey := river.Key{Viewer: home.Viewer, What: river.KindPost, TheirID: 1}
		theirs := river.Key{What: river.KindPost, TheirID: 1}
		b.fill(mineKey, 1)
		b.fill(theirs, 1)
		told := func(c *client, want int) {
			b.Helper()
			began := time.Now()
			for c.page.Present != want {
				if f := c.next(); f.Type != "present" && f.Type != "beat" {
					b.Errorf("there came %+v", f)
				}
				if time.Since(began) > 20*time.Second {
					b.Fatalf("it is told of %d, want %d", c.page.Present, want)
				}
			}
		}
		mine := b.open(mineKey, "7", "")
		told(mine, 1)
		other := b.open(mineKey, "7", "") // another tab
		nobody := b.open(theirs, "", "")
		told(mine, 2)
		told(other, 2)
		told(nobody, 2)
		more := b.open(theirs, "", "")
		told(nobody, 3)
		told(mine, 3)
		elsewhere := b.open(river.Key{What: river.KindPost, TheirID: 2}, "", "")
		told(elsewhere, 1)
		more.conn.CloseNow()
		told(mine, 2)
		on.Store(false)
		told(mine, 0)
		told(elsewhere, 0)
		on.Store(true)
		nobody.conn.CloseNow()
		told(mine, 1)
	})
}

// TestPresenceIsToldNowAndThen: pages are not written to for each who comes.
func TestPresenceIsToldNowAndThen(t *testing.T) {
	within(t, func(c *realtime.Config) { c.Presence = func() bool { return true } }, func(b *bench) {
		key := river.Key{What: river.KindPost, TheirID: 1}
		b.fill(key, 1)
		frames, last := 0, 0
		began := time.Now()
		for i := range 50 {
			c := b.open(key, "", "")
			go func() {
				for {
					data, err := livetest.Read(b.Context(), c.conn)
					if err != nil {
						return
					}
					var f livetest.Frame
					if json.Unmarshal(data, &f) == nil && f.Type == "present" && i == 0 {
						frames++
						last = f.Count
					}
				}
			}()
			time.Sleep(200 * time.Millisecond)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if most := int(time.Since(began)/(5*time.Second)) + 1; frames > most || frames < 3 || last != 50 {
			b.Errorf("%d frames in %v, the last of %d", frames, time.Since(began), last)
		}
	})
}
