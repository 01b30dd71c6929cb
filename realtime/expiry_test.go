package realtime_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
)

// TestSocketsAndListenersEndWithTheirToken checks that the socket and the listener of a token end at
// the moment at which the token expires, and no others.
func TestSocketsAndListenersEndWithTheirToken(t *testing.T) {
	within(t, nil, func(b *bench) {
		home := river.Key{Viewer: 7, What: river.KindHome, TheirID: 7}
		b.fill(home, 3)
		short, long := b.open(home, "7-bot-for-5s", ""), b.open(home, "7-bot-for-1h", "")
		changed := make(chan struct{}, 1)
		l, err := b.server.Listen(context.Background(), realtime.Listening{
			Key: home, Credential: []byte("7-ear"), Expires: time.Now().Add(5 * time.Second),
		}, func() { changed <- struct{}{} })
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if sockets := b.server.Stats().Sockets; sockets != 2 {
			t.Errorf("%d sockets are open a second before one token ends, want 2", sockets)
		}
		if _, err := l.Fetch(); err != nil {
			t.Errorf("a listener before its token ends: %v", err)
		}
		time.Sleep(time.Second)
		if code := short.ended(); code != realtime.CodeSignedOut {
			t.Errorf("the socket of an expired token is closed with %d, want %d", code, realtime.CodeSignedOut)
		}
		<-changed
		if _, err := l.Fetch(); !endedWith(err, int(realtime.CodeSignedOut)) {
			t.Errorf("the listener of an expired token: %v", err)
		}
		b.rivers.Put(home, fold(9, 1, 9000, "new"))
		long.nextPatch()
	})
}

func endedWith(err error, code int) bool {
	ended, is := errors.AsType[*realtime.EndError](err)
	return is && int(ended.Code) == code
}
