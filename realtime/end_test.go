package realtime_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

func TestAnEndedSessionLosesItsSocketsOnly(t *testing.T) {
	within(t, nil, func(b *bench) {
		home := river.Key{Viewer: 7, What: river.KindHome, TheirID: 7}
		b.fill(home, 3)
		first, second := b.open(home, "7-first", ""), b.open(home, "7-second", "")
		anonymous := b.open(everything, "", "")
		b.server.Ended([]byte("7-first"))
		sameMoment := b.dial("7-first")
		b.rivers.Put(home, fold(9, 1, 9000, "secret"))
		if code := first.ended(); code != realtime.CodeSignedOut {
			t.Errorf("closed with %d", code)
		}
		second.nextPatch()
		second.same(home)
		anonymous.silent(time.Second)
		if code := sameMoment.ended(); code != realtime.CodeSignedOut {
			t.Errorf("a socket that was asked for at the moment of the end closed with %d", code)
		}
		// As after a suspension that is over: the session is valid again.
		b.open(home, "7-first", "").same(home)
		if _, err := b.server.Listen(b.Context(), realtime.Listening{Key: home, Credential: []byte("7-first"), Began: time.Now()}, func() {}); err != nil {
			t.Errorf("a listener of a session that is valid again: %v", err)
		}
		if code := b.dial("7-x-ended").ended(); code != realtime.CodeSignedOut {
			t.Errorf("a socket of a session that is no more closed with %d", code)
		}
	})
}

func TestPageIsClosedWhenItsRightIsTakenAway(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		clients := []*client{b.open(everything, "", ""), b.open(everything, "", ""), b.open(everything, "", "")}
		_, before := b.rivers.Watches()
		b.rivers.Deny(everything, timeline.ErrForbidden)
		for _, c := range clients {
			if code := c.ended(); code != realtime.CodeForbidden {
				t.Errorf("closed with %d", code)
			}
		}
		if _, after := b.rivers.Watches(); after != before {
			t.Errorf("opened %d times more", after-before)
		}
		b.rivers.Deny(everything, nil)
		b.fill(everything, 3)
		b.open(everything, "", "").same(everything)
	})
}

func TestAHubGoesWithItsLastSocket(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c, d := b.open(everything, "", ""), b.open(everything, "", "")
		if open, _ := b.rivers.Watches(); open != 1 {
			t.Errorf("%d watches for two sockets", open)
		}
		c.conn.CloseNow()
		synctest.Wait()
		b.rivers.Put(everything, fold(9, 1, 9000, "new"))
		d.nextPatch()
		d.conn.CloseNow()
		synctest.Wait()
		if open, _ := b.rivers.Watches(); open != 0 {
			t.Errorf("%d watches for no socket", open)
		}
		if s := b.server.Stats(); s.Hubs != 0 || s.Sockets != 0 {
			t.Errorf("left over: %+v", s)
		}
		e := b.open(everything, "", "")
		b.rivers.Put(everything, fold(9, 2, 9000, "again"))
		e.nextPatch()
		e.same(everything)
	})
}

func TestRestartSaysGoodbye(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		closed := make(chan error)
		go func() { closed <- b.server.Close(b.Context()) }()
		if f := c.next(); f.Type != "bye" || f.WithinMS != 5000 {
			t.Errorf("got %+v", f)
		}
		if code := c.ended(); code != realtime.CodeRestart {
			t.Errorf("closed with %d", code)
		}
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if _, answer, err := b.net.Dial(b.Context(), nil); err == nil || answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
			t.Errorf("a socket after the end: %v %+v", err, answer)
		}
	})
}

func TestCloseCutsPagesThatDoNotGo(t *testing.T) {
	within(t, func(c *realtime.Config) { c.CloseWithin = time.Hour }, func(b *bench) {
		b.fill(everything, 3)
		b.open(everything, "", "") // reads nothing more, not even the end
		ctx, cancel := context.WithTimeout(b.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := b.server.Close(ctx); err == nil || time.Since(began) > 2*time.Second {
			t.Errorf("closed after %v: %v", time.Since(began), err)
		}
	})
}

func TestANodeFarBehindClosesItsSockets(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		b.rivers.SetAge(29 * time.Second)
		b.rivers.Put(everything, fold(9, 1, 9000, "late, but not too late"))
		c.nextPatch()
		b.rivers.SetAge(31 * time.Second)
		if code := c.ended(); code != realtime.CodeBehind {
			t.Errorf("closed with %d", code)
		}
	})
}

func TestShed(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		b.server.Shed()
		if code := c.ended(); code != realtime.CodeOverload {
			t.Errorf("closed with %d", code)
		}
		b.open(everything, "", "").same(everything)
	})
}

func TestStuckSocketDelaysNoOtherSocket(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		stuck := b.open(everything, "", "")
		c := b.open(everything, "", "")
		for i := range 20 {
			b.rivers.Put(everything, fold(1, 2+i, 1000, fmt.Sprintf("state %d", i)))
			began := time.Now()
			c.nextPatch()
			if d := time.Since(began); d != 0 {
				t.Errorf("change %d came after %v", i, d)
			}
			time.Sleep(time.Second)
		}
		c.same(everything)
		if s := b.server.Stats(); s.Sockets != 1 {
			t.Errorf("the stuck socket is held: %d sockets after 20 s", s.Sockets)
		}
		stuck.conn.CloseNow()
	})
}

func TestASlowSocketGetsOneMergedPatch(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 5)
		slow := b.open(everything, "", "")
		synctest.Wait()
		for i := range 1000 {
			b.rivers.Put(everything, fold(timeline.PostID(1+i%3), 2+i, int64(1000*(1+i%3)), fmt.Sprintf("state %d", i)))
			time.Sleep(2 * time.Millisecond)
		}
		frames := 0
		for slow.page.Counter < 1002 {
			if f := slow.next(); f.Type == "patch" {
				frames++
			}
		}
		if frames > 2 {
			t.Errorf("%d patches for a page that did not read, want 2 (one was begun)", frames)
		}
		slow.same(everything)
	})
}

func TestASocketTooSlowIsClosed(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 5)
		slow := b.open(everything, "", "")
		synctest.Wait()
		b.rivers.Put(everything, fold(1, 2, 1000, "changed"))
		time.Sleep(6 * time.Second)
		slow.next() // the frame that was being written
		for {
			_, _, err := slow.conn.Read(b.Context())
			if err == nil {
				continue
			}
			if code := websocket.CloseStatus(err); code != realtime.CodeSlow {
				t.Errorf("closed with %d", code)
			}
			return
		}
	})
}
