package river

import (
	"context"
	"runtime"
	"time"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
)

// slots limit how many reads of the primary run at a time, beside the loop.
type slots struct {
	builds *turnstile.Turnstile
	// searches are builds of searches, which may take long.
	searches *turnstile.Turnstile
	// unkept and unkeptSearches are reads of pages for one answer.
	unkept, unkeptSearches *turnstile.Turnstile
}

// waitingMembers and waitingStrangers are how many clients may each fill their own
// queue of waiting reads. Each waiting read takes memory, and turns note changes in
// each build. Clients that are not signed in may come from any number of networks.
const (
	waitingMembers   = 100
	waitingStrangers = 10
)

// unkept is the number of pages for a single answer that are read at the same time; searches
// have as many slots of their own.
const unkept = 1

// longForStrangers returns how many slow pages are read at the same time for all clients without
// a session: one for every two cores.
func longForStrangers() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// open creates the slots. If there are several slots for builds, one client never has all of them,
// so that another client's first visit begins at once. All slow reads of clients that are not
// signed in share their slots, so that such clients keep at most [longForStrangers] cores of the
// primary busy, and only half of the time: the statements of members wait for the same cores.
func (bs *builds) open(s *Settings) {
	of := func(most, clients, rest int, patience time.Duration) *turnstile.Turnstile {
		return turnstile.New(turnstile.Config{
			Slots: most, Each: most - 1, Waiting: s.Waiting, Total: clients * s.Waiting, Patience: patience, Rest: rest,
		})
	}
	bs.members = slots{
		builds: of(s.builders, waitingMembers, 0, 0), searches: of(s.searchers, waitingMembers, 0, 0),
		unkept: of(unkept, waitingMembers, 0, s.Patience), unkeptSearches: of(unkept, waitingMembers, 0, s.Patience),
	}
	long := of(longForStrangers(), waitingStrangers, 1, s.Patience)
	bs.ahead = of(1, 1, 0, s.Patience)
	bs.strangers = slots{builds: of(max(1, s.builders/2), waitingStrangers, 0, 0), searches: long, unkept: long, unkeptSearches: long}
}

// viewerSlots returns the slots of reads for a viewer.
func (bs *builds) viewerSlots(viewer timeline.UserID) *slots {
	if viewer == 0 {
		return &bs.strangers
	}
	return &bs.members
}

// clientOf returns the name of the client in whose queue the reads for a viewer wait: the client
// of the request, or else the viewer.
func clientOf(ctx context.Context, viewer timeline.UserID) string {
	if name := turnstile.Client(ctx); name != "" || viewer == 0 {
		return name
	}
	return "user " + itoa(int64(viewer))
}

// readFor returns a context for reads on behalf of a client and the viewer.
func readFor(ctx context.Context, client string, viewer timeline.UserID) context.Context {
	if viewer == 0 {
		ctx = turnstile.WithStranger(ctx)
	}
	return turnstile.WithClient(ctx, client)
}

// slotsFor returns the slots for builds of a river.
func (bs *builds) slotsFor(key Key) *turnstile.Turnstile {
	if kinds[key.What].search {
		return bs.viewerSlots(key.Viewer).searches
	}
	return bs.viewerSlots(key.Viewer).builds
}

// unkeptFor returns the slots for pages of a river that are not kept.
func (bs *builds) unkeptFor(key Key) *turnstile.Turnstile {
	if kinds[key.What].search {
		return bs.viewerSlots(key.Viewer).unkeptSearches
	}
	return bs.viewerSlots(key.Viewer).unkept
}
