package web

import (
	"context"
	"sync"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
)

// members caches the sizes of all groups, by which the directory is sorted. They are
// counted once for all viewers, because a count reads every subscription.
type members struct {
	store *discover.Store
	now   func() time.Time

	counting chan struct{} // held by the request that counts

	mu    sync.Mutex
	sizes discover.GroupSizes
	at    time.Time
	anew  []timeline.GroupID // changed since the last count began
}

func newMembers(store *discover.Store, now func() time.Time) *members {
	return &members{store: store, now: now, counting: make(chan struct{}, 1)}
}

// get returns the sizes, at most [countsFresh] old.
func (m *members) get(ctx context.Context) (discover.GroupSizes, error) {
	if sizes, fresh := m.held(); fresh {
		return sizes, nil
	}
	select {
	case m.counting <- struct{}{}:
		defer func() { <-m.counting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if sizes, fresh := m.held(); fresh { // another request counted
		return sizes, nil
	}
	m.mu.Lock()
	m.anew = nil
	m.mu.Unlock()
	at := m.now()
	sizes, err := m.store.GroupSizes(ctx)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range m.anew {
		sizes = sizes.Without(id)
	}
	m.sizes, m.at = sizes, at
	return sizes, nil
}

func (m *members) held() (sizes discover.GroupSizes, fresh bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sizes, m.sizes != nil && m.now().Sub(m.at) <= countsFresh
}

// recount drops the size of one group, so that the next directory counts it again. If a
// count is under way, it may have read the group before the change, so its result is
// dropped too.
func (m *members) recount(id timeline.GroupID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sizes = m.sizes.Without(id)
	if len(m.counting) > 0 {
		m.anew = append(m.anew, id)
	}
}
