package turnstile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestClientsWaitInLinesThatTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := New(Config{Slots: 1, Waiting: 100})
		first, err := gate.Enter(t.Context(), "first")
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, client := range []string{"many", "many", "many", "many", "one", "two", "two"} {
			go func() {
				leave, err := gate.Enter(t.Context(), client)
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, client) // one at a time
				leave()
			}()
			synctest.Wait()
		}
		first()
		synctest.Wait()
		if want := []string{"many", "one", "two", "many", "two", "many", "many"}; !slices.Equal(order, want) {
			t.Errorf("admitted were %q, want %q", order, want)
		}
		if gate.free != 1 || len(gate.lines)+len(gate.queue) != 0 {
			t.Errorf("in the end %d slots are free, and %d lines are left", gate.free, len(gate.lines))
		}
	})
}

func TestSlot_AfterARead_RestsForAMultipleOfItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := New(Config{Slots: 2, Each: 1, Waiting: 100, Rest: 3})
		began := time.Now()
		var admitted []time.Duration
		for range 3 {
			go func() {
				leave, err := gate.Enter(t.Context(), "one")
				if err != nil {
					t.Error(err)
					return
				}
				admitted = append(admitted, time.Since(began)) // one at a time
				time.Sleep(time.Second)
				leave()
			}()
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		// The second takes the free slot, the third the slot that rested until then.
		if want := []time.Duration{0, time.Second, 4 * time.Second}; !slices.Equal(admitted, want) {
			t.Errorf("reads were admitted after %v, want %v", admitted, want)
		}
		gate.mu.Lock()
		defer gate.mu.Unlock()
		if gate.free != 2 || len(gate.lines)+len(gate.queue) != 0 {
			t.Errorf("in the end %d slots are free, and %d lines are left", gate.free, len(gate.lines))
		}
	})
}

func TestClientRunsNoMoreThanItsShareAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := New(Config{Slots: 3, Each: 2, Waiting: 100})
		var running, most atomic.Int64
		release := make(chan struct{})
		for range 6 {
			go func() {
				leave, err := gate.Enter(t.Context(), "many")
				if err != nil {
					t.Error(err)
					return
				}
				if n := running.Add(1); n > most.Load() {
					most.Store(n)
				}
				<-release
				running.Add(-1)
				leave()
			}()
		}
		synctest.Wait()
		if leave, err := gate.Enter(t.Context(), "one"); err != nil || running.Load() != 2 {
			t.Errorf("beside %d reads of another client, one is admitted with %v", running.Load(), err)
		} else {
			leave()
		}
		synctest.Wait()
		close(release)
		synctest.Wait()
		if most.Load() != 2 || gate.free != 3 || len(gate.lines) != 0 {
			t.Errorf("%d ran at once, want 2; %d slots are free, want 3", most.Load(), gate.free)
		}
	})
}

func TestReadThatIsGivenUpLeavesItsLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := New(Config{Slots: 1, Waiting: 1, Patience: time.Minute})
		leave, err := gate.Enter(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { _, err := gate.Enter(ctx, "one"); ended <- err }()
		synctest.Wait()
		if _, err := gate.Enter(t.Context(), "one"); !errors.Is(err, ErrCrowded) {
			t.Errorf("one more than may wait: %v, want %v", err, ErrCrowded)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		if gate.Waiting("one") != 0 || len(gate.queue) != 0 {
			t.Error("what was cancelled waits on")
		}
		if _, err := gate.Enter(t.Context(), "one"); !errors.Is(err, ErrBusy) {
			t.Errorf("after a minute: %v, want %v", err, ErrBusy)
		}
		leave()
		leave() // twice is once
		if again, err := gate.Enter(t.Context(), "two"); err != nil || gate.free != 0 {
			t.Errorf("then: %v, with %d slots free", err, gate.free)
		} else {
			again()
		}
		if gate.free != 1 || len(gate.lines)+len(gate.queue) != 0 {
			t.Errorf("in the end %d slots are free, and %d lines are left", gate.free, len(gate.lines))
		}
	})
}

// TestNoSlotIsLostByCancellation admits, cancels and times out callers at the same moment,
// and counts the slots afterwards.
func TestNoSlotIsLostByCancellation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := New(Config{Slots: 2, Waiting: 5, Patience: 3 * time.Millisecond})
		for i := range 400 {
			go func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%5+1)*time.Millisecond)
				defer cancel()
				leave, err := gate.Enter(ctx, fmt.Sprint(i%7))
				if err == nil {
					time.Sleep(time.Duration(i%3) * time.Millisecond)
					leave()
				}
			}()
			if i%9 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if gate.free != 2 || len(gate.lines)+len(gate.queue) != 0 {
			t.Errorf("in the end %d slots are free, want 2, and %d lines are left", gate.free, len(gate.lines))
		}
	})
}

// TestTotalBoundsReadsThatWait: a client may come from many networks, each with a line of
// its own, so a bound for each line is not enough.
func TestTotalBoundsReadsThatWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate := New(Config{Slots: 1, Waiting: 10, Total: 3})
		leave, err := gate.Enter(t.Context(), "first")
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 5)
		for client := range 5 {
			go func() {
				leave, err := gate.Enter(t.Context(), fmt.Sprint(client))
				if err == nil {
					leave()
				}
				ended <- err
			}()
		}
		synctest.Wait()
		refused := len(ended)
		for range refused {
			if err := <-ended; !errors.Is(err, ErrBusy) {
				t.Errorf("one more than may wait: %v, want %v", err, ErrBusy)
			}
		}
		if refused != 2 || len(gate.lines) != 4 {
			t.Errorf("%d of 5 are refused, want 2; %d lines, want 4", refused, len(gate.lines))
		}
		leave()
		for range 3 {
			if err := <-ended; err != nil {
				t.Errorf("one that waited: %v", err)
			}
		}
		if gate.free != 1 || gate.wait != 0 || len(gate.lines)+len(gate.queue) != 0 {
			t.Errorf("in the end %d slots are free, %d reads wait, and %d lines are left", gate.free, gate.wait, len(gate.lines))
		}
	})
}
