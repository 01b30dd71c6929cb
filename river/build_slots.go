package river

import (
	"context"
	"runtime"
	"time"

	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/timeline"
)

// slots are how many reads of the primary run at a time, beside the loop.
type slots struct {
	builds *turnstile.Turnstile
	// searches are builds too, but may take long.
	searches *turnstile.Turnstile
	// unkept and unkeptSearches are pages that are read for one answer.
	unkept, unkeptSearches *turnstile.Turnstile
}

// waitingMembers and waitingStrangers are how many clients can have as many reads
// waiting as a client may. Each read that waits takes memory, and each build is told of what
// turns read; strangers have as many networks as they like.
const (
	waitingMembers   = 100
	waitingStrangers = 10
)

// unkept is how many pages at a time are read for one answer, and as many of searches.
const unkept = 1

// longForStrangers returns how many pages that take long are read at a time for all who
// are not signed in: one for every two cores.
func longForStrangers() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// open makes the slots. Of those of builds one client never has all, where there
// are several, so that the first visit of another begins at once. What takes long
// shares its slots where strangers ask for it, so that strangers keep no more cores
// of the primary busy than [longForStrangers].
func (bs *builds) open(s *Settings) {
	of := func(most, clients int, patience time.Duration) *turnstile.Turnstile {
		return turnstile.New(turnstile.Config{Slots: most, Each: most - 1, Waiting: s.Waiting, Total: clients * s.Waiting, Patience: patience})
	}
	bs.members = slots{
		builds: of(s.builders, waitingMembers, 0), searches: of(s.searchers, waitingMembers, 0),
		unkept: of(unkept, waitingMembers, s.Patience), unkeptSearches: of(unkept, waitingMembers, s.Patience),
	}
	long := of(longForStrangers(), waitingStrangers, s.Patience)
	bs.strangers = slots{builds: of(max(1, s.builders/2), waitingStrangers, 0), searches: long, unkept: long, unkeptSearches: long}
}

// of returns the slots of reads for a viewer.
func (bs *builds) of(viewer timeline.UserID) *slots {
	if viewer == 0 {
		return &bs.strangers
	}
	return &bs.members
}

// clientOf returns in whose line reads for a viewer wait.
func clientOf(ctx context.Context, viewer timeline.UserID) string {
	if name := turnstile.Client(ctx); name != "" || viewer == 0 {
		return name
	}
	return "user " + itoa(int64(viewer))
}

// slotsFor are the slots of builds of such a river.
func (bs *builds) slotsFor(key Key) *turnstile.Turnstile {
	if kinds[key.What].search {
		return bs.of(key.Viewer).searches
	}
	return bs.of(key.Viewer).builds
}

// unkeptFor returns the slots of pages of such a river that are not kept.
func (bs *builds) unkeptFor(key Key) *turnstile.Turnstile {
	if kinds[key.What].search {
		return bs.of(key.Viewer).unkeptSearches
	}
	return bs.of(key.Viewer).unkept
}
