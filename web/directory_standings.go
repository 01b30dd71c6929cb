package web

import (
	"context"
	"sync"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
)

// standings caches the orders of a directory. They are read once for all viewers, because
// a reading counts every subscription.
type standings struct {
	store *discover.Store
	what  timeline.What // people or groups
	fresh time.Duration // how long they are used
	now   func() time.Time

	reading chan struct{} // held by the request that reads

	mu   sync.Mutex
	read *discover.Standings
	at   time.Time
	anew []int64 // changed since the last reading began
}

// peopleFresh is how long the order of people is used. There are many more subscriptions to
// people than to groups.
const peopleFresh = 10 * time.Minute

func newStandings(store *discover.Store, what timeline.What, fresh time.Duration, now func() time.Time) *standings {
	return &standings{store: store, what: what, fresh: fresh, now: now, reading: make(chan struct{}, 1)}
}

// get returns the standings, at most as old as fresh.
func (st *standings) get(ctx context.Context) (*discover.Standings, error) {
	if read, fresh := st.held(); fresh {
		return read, nil
	}
	select {
	case st.reading <- struct{}{}:
		defer func() { <-st.reading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if read, fresh := st.held(); fresh { // another request read them
		return read, nil
	}
	st.mu.Lock()
	st.anew = nil
	st.mu.Unlock()
	at := st.now()
	read, err := st.store.Standings(ctx, st.what)
	if err != nil {
		return nil, err
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, id := range st.anew {
		read = read.Without(id)
	}
	st.read, st.at = read, at
	return read, nil
}

// held returns the standings that were read last, nil if there are none, and reports
// whether they may still be used as an order. Their sizes may be used at any age.
func (st *standings) held() (read *discover.Standings, fresh bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.read, st.read != nil && st.now().Sub(st.at) <= st.fresh
}

// recount drops the size of one feed, so that the next list counts the feed again. A load under
// way may have read the feed before the change, so its result is dropped too.
func (st *standings) recount(id int64) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.read = st.read.Without(id)
	if len(st.reading) > 0 {
		st.anew = append(st.anew, id)
	}
}
