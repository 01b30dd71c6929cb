package livetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// Rivers are the rivers of a model node. They implement [realtime.Rivers].
type Rivers struct {
	mu      sync.Mutex
	counter int64
	rivers  map[river.Key]*model
	names   map[string]river.Key
	denied  map[river.Key]error
	unread  map[timeline.UserID]river.Unread
	bans    map[timeline.UserID]map[timeline.UserID]bool
	watches int // open watches
	opened  int // watches opened so far
	age     time.Duration
	behind  bool
	sealed  error
}

// NewRivers returns a model node without rivers. A river is made when its key is first used.
func NewRivers() *Rivers {
	return &Rivers{
		counter: 1,
		rivers:  map[river.Key]*model{}, names: map[string]river.Key{}, denied: map[river.Key]error{},
		unread: map[timeline.UserID]river.Unread{}, bans: map[timeline.UserID]map[timeline.UserID]bool{},
	}
}

// Put sets new states of entries, all in one turn. The version of a fold must be higher than that
// of the entry's last one. Put returns the river's epoch and the counter of the turn, as the
// answer to a POST has them.
func (r *Rivers) Put(key river.Key, folds ...*timeline.Fold) (epoch string, counter int64) {
	return r.turn(key, func(m *model) {
		for _, fold := range folds {
			m.put(state{r.counter, fold, timeline.Cursor{FreshAt: fold.Text.FreshAt, Post: fold.Post}})
		}
	})
}

// Remove removes posts from a river, in one turn. It ignores posts that were never in the river.
func (r *Rivers) Remove(key river.Key, posts ...timeline.PostID) {
	r.turn(key, func(m *model) {
		for _, post := range posts {
			if len(m.entries[post]) > 0 {
				m.put(state{counter: r.counter, at: timeline.Cursor{Post: post}})
			}
		}
	})
}

// Rebuild ends a river and makes a new one of another epoch, with the present entries and, in
// the same turn, the new folds.
func (r *Rivers) Rebuild(key river.Key, folds ...*timeline.Fold) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counter++
	old := r.river(key)
	m := newModel(old.generation + 1)
	for _, s := range old.present() {
		m.put(state{r.counter, s.fold, s.at})
	}
	for _, fold := range folds {
		m.put(state{r.counter, fold, timeline.Cursor{FreshAt: fold.Text.FreshAt, Post: fold.Post}})
	}
	m.purged = r.counter
	r.rivers[key] = m
	old.end()
}

// End ends the watches of a river. The river stays.
func (r *Rivers) End(key river.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for w := range r.river(key).watches {
		w.ended = true
		w.ring()
	}
}

// Purge drops the tombstones of a river. A page with an older counter can't be told the changes
// since.
func (r *Rivers) Purge(key river.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.river(key).purged = r.counter
}

// Deny sets the error that Watch returns for a river, and ends the river. A nil error allows the river again.
func (r *Rivers) Deny(key river.Key, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.denied[key] = err
	if err != nil {
		r.counter++
		old := r.river(key)
		r.rivers[key] = newModel(old.generation + 1)
		old.end()
	}
}

// SetUnread sets how many notices a viewer has not read, and about how many directs they are.
func (r *Rivers) SetUnread(viewer timeline.UserID, notices, directs int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unread[viewer] = river.Unread{Notices: notices, Directs: directs}
	for key, m := range r.rivers {
		for w := range m.watches {
			if key.Viewer == viewer {
				w.ring()
			}
		}
	}
}

// SetBan sets or ends a ban between two people, in one turn.
func (r *Rivers) SetBan(by, whom timeline.UserID, stands bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, pair := range [][2]timeline.UserID{{by, whom}, {whom, by}} {
		bans := make(map[timeline.UserID]bool)
		maps.Copy(bans, r.bans[pair[0]])
		if bans[pair[1]] = pair[0] == by; !stands {
			delete(bans, pair[1])
		}
		r.bans[pair[0]] = bans
	}
	r.counter++
}

// SetAge sets how long ago the node was up to date.
func (r *Rivers) SetAge(age time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.age = age
}

// SetBehind sets whether the node is behind: then WaitPosition fails.
func (r *Rivers) SetBehind(behind bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.behind = behind
}

// Seal sets the error that all rivers return, until Seal is called with nil. Nothing in the rivers changes.
func (r *Rivers) Seal(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sealed = err
}

// View returns the present state of a page, as a visit would.
func (r *Rivers) View(key river.Key, at river.At) *river.View {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.river(key)
	v := &river.View{Key: key, Epoch: m.epoch(), Counter: r.counter, Live: true, Sets: &timeline.Sets{User: key.Viewer}}
	for _, s := range m.page(at) {
		v.Entries = append(v.Entries, *s.entry())
	}
	return v
}

// Watches returns how many watches are open, and how many were opened so far.
func (r *Rivers) Watches() (open, opened int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.watches, r.opened
}

// Watch opens a river. It returns the error set by Deny or Seal.
func (r *Rivers) Watch(ctx context.Context, key river.Key) (realtime.Watch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := errors.Join(r.denied[key], r.sealed); err != nil {
		return nil, err
	}
	r.watches++
	r.opened++
	w := &watch{rivers: r, viewer: key.Viewer, model: r.river(key), bell: make(chan struct{}, 1)}
	w.model.watches[w] = true
	return w, nil
}

// Name returns the name by which pages with this credential address the river.
func (r *Rivers) Name(key river.Key, credential []byte) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := fmt.Sprintf("%d/%s:%d?%s#%x", key.Viewer, key.What, key.TheirID, key.Query, credential)
	r.names[name] = key
	return name
}

// Named returns the river of a name, and whether Name returned that name before.
func (r *Rivers) Named(uuid string) (river.Key, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key, known := r.names[uuid]
	return key, known
}

// WaitPosition returns [river.ErrBehind] while the node is behind.
func (r *Rivers) WaitPosition(context.Context, int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.behind {
		return river.ErrBehind
	}
	return nil
}

// Age returns the age of SetAge.
func (r *Rivers) Age() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.age
}

// turn changes a river in one turn and notifies its watches.
func (r *Rivers) turn(key river.Key, change func(*model)) (epoch string, counter int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counter++
	m := r.river(key)
	change(m)
	for w := range m.watches {
		w.ring()
	}
	return m.epoch(), r.counter
}

// river returns the model of a river, and makes it at the first use of the key. The caller holds
// r.mu.
func (r *Rivers) river(key river.Key) *model {
	m := r.rivers[key]
	if m == nil {
		m = newModel(1)
		r.rivers[key] = m
	}
	return m
}
