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

// Rivers are the model's rivers; they implement [realtime.Rivers].
type Rivers struct {
	mu      sync.Mutex
	counter int64
	rivers  map[river.Key]*model
	names   map[string]river.Key
	denied  map[river.Key]error
	unread  map[timeline.UserID]int
	bans    map[timeline.UserID]map[timeline.UserID]bool
	watches int // that are open
	opened  int // that ever were
	age     time.Duration
	behind  bool
	sealed  error
}

// NewRivers makes a node without rivers.
func NewRivers() *Rivers {
	return &Rivers{
		counter: 1,
		rivers:  map[river.Key]*model{}, names: map[string]river.Key{}, denied: map[river.Key]error{},
		unread: map[timeline.UserID]int{}, bans: map[timeline.UserID]map[timeline.UserID]bool{},
	}
}

// Put gives an entry a new state; a fold's version must rise with each. Several
// folds are one turn of the loop. It returns the river's epoch and the counter
// of that turn, as the answer of a POST carries them.
func (r *Rivers) Put(key river.Key, folds ...*timeline.Fold) (epoch string, counter int64) {
	return r.turn(key, func(m *model) {
		for _, fold := range folds {
			m.put(state{r.counter, fold, timeline.Cursor{FreshAt: fold.Text.FreshAt, Post: fold.Post}})
		}
	})
}

// Remove takes an entry out.
func (r *Rivers) Remove(key river.Key, posts ...timeline.PostID) {
	r.turn(key, func(m *model) {
		for _, post := range posts {
			if len(m.entries[post]) > 0 {
				m.put(state{counter: r.counter, at: timeline.Cursor{Post: post}})
			}
		}
	})
}

// Rebuild ends the river and makes it anew, with what it shows now and, in the same
// turn, new states of entries.
func (r *Rivers) Rebuild(key river.Key, folds ...*timeline.Fold) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counter++
	old := r.river(key)
	m := newModel(old.generation + 1)
	for _, s := range old.now() {
		m.put(state{r.counter, s.fold, s.at})
	}
	for _, fold := range folds {
		m.put(state{r.counter, fold, timeline.Cursor{FreshAt: fold.Text.FreshAt, Post: fold.Post}})
	}
	m.purged = r.counter
	r.rivers[key] = m
	old.end()
}

// End ends the watches of the river, which stays as it is.
func (r *Rivers) End(key river.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for w := range r.river(key).watches {
		w.ended = true
		w.ring()
	}
}

// Purge drops the tombstones: a page from before them can't be told by counter.
func (r *Rivers) Purge(key river.Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.river(key).purged = r.counter
}

// Deny has the river opened no more, and ends it where it is open; a nil error
// allows it again.
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

// SetUnread sets how many notices a viewer has not read.
func (r *Rivers) SetUnread(viewer timeline.UserID, count int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unread[viewer] = count
	for key, m := range r.rivers {
		for w := range m.watches {
			if key.Viewer == viewer {
				w.ring()
			}
		}
	}
}

// SetBan makes or lifts a ban between two people, as of the next turn of the loop.
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

// SetAge says how long ago the node was up to date.
func (r *Rivers) SetAge(age time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.age = age
}

// SetBehind says whether positions are reached.
func (r *Rivers) SetBehind(behind bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.behind = behind
}

// Seal has the node show nothing, though nothing changed: rivers answer that
// error until it is nil.
func (r *Rivers) Seal(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sealed = err
}

// View is a page of the river as it now stands.
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

// Watches are how many are open and how many ever were.
func (r *Rivers) Watches() (open, opened int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.watches, r.opened
}

// Watch opens a river.
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

// Name is the river's uuid for that credential.
func (r *Rivers) Name(key river.Key, credential []byte) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := fmt.Sprintf("%d/%s:%d?%s#%x", key.Viewer, key.What, key.TheirID, key.Query, credential)
	r.names[name] = key
	return name
}

// Named is a name's river.
func (r *Rivers) Named(uuid string) (river.Key, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key, known := r.names[uuid]
	return key, known
}

// WaitPosition fails while the model is behind.
func (r *Rivers) WaitPosition(context.Context, int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.behind {
		return river.ErrBehind
	}
	return nil
}

// Age is what SetAge said.
func (r *Rivers) Age() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.age
}

// turn changes a river in one step and rings for it.
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

// river is the model of a key, made at its first use; r.mu is held.
func (r *Rivers) river(key river.Key) *model {
	m := r.rivers[key]
	if m == nil {
		m = newModel(1)
		r.rivers[key] = m
	}
	return m
}
