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
	PushMost  int // how many inboxes a write tells in its own transaction; 0: 200
	Chunk     int // how many inboxes a worker tells of a post in one transaction; 0: 200
	FanoutMax int // how many posts may wait for their inboxes before reads go to the timelines; 0: 1000
	// Reached is called with the name of each point that the work reaches; a test can kill the
	// process at the point. Reached may be nil.
	Reached func(point string)
}

// The points at which [Options.Reached] is called.
const (
	PointMade   = "inbox: made"   // the feeds of an inbox are committed
	PointRead   = "inbox: read"   // a fill has read the timelines; nothing is written
	PointFilled = "inbox: filled" // its entries are written, and not committed
	PointTold   = "inbox: told"   // a chunk of inboxes knows of a post; it is not committed
)

// tries is how often a worker tries to push a post to inboxes. After the last try, the inboxes
// are filled again.
const tries = 3

// wishesMost is how many wishes for inboxes a process remembers. A wish that is forgotten
// is made again by the next visit.
const wishesMost = 1000

// A Source is a [timeline.Source] that keeps inboxes. Many goroutines may use it at once.
type Source struct {
	opts Options

	mu     sync.Mutex
	wishes map[string]wish // by key and hash
	read   map[int64]bool  // inboxes read since the last note
	bell   chan struct{}

	reviewed time.Time // when this process last reviewed which timelines are pulled
	changed  bool      // inboxes were made or filled since the worker rested
	settings timeline.SourceSettings
	rested   time.Time        // when no inbox was missing or superfluous, by these settings
	walked   map[string]int64 // the last reader whom [Source.populate] handled, by kind and source; used by the worker alone

	counts counts
}

// counts are what [Source.Counts] returns.
type counts struct {
	chosen, missed, below, waiting, pulls, emptyPulls, told, chunks, fills atomic.Int64
}

// Counts are the numbers of what happened since the process began.
type Counts struct {
	Chosen     int64 // pages that came from an inbox
	Missed     int64 // pages that were read because no inbox of the choice was ready
	Below      int64 // pages that were read because they are below the low place of the inbox
	Waiting    int64 // pages that were read because too many posts waited for their inboxes
	Pulls      int64 // reads of pulled timelines beside an inbox
	EmptyPulls int64 // pulls that found no post
	Told       int64 // inboxes that were told of a post
	Chunks     int64 // chunks of inboxes that workers told
	Fills      int64 // inboxes filled
}

// New returns inboxes. [Source.Run] fills them.
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

// Counts returns the numbers of what happened so far.
func (in *Source) Counts() Counts {
	c := &in.counts
	return Counts{
		Chosen: c.chosen.Load(), Missed: c.missed.Load(), Below: c.below.Load(), Waiting: c.waiting.Load(),
		Pulls: c.pulls.Load(), EmptyPulls: c.emptyPulls.Load(), Told: c.told.Load(), Chunks: c.chunks.Load(), Fills: c.fills.Load(),
	}
}

// ring wakes [Source.Run].
func (in *Source) ring() {
	select {
	case in.bell <- struct{}{}:
	default:
	}
}

// A wish is an inbox that a visit would have read.
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

// choice returns the choice that a wish is of.
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

// tooMany reports whether a river has as many timelines as the site's limit, and so no inbox.
func (w wish) tooMany() bool {
	limit := w.key.Settings.FanoutLimit
	return limit > 0 && float64(len(w.feeds)) >= limit
}

// wish remembers that a visit would have read an inbox.
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

// noteRead remembers that an inbox was read.
func (in *Source) noteRead(id int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.read[id] = true
}

var _ timeline.Source = (*Source)(nil)
