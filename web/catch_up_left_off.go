package web

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/cache"
)

const (
	// placeFresh is how long it is believed where somebody left off without a
	// look at the primary: another node may know better.
	placeFresh = time.Minute
	// placeEvery is how often it is written, at most, how far somebody has seen
	// a page.
	placeEvery = time.Minute
	// placesHeld bounds how many pages of people are remembered.
	placesHeld = 50_000
)

// places remember where people left off, and how far they have seen since. No
// page waits for that to be written: [Server.KeepPlaces] does so a moment later,
// and what a crash loses is where somebody was in his last minute.
type places struct {
	store interface {
		LeftOff(context.Context, timeline.UserID, string) (timeline.LeftOff, error)
		Seen(context.Context, timeline.UserID, string, timeline.Cursor, time.Time) error
	}
	now  func() time.Time
	held *cache.Cache[placeKey, timeline.LeftOff]

	mu    sync.Mutex
	notes map[placeKey]sight
	wrote *cache.Cache[placeKey, struct{}] // when a page was written last
}

// placeKey is a page of somebody's.
type placeKey struct {
	user timeline.UserID
	page string
}

// sight is how far somebody has seen a page, and when, which is to be written.
type sight struct {
	place timeline.Cursor
	at    time.Time
}

func newPlaces(store *timeline.Store, now func() time.Time) *places {
	return &places{
		store: store, now: now, held: cache.New[placeKey, timeline.LeftOff](placesHeld),
		notes: make(map[placeKey]sight), wrote: cache.New[placeKey, struct{}](placesHeld),
	}
}

// leftOff is how far somebody has seen a page: as it was in the primary at most a
// minute ago, and on this node since.
func (p *places) leftOff(ctx context.Context, key placeKey) (timeline.LeftOff, error) {
	now := p.now()
	held, at, is := p.held.Get(key)
	if !is || now.Sub(at) >= placeFresh {
		read, err := p.store.LeftOff(ctx, key.user, key.page)
		if err != nil && (!is || !errors.Is(err, timeline.ErrUnavailable)) {
			return timeline.LeftOff{}, err
		}
		if err == nil {
			held = read
			p.held.Put(key, held, now)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if note, is := p.notes[key]; is {
		return held.See(note.place, note.at), nil
	}
	return held, nil
}

// see notes that somebody is shown a page down from a place.
func (p *places) see(key placeKey, place timeline.Cursor) {
	at := p.now().UTC().Truncate(time.Millisecond)
	p.mu.Lock()
	defer p.mu.Unlock()
	note, is := p.notes[key]
	if !is && len(p.notes) >= placesHeld {
		return // the primary is away: there are better things to remember
	}
	if note.place.Below(place) {
		note.place = place
	}
	note.at = at
	p.notes[key] = note
}

// keep writes what is noted, or only what may be written again already.
func (p *places) keep(ctx context.Context, all bool) error {
	now := p.now()
	var failed error
	for key, note := range p.noted(now, all) {
		if err := p.store.Seen(ctx, key.user, key.page, note.place, note.at); err != nil {
			failed = err
			if ctx.Err() != nil || errors.Is(err, timeline.ErrUnavailable) {
				break
			}
			continue
		}
		p.kept(key, note, now)
	}
	if failed != nil {
		return fmt.Errorf("keep how far pages were seen: %w", failed)
	}
	return nil
}

// noted is what is to be written.
func (p *places) noted(now time.Time, all bool) map[placeKey]sight {
	p.mu.Lock()
	defer p.mu.Unlock()
	due := make(map[placeKey]sight)
	for key, note := range p.notes {
		if _, last, is := p.wrote.Get(key); all || !is || now.Sub(last) >= placeEvery {
			due[key] = note
		}
	}
	return due
}

// kept has a page that was written remembered as it is in the primary now.
func (p *places) kept(key placeKey, note sight, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wrote.Put(key, struct{}{}, now)
	if held, read, is := p.held.Get(key); is {
		p.held.Put(key, held.See(note.place, note.at), read)
	}
	if p.notes[key] == note {
		delete(p.notes, key)
	}
}
