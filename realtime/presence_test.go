package realtime_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// TestPagesOfAPostAreToldHowManyAreThere counts a person once, however many pages
// they have open, and each page that is not signed in.
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
		visitor := b.open(theirs, "", "")
		told(mine, 2)
		told(other, 2)
		told(visitor, 2)
		more := b.open(theirs, "", "")
		told(visitor, 3)
		told(mine, 3)
		elsewhere := b.open(river.Key{What: river.KindPost, TheirID: 2}, "", "")
		told(elsewhere, 1)
		more.conn.CloseNow()
		told(mine, 2)
		on.Store(false)
		told(mine, 0)
		told(elsewhere, 0)
		on.Store(true)
		visitor.conn.CloseNow()
		told(mine, 1)
	})
}

// TestPresenceIsToldNowAndThen: pages are not written to for each arrival.
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
					data, err := liveclient.Read(b.Context(), c.conn)
					if err != nil {
						return
					}
					var f liveclient.Frame
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

// An audience are people with the page of one post open. The model's river of
// a visitor without an account has viewer 0.
type audience struct {
	*bench
	pages map[timeline.UserID]*hearer
}

// A hearer keeps the counts of presence sent to a page.
type hearer struct {
	*client
	mu     sync.Mutex
	counts []int
	ended  websocket.StatusCode
}

func (a audience) key(who timeline.UserID) river.Key {
	return river.Key{Viewer: who, What: river.KindPost, TheirID: 1}
}

// comes opens the page for each of them.
func (a audience) comes(people ...timeline.UserID) {
	a.Helper()
	for _, who := range people {
		a.fill(a.key(who), 1)
		session := ""
		if who != 0 {
			session = strconv.FormatInt(int64(who), 10)
		}
		h := &hearer{client: a.open(a.key(who), session, "")}
		if h.page.Present != 0 {
			h.counts = append(h.counts, h.page.Present)
		}
		a.pages[who] = h
		go h.listen()
	}
}

func (h *hearer) listen() {
	for {
		data, err := liveclient.Read(h.Context(), h.conn)
		h.mu.Lock()
		var f liveclient.Frame
		switch {
		case err != nil:
			h.ended = websocket.CloseStatus(err)
		case json.Unmarshal(data, &f) == nil && f.Type == "present":
			h.counts = append(h.counts, f.Count)
		}
		h.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// wantCounts fails the test unless, since its last call and until a while from now, pages were
// sent these counts in this order.
func (a audience) wantCounts(after time.Duration, want map[timeline.UserID][]int) {
	a.Helper()
	time.Sleep(after)
	synctest.Wait()
	for who, h := range a.pages {
		h.mu.Lock()
		if !slices.Equal(h.counts, want[who]) {
			a.Errorf("%d was told %v, want %v", who, h.counts, want[who])
		}
		h.counts = nil
		h.mu.Unlock()
	}
}

func inAudience(t *testing.T, test func(audience)) {
	t.Helper()
	within(t, func(c *realtime.Config) { c.Presence = func() bool { return true } }, func(b *bench) {
		test(audience{b, map[timeline.UserID]*hearer{}})
	})
}

// A heard has the counts sent to each person, in order.
type heard = map[timeline.UserID][]int

// TestPresenceAcrossABanCountsNeither makes and lifts a ban between two people
// with a page open: the two are not told of each other, all others are told of both.
func TestPresenceAcrossABanCountsNeither(t *testing.T) {
	inAudience(t, func(a audience) {
		a.rivers.SetBan(7, 8, true)
		a.comes(0, 7, 8, 9)
		a.wantCounts(20*time.Second, heard{0: {4}, 7: {3}, 8: {3}, 9: {4}})
		a.rivers.SetBan(7, 8, false)
		a.wantCounts(time.Second, heard{7: {4}, 8: {4}})
		a.rivers.SetBan(9, 7, true)
		a.rivers.SetBan(9, 8, true)
		a.wantCounts(time.Second, heard{7: {3}, 8: {3}, 9: {2}})
		a.pages[8].conn.CloseNow()
		delete(a.pages, 8)
		a.wantCounts(20*time.Second, heard{0: {3}, 7: {2}})
	})
}

// TestPresenceAcrossABanIsNotToldByItsDelay has one person come just before another. Readers who
// may not know of the first person get the count with the second as if the first had not come.
func TestPresenceAcrossABanIsNotToldByItsDelay(t *testing.T) {
	inAudience(t, func(a audience) {
		a.rivers.SetBan(7, 8, true)
		a.comes(6, 7)
		a.wantCounts(20*time.Second, heard{6: {2}, 7: {2}})
		a.comes(8)
		a.wantCounts(time.Second, heard{6: {3}, 8: {2}})
		a.comes(9)
		a.wantCounts(time.Second, heard{7: {3}, 9: {4}})
		a.wantCounts(10*time.Second, heard{6: {4}, 8: {3}})
	})
}

// TestHelloAfterABanDoesNotCountAcrossIt opens another page before presence was
// counted again.
func TestHelloAfterABanDoesNotCountAcrossIt(t *testing.T) {
	inAudience(t, func(a audience) {
		a.comes(7, 8)
		a.wantCounts(20*time.Second, heard{7: {2}, 8: {2}})
		a.rivers.SetBan(7, 8, true)
		c := a.open(a.key(8), "8", "")
		if c.page.Present != 0 {
			t.Errorf("the hello says %d", c.page.Present)
		}
		for c.page.Present == 0 {
			c.next()
		}
		if c.page.Present != 1 {
			t.Errorf("told of %d, want 1", c.page.Present)
		}
		a.wantCounts(0, heard{7: {1}, 8: {1}})
	})
}

// TestPresenceCountsReadersOfThePostOnly takes the right to a post from two
// readers with open pages. The first page reads its socket, and gets only the end. The
// connection of the second lasts for some time more; the page is not counted in that time.
func TestPresenceCountsReadersOfThePostOnly(t *testing.T) {
	within(t, func(c *realtime.Config) {
		c.Presence = func() bool { return true }
		c.WriteWithin, c.Slow, c.CloseWithin = time.Minute, time.Minute, time.Minute
	}, func(b *bench) {
		a := audience{b, map[timeline.UserID]*hearer{}}
		a.comes(7, 8, 0)
		a.wantCounts(20*time.Second, heard{0: {3}, 7: {3}, 8: {3}})
		a.fill(a.key(9), 1)
		a.open(a.key(9), "9", "") // and reads nothing any more
		a.wantCounts(time.Second, heard{0: {4}, 7: {4}, 8: {4}})
		a.rivers.Deny(a.key(8), timeline.ErrNotFound)
		a.rivers.Deny(a.key(9), timeline.ErrNotFound)
		a.wantCounts(10*time.Second, heard{0: {2}, 7: {2}})
		if code := a.pages[8].ended; code != realtime.CodeForbidden {
			t.Errorf("closed with %d", code)
		}
	})
}
