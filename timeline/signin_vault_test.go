package timeline

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/alexedwards/argon2id"
)

// newTestVault returns a vault with one slot and cheap hashes.
func newTestVault() *vault {
	v := newVault(&argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 8, KeyLength: 16})
	v.free, v.open = 1, 1
	return v
}

// enter takes a place in a line, waits for a slot, hashes for a second, and leaves. It returns a
// channel that is closed when the place gets the slot.
func (v *vault) enter(t *testing.T, l line) <-chan struct{} {
	t.Helper()
	p, err := v.stand(l)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer p.leave()
		if err := p.wait(t.Context()); err != nil {
			t.Error(err)
			return
		}
		began := time.Now()
		time.Sleep(time.Second) // by the clock of the synctest bubble
		p.hashed(began)
	}()
	return p.turn
}

// slots returns how many free slots there are for members, and how many for strangers.
func (v *vault) slots() (free, open int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.free, v.open
}

func turnHasCome(turn <-chan struct{}) bool {
	select {
	case <-turn:
		return true
	default:
		return false
	}
}

func TestVault_AfterAStrangersHash_RestsForStrangersOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newTestVault()
		first := v.enter(t, line{who: "a network"})
		synctest.Wait()
		second := v.enter(t, line{who: "another network"})
		synctest.Wait()
		member := v.enter(t, lineOfMember(1))
		synctest.Wait()
		if !turnHasCome(first) || turnHasCome(second) || turnHasCome(member) {
			t.Fatal("the first does not hash alone")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if !turnHasCome(member) || turnHasCome(second) {
			t.Fatal("the member, who came last, is not next")
		}
		time.Sleep(restFor*time.Second - 1)
		synctest.Wait()
		if turnHasCome(second) {
			t.Fatal("a stranger hashes in the rest after another stranger's hash")
		}
		if free, open := v.slots(); free != 1 || open != 0 {
			t.Fatalf("in the rest %d slots are free for members and %d for strangers, want 1 and 0", free, open)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if !turnHasCome(second) {
			t.Fatal("the stranger does not hash after the rest")
		}
		time.Sleep((1 + restFor) * time.Second)
		synctest.Wait()
		if free, open := v.slots(); free != 1 || open != 1 {
			t.Errorf("after all have left %d slots are free for members and %d for strangers, want 1 and 1", free, open)
		}
	})
}

func TestVault_PlaceLeftBeforeItsTurn_GetsNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newTestVault()
		v.enter(t, lineOfMember(1))
		synctest.Wait()
		gone, err := v.stand(lineOfMember(2))
		if err != nil {
			t.Fatal(err)
		}
		next := v.enter(t, lineOfMember(3))
		gone.leave()
		time.Sleep(time.Second)
		synctest.Wait()
		if !turnHasCome(next) || turnHasCome(gone.turn) {
			t.Error("the turn came to a place that was left")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if free, _ := v.slots(); free != 1 {
			t.Errorf("%d slots are free, want 1", free)
		}
	})
}
