package realtime

import (
	"sync"
	"testing"
)

// TestSocketThatEndedAddsNoGoroutine: a write to an ended socket starts no goroutine, because
// the server may already wait for the last one.
func TestSocketThatEndedAddsNoGoroutine(t *testing.T) {
	t.Parallel()
	server := New(Config{})
	for _, ended := range []bool{false, true} {
		var returned sync.WaitGroup
		returned.Add(1)
		over := make(chan struct{})
		(&socket{server: server, ended: ended}).detach(func() {
			defer close(over)
			if !ended {
				returned.Wait() // hangs if f runs before detach returns
			}
		})
		if ended {
			select {
			case <-over:
			default:
				t.Error("a goroutine was started for a socket that has ended")
			}
		}
		returned.Done()
		server.wg.Wait()
		select {
		case <-over:
		default:
			t.Errorf("ended %v: the server does not wait for what goes on", ended)
		}
	}
}
