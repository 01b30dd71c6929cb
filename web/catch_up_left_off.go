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
	// leftOffFresh is how long a node uses a place that it read; another node may know a newer
	// one.
	leftOffFresh = time.Minute
	// leftOffEvery is the least time between two writes of one page.
	leftOffEvery = time.Minute
	// leftOffsHeld bounds how many pages of viewers are cached.
	leftOffsHeld = 50_000
)

// leftOffs keeps where viewers left off their pages, and how far they have seen them
// since. No page waits for a write: [Server.SaveLeftOff] writes a moment later. A crash
// loses what viewers saw in the last minute.
type leftOffs struct {
	store interface {
		LeftOff(context.Context, timeline.UserID, string) (timeline.LeftOff, error)
		RecordSeen(context.Context, timeline.UserID, string, timeline.Cursor, time.Time) error
	}
	now  func() time.Time
	held *cache.Cache[leftOffKey, timeline.LeftOff]

	mu    sync.Mutex
	notes map[leftOffKey]sighting
	wrote *cache.Cache[leftOffKey, struct{}] // the time of the last write of a page
}

// A leftOffKey names a page of a viewer.
type leftOffKey struct {
	user timeline.UserID
	page string
}

// A sighting is how far a viewer has seen a page, and when; it is to be written.
type sighting struct {
	place timeline.Cursor
	at    time.Time
}

func newLeftOffs(store *timeline.Store, now func() time.Time) *leftOffs {
	return &leftOffs{
		store: store, now: now, held: cache.New[leftOffKey, timeline.LeftOff](leftOffsHeld),
		notes: make(map[leftOffKey]sighting), wrote: cache.New[leftOffKey, struct{}](leftOffsHeld),
	}
}

// leftOff returns how far a viewer has seen a page: as in the primary at most a minute ago,
// and on this node since.
func (p *leftOffs) leftOff(ctx context.Context, key leftOffKey) (timeline.LeftOff, error) {
	now := p.now()
	held, at, is := p.held.Get(key)
	if !is || now.Sub(at) >= leftOffFresh {
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

// record records that a viewer is shown a page down from a place.
func (p *leftOffs) record(key leftOffKey, place timeline.Cursor) {
	at := p.now().UTC().Truncate(time.Millisecond)
	p.mu.Lock()
	defer p.mu.Unlock()
	note, is := p.notes[key]
	if !is && len(p.notes) >= leftOffsHeld {
		return // the primary has been unavailable for long: memory is worth more than this sighting
	}
	if note.place.Below(place) {
		note.place = place
	}
	note.at = at
	p.notes[key] = note
}

// save writes all sightings, or only the sightings of pages that were not written within the
// last minute.
func (p *leftOffs) save(ctx context.Context, all bool) error {
	now := p.now()
	var failed error
	for key, note := range p.due(now, all) {
		if err := p.store.RecordSeen(ctx, key.user, key.page, note.place, note.at); err != nil {
			failed = err
			if ctx.Err() != nil || errors.Is(err, timeline.ErrUnavailable) {
				break
			}
			continue
		}
		p.setSaved(key, note, now)
	}
	if failed != nil {
		return fmt.Errorf("write how far pages were seen: %w", failed)
	}
	return nil
}

// due returns the sightings to write.
func (p *leftOffs) due(now time.Time, all bool) map[leftOffKey]sighting {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := make(map[leftOffKey]sighting)
	for key, note := range p.notes {
		if _, last, is := p.wrote.Get(key); all || !is || now.Sub(last) >= leftOffEvery {
			found[key] = note
		}
	}
	return found
}

// setSaved records that a sighting was written to the primary.
func (p *leftOffs) setSaved(key leftOffKey, note sighting, now time.Time) {
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
