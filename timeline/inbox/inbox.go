package inbox

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/timeline"
)

// Options are the settings of [Source]; the zero value is right for a server.
type Options struct {
	PushMost  int // how many inboxes a write may update in its own transaction; 0: 200
	Chunk     int // how many inboxes a worker updates in one transaction; 0: 200
	FanoutMax int // how many posts may wait in inbox_fanouts; if more do, the timelines are read; 0: 1000
	// Reached is called with the name of each point that the work reaches; a test can kill the
	// process at the point. Reached may be nil.
	Reached func(point string)
}

// The points at which [Options.Reached] is called.
const (
	PointMade   = "inbox: made"   // the feeds of an inbox are committed
	PointRead   = "inbox: read"   // a fill has read the timelines, but written nothing
	PointFilled = "inbox: filled" // a fill has written the entries, but not committed
	PointTold   = "inbox: told"   // a chunk of inboxes was updated, but not committed
)

// tries is how often a worker tries to push a post to inboxes. After the last try, the inboxes
// are filled again.
const tries = 3

// wishesMost is how many wishes for inboxes a process remembers. If it forgets one, the next visit
// makes the wish again.
const wishesMost = 1000

// A Source is a [timeline.Source] that keeps inboxes. Many goroutines may use it at once.
type Source struct {
	opts Options

	mu     sync.Mutex
	wishes map[string]wish // by the key of the inbox and the hash of the choice
	read   map[int64]bool  // the inboxes that were read since makeWished noted reads
	bell   chan struct{}   // wakes Run

	reviewed time.Time // when this process last reviewed which timelines are pulled
	changed  bool      // inboxes were made or filled since the worker rested
	settings timeline.SourceSettings
	rested   time.Time        // when the worker last found that, by these settings, no inbox is missing or superfluous
	walked   map[string]int64 // the last reader whom [Source.populate] handled, by kind and source; used by the worker alone

	counts counts
}

// counts are the numbers that [Source.Counts] returns.
type counts struct {
	chosen, missed, below, waiting, pulls, emptyPulls, updated, chunks, fills atomic.Int64
}

// Counts are numbers of events since the process began.
type Counts struct {
	Chosen     int64 // pages that came from an inbox
	Missed     int64 // pages that came from timelines because no inbox of the choice was ready
	Below      int64 // pages that came from timelines because they are below the low place of the inbox
	Waiting    int64 // pages that came from timelines because too many posts waited in inbox_fanouts
	Pulls      int64 // reads of pulled timelines for a page from an inbox
	EmptyPulls int64 // such reads that found no post
	Updated    int64 // inboxes that were updated, counted once for each post
	Chunks     int64 // chunks of inboxes that workers updated
	Fills      int64 // inboxes that were filled
}

// New returns a source that keeps inboxes. [Source.Run] must run somewhere to fill them.
func New(opts Options) *Source {
	if opts.PushMost == 0 {
		opts.PushMost = 200
	}
	if opts.Chunk == 0 {
		opts.Chunk = 200
	}
	if opts.FanoutMax == 0 {
		opts.FanoutMax = 1000
	}
	if opts.Reached == nil {
		opts.Reached = func(string) {}
	}
	return &Source{opts: opts, wishes: make(map[string]wish), read: make(map[int64]bool), walked: make(map[string]int64), bell: make(chan struct{}, 1)}
}

// Counts returns the numbers of events so far.
func (in *Source) Counts() Counts {
	c := &in.counts
	return Counts{
		Chosen: c.chosen.Load(), Missed: c.missed.Load(), Below: c.below.Load(), Waiting: c.waiting.Load(),
		Pulls: c.pulls.Load(), EmptyPulls: c.emptyPulls.Load(), Updated: c.updated.Load(), Chunks: c.chunks.Load(), Fills: c.fills.Load(),
	}
}

// ring wakes [Source.Run].
func (in *Source) ring() {
	select {
	case in.bell <- struct{}{}:
	default:
	}
}

// A wish is an inbox that does not exist or is not ready, and that a visit would have read.
type wish struct {
	key    timeline.InboxKey
	hash   []byte
	lifted bool
	feeds  []feed
}

// A feed is a timeline that feeds an inbox.
type feed struct {
	id           timeline.TimelineID
	base         bool
	since, began int64
}

// wishFor returns the wish for the inbox of a choice.
func wishFor(c timeline.Choice) wish {
	w := wish{key: c.Inbox, lifted: c.Order == timeline.OrderLifted, feeds: make([]feed, 0, len(c.Timelines))}
	for id := range c.Timelines {
		f := feed{id: id, base: true}
		if w.lifted {
			t, _ := c.Known(id)
			f.base, f.since, f.began = t.What.Base(), c.Since[id], c.Began[id]
		}
		w.feeds = append(w.feeds, f)
	}
	slices.SortFunc(w.feeds, func(a, b feed) int { return int(a.id - b.id) })
	h := sha256.New()
	put := func(n int64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		h.Write(b[:])
	}
	if w.lifted {
		put(1)
	} else {
		put(0)
	}
	for _, f := range w.feeds {
		put(int64(f.id))
		if f.base {
			put(1)
		} else {
			put(0)
		}
		put(f.since)
		put(f.began)
	}
	w.hash = h.Sum(nil)[:16]
	return w
}

// choice returns the choice of the wished inbox. It is the inverse of wishFor.
func (w wish) choice() timeline.Choice {
	c := timeline.Choice{
		Timelines: make(map[timeline.TimelineID]bool, len(w.feeds)), Since: make(map[timeline.TimelineID]int64),
		Began: make(map[timeline.TimelineID]int64), Inbox: w.key,
	}
	base := make(map[timeline.TimelineID]bool, len(w.feeds))
	if w.lifted {
		c.Order = timeline.OrderLifted
	}
	for _, f := range w.feeds {
		c.Timelines[f.id], base[f.id] = true, f.base
		if f.since != 0 {
			c.Since[f.id] = f.since
		}
		if f.began != 0 {
			c.Began[f.id] = f.began
		}
	}
	c.Known = func(id timeline.TimelineID) (timeline.Timeline, bool) {
		what := timeline.WhatUserLikes
		if base[id] {
			what = timeline.WhatUser
		}
		return timeline.Timeline{ID: id, What: what}, c.Timelines[id]
	}
	return c
}

// tooMany reports whether the river of the wish has as many timelines as the site's limit or more,
// and so can have no inbox.
func (w wish) tooMany() bool {
	limit := w.key.Settings.FanoutLimit
	return limit > 0 && float64(len(w.feeds)) >= limit
}

// wish remembers a wish, unless the process remembers many already, and wakes [Source.Run].
func (in *Source) wish(w wish) {
	if w.tooMany() {
		return
	}
	in.mu.Lock()
	if len(in.wishes) < wishesMost {
		in.wishes[w.key.Kind+"/"+w.key.Source+"/"+string(w.hash)+"/"+string(binary.AppendVarint(binary.AppendVarint(nil, int64(w.key.Viewer)), w.key.Their))] = w
	}
	in.mu.Unlock()
	in.ring()
}

// noteRead remembers that an inbox was read, so that the inbox is not deleted as idle.
func (in *Source) noteRead(id int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.read[id] = true
}

var _ timeline.Source = (*Source)(nil)
