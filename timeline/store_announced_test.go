package timeline_test

import (
	"context"
	"math"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestAnnouncedPositionIsTheEndOfTheLog: the first call has no position, because changes may have come before. Each run
// of the sequencer that moves changes announces how far the log goes.
func TestAnnouncedPositionIsTheEndOfTheLog(t *testing.T) {
	t.Parallel()
	store := timeline.New(pgtest.New(t), timeline.Options{Argon: pgtest.Argon})
	ctx, stop := context.WithCancel(t.Context())
	told, done := make(chan int64, 16), make(chan struct{})
	go func() {
		defer close(done)
		store.Announced(ctx, func(position int64) { told <- position })
	}()
	defer func() {
		stop()
		<-done
	}()
	if first := <-told; first != math.MaxInt64 {
		t.Errorf("the first position is %d", first)
	}
	who, err := store.SignUp(ctx, timeline.NewUser{Name: "bob", Email: "bob@example.org", Password: "correct horse"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := store.CreatePost(ctx, who, timeline.NewPost{To: []string{"user"}, Text: "hoi"}); err != nil {
			t.Fatal(err)
		}
		head, err := store.Sequence(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if position := <-told; position != head || head == 0 {
			t.Errorf("told of position %d, the log goes to %d", position, head)
		}
	}
}
