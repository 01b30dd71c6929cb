package river

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"amstel.dev/amstel/internal/turnstile"
)

// TestBuildsOfStrangers_BeforeTheirInstallation_KeepTheirSlots: one turn installs no more rivers
// of strangers than strangers have slots.
func TestBuildsOfStrangers_BeforeTheirInstallation_KeepTheirSlots(t *testing.T) {
	t.Parallel()
	p := newTestSite(t, "ann", "bob", "cat", "dan")
	p.stop()
	p.set.builders = 4 // two of them for strangers
	begun, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var held atomic.Bool
	p.faults.turn = func() error {
		if held.Load() {
			once.Do(func() { close(begun) })
			<-release
		}
		return nil
	}
	p.start()
	held.Store(true)
	p.node.Ring()
	<-begun

	var visits sync.WaitGroup
	for name := range p.people {
		key := p.page("", KindUser, name)
		visits.Go(func() {
			if _, err := p.node.Visit(turnstile.WithClient(t.Context(), name), key, At{}); err != nil {
				t.Error(err)
			}
		})
	}
	for {
		p.node.asks.mu.Lock()
		built, waiting := len(p.node.asks.built), 0
		p.node.asks.mu.Unlock()
		for name := range p.people {
			waiting += p.node.builds.strangers.builds.Waiting(name)
		}
		if built > 2 {
			t.Errorf("%d rivers wait for their installation, want 2", built)
			break
		}
		if built == 2 && waiting == 2 {
			break
		}
		runtime.Gosched()
	}
	close(release)
	visits.Wait()
}
