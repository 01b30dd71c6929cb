package client

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"sync"
	"time"

	liveclient "amstel.dev/amstel/realtime/client"
	"amstel.dev/amstel/timeline"
)

// A followedPage is an open page that applies the frames it is sent, and records how well that went.
type followedPage struct {
	*liveclient.Page

	right time.Time // when the page last applied a frame, even an empty one
	again int       // how often the page had to subscribe again on an open socket
	twice int       // how many patches had only changes that the page already knew
	wrong string    // the first fault of the page, one that must never happen; empty: none
}

// newFollowedPage returns a followed page that shows what the page showed when it was loaded.
func newFollowedPage(d *loadedPage) *followedPage {
	p := liveclient.NewPage(d.shown.River.UUID, d.Path)
	// Entries in HTML have no version, so the page can't tell that an entry that left comes back unchanged.
	p.As, p.Returns = liveclient.AsHTML, true
	p.Epoch, p.Counter, p.Position = d.shown.River.Epoch, d.shown.River.Counter, d.shown.River.Position
	for _, e := range d.shown.Entries {
		p.Order = append(p.Order, int64(e.ID))
		p.Entries[int64(e.ID)] = liveclient.Shown{Post: int64(e.ID), Tag: e.Tag}
	}
	return &followedPage{Page: p}
}

// sub returns the masked frame with which the page subscribes.
func (p *followedPage) sub() []byte { return masked(opText, p.Sub(), maskKey) }

// applyFrame applies a frame to the page, and reports whether the page must subscribe again.
func (p *followedPage) applyFrame(f *liveclient.Frame, at time.Time) (again bool) {
	known := f.Type == "patch" && !p.Waiting && f.Epoch == p.Epoch && f.To <= p.Counter
	verdict, err := p.Apply(f)
	switch {
	case err != nil && p.wrong == "":
		p.wrong = err.Error()
	case verdict == liveclient.Applied:
		p.right = at
		p.check()
	case verdict == liveclient.Resub:
		p.again++
	case known:
		p.twice++
	}
	return verdict == liveclient.Resub
}

// check records a fault if a post is on the page twice.
func (p *followedPage) check() {
	seen := make(map[int64]bool, len(p.Order))
	for _, post := range p.Order {
		if seen[post] && p.wrong == "" {
			p.wrong = fmt.Sprintf("the page shows post %d twice", post)
		}
		seen[post] = true
	}
}

// shown returns the entries of the page, from the top down.
func (p *followedPage) shown() []Entry {
	all := make([]Entry, len(p.Order))
	for i, post := range p.Order {
		all[i] = Entry{timeline.PostID(post), p.Entries[post].Tag}
	}
	return all
}

// A frameReader decodes frames. Many pages are sent equal frames, so it remembers the decoded form of
// recent frames.
type frameReader struct{ held map[string]*liveclient.Frame }

// framesHeld is how many frames a frameReader remembers before it forgets them all.
const framesHeld = 256

// read decodes a frame. packed is the payload as it arrived; text unpacks it, and is called only if the
// frame is not remembered.
func (r *frameReader) read(packed []byte, text func() ([]byte, error)) (*liveclient.Frame, error) {
	if f := r.held[string(packed)]; f != nil {
		return f, nil
	}
	data, err := text()
	if err != nil {
		return nil, err
	}
	f, err := liveclient.Parse(data)
	if err != nil {
		return nil, err
	}
	if len(r.held) >= framesHeld || r.held == nil {
		r.held = make(map[string]*liveclient.Frame, framesHeld)
	}
	r.held[string(packed)] = f
	return f, nil
}

// An inflater unpacks frames. It remembers the last frame, because many sockets are sent an equal one
// right after: unpacking it for each would take time from the server, which real clients do not, since
// they have machines of their own.
type inflater struct {
	mu           sync.Mutex
	packed, text []byte
}

func (i *inflater) inflate(packed []byte) ([]byte, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if bytes.Equal(packed, i.packed) {
		return i.text, nil
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil, err
	}
	i.packed, i.text = bytes.Clone(packed), text // packed lies in a buffer that the next read overwrites
	return text, nil
}
