package client

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"amstel.dev/amstel/timeline"
)

// A livePage is what an open page shows, and where it stands: what the page's
// script does with frames, of an entry only what it is and its tag.
type livePage struct {
	epoch    string
	counter  int64
	position int64
	shown    []Entry

	waits bool // for the hello that answers its sub
	fresh bool // the next frame is the one after that
	blind bool // what came there could not be applied: the next sub tells nothing

	right   time.Time // when it last was told something, or that there is nothing
	again   int       // how often it had to subscribe anew on an open socket
	twice   int       // how often it was told what it knew
	wrong   string    // what must never happen
	greeted int       // hellos
}

// newLivePage is a page as it was read.
func newLivePage(d *loadedPage) *livePage {
	p := &livePage{epoch: d.shown.River.Epoch, counter: d.shown.River.Counter, position: d.shown.River.Position}
	for _, e := range d.shown.Entries {
		p.shown = append(p.shown, Entry(e))
	}
	return p
}

// sub is the frame that it subscribes with.
func (p *livePage) sub(d *loadedPage) []byte {
	p.waits = true
	if p.blind {
		p.epoch, p.counter, p.shown = "", 0, nil
	}
	return subscribeFrame(d, p.epoch, p.counter, p.position, p.shown)
}

// A liveFrame is a frame of a server's, as far as a livePage reads it.
type liveFrame struct {
	Type     string   `json:"type"`
	Epoch    string   `json:"epoch"`
	Counter  int64    `json:"counter"`
	From     int64    `json:"from"`
	To       int64    `json:"to"`
	Position int64    `json:"position"`
	Ops      []liveOp `json:"ops"`
	Entries  []struct {
		Post timeline.PostID `json:"post"`
		Tag  string          `json:"tag"`
	} `json:"entries"`
}

type liveOp struct {
	Post  timeline.PostID  `json:"post"`
	Gone  bool             `json:"gone"`
	Tag   string           `json:"tag"`
	After *timeline.PostID `json:"after"`
}

// take does what a frame says; again: the page has to subscribe anew.
func (p *livePage) take(f *liveFrame, at time.Time) (again bool) {
	if f.Type == "hello" {
		if p.waits {
			p.waits, p.fresh, p.right = false, true, at
			p.epoch, p.counter = f.Epoch, f.Counter
			p.greeted++
		}
		return false
	}
	if p.waits {
		return false // it was for the page before the sub
	}
	switch f.Type {
	case "patch":
		fresh := p.fresh
		p.fresh = false
		again = p.patch(f, at)
		p.blind = again && fresh && f.Epoch == p.epoch && f.From <= p.counter
	case "reset":
		p.fresh, p.blind = false, false
		p.epoch, p.counter, p.right, p.position = f.Epoch, f.Counter, at, max(p.position, f.Position)
		p.shown = p.shown[:0]
		for _, e := range f.Entries {
			p.shown = append(p.shown, Entry{e.Post, e.Tag})
		}
	case "beat":
		again = f.Counter > p.counter
	}
	if again {
		p.again++
	}
	p.check()
	return again
}

// patch applies a patch, whole or not at all.
func (p *livePage) patch(f *liveFrame, at time.Time) (again bool) {
	switch {
	case f.Epoch != p.epoch || f.From > p.counter && f.To > p.counter:
		return true
	case f.To <= p.counter:
		p.twice++
		return false
	}
	shown := slices.Clone(p.shown)
	for _, op := range f.Ops {
		shown = slices.DeleteFunc(shown, func(e Entry) bool { return e.ID == op.Post })
		if op.Gone {
			continue
		}
		place := 0
		if op.After != nil {
			above := slices.IndexFunc(shown, func(e Entry) bool { return e.ID == *op.After })
			if above < 0 {
				return true
			}
			place = above + 1
		}
		shown = slices.Insert(shown, place, Entry{op.Post, op.Tag})
	}
	p.shown, p.counter, p.right, p.position = shown, f.To, at, max(p.position, f.Position)
	return false
}

// check notes what is on the page twice.
func (p *livePage) check() {
	seen := make(map[timeline.PostID]bool, len(p.shown))
	for _, e := range p.shown {
		if seen[e.ID] && p.wrong == "" {
			p.wrong = fmt.Sprintf("post %d stands there twice", e.ID)
		}
		seen[e.ID] = true
	}
}

// A frameReader remembers how frames were read that many pages are sent alike.
type frameReader struct{ held map[string]*liveFrame }

// framesHeld is how many.
const framesHeld = 256

// read reads a frame; packed says how it came, text what it says.
func (r *frameReader) read(packed []byte, text func() ([]byte, error)) (*liveFrame, error) {
	if f := r.held[string(packed)]; f != nil {
		return f, nil
	}
	data, err := text()
	if err != nil {
		return nil, err
	}
	f := &liveFrame{}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("frame %.80q: %w", data, err)
	}
	if len(r.held) >= framesHeld || r.held == nil {
		r.held = make(map[string]*liveFrame, framesHeld)
	}
	r.held[string(packed)] = f
	return f, nil
}
