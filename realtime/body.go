package realtime

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/flate"

	"amstel.dev/amstel/river"
)

// What is worth packing: a message of so many bytes, once so many sockets were
// given it.
const (
	packFrom    = 1 << 10
	packReaders = 4
)

// A body is a patch or a reset as it goes over the wire, encoded once for all
// whose pages it is right for.
type body struct {
	text   []byte // framed
	secret bool   // what it shows is not everybody's: it is never packed
	given  atomic.Int32
	once   sync.Once
	packed []byte // framed; nil where that would be no shorter
}

// frame is what to send, and whether somebody else was given the same before.
// Packing tells by a frame's length how alike its parts are, and whoever writes
// a comment could guess by that what stands beside it. So only what everybody
// may read is packed.
func (b *body) frame(by *packers) (frame []byte, shared bool) {
	n := b.given.Add(1)
	if b.secret || n < packReaders || len(b.text) < packFrom {
		return b.text, n > 1
	}
	b.once.Do(func() { b.pack(by) })
	if b.packed == nil {
		return b.text, true
	}
	return b.packed, true
}

func (b *body) pack(by *packers) {
	if packed := framed(opBinary, by.deflated(payload(b.text))); len(packed) < len(b.text) {
		b.packed = packed
	}
}

// Packers deflate. Each is large and is used again.
type packers struct{ free sync.Pool }

func (p *packers) deflated(message []byte) []byte {
	var to bytes.Buffer
	w, ok := p.free.Get().(*flate.Writer)
	if ok {
		w.Reset(&to)
	} else {
		w, _ = flate.NewWriter(&to, flate.DefaultCompression) // there is that level
	}
	_, _ = w.Write(message) // a buffer takes all
	_ = w.Close()
	p.free.Put(w)
	return to.Bytes()
}

// payload is the message in a frame of ours.
func payload(frame []byte) []byte {
	switch frame[1] {
	case 126:
		return frame[4:]
	case 127:
		return frame[10:]
	}
	return frame[2:]
}

// signature names what a patch says: equal ones, of one state of one river, are
// encoded alike, whichever part of it they are about.
func signature(p *river.Patch, from int64, as Form) string {
	s := fmt.Appendf(nil, "%s %s %d %d %d", as, p.Epoch, from, p.To, p.Position)
	for _, op := range p.Ops {
		if op.Gone {
			s = fmt.Appendf(s, "\n%d", op.Post)
		} else {
			s = fmt.Appendf(s, "\n%d %v", op.After, drawnKeyOf(op.Entry, as))
		}
	}
	for i := range p.Entries {
		s = fmt.Appendf(s, "\n= %v", drawnKeyOf(&p.Entries[i], as))
	}
	if p.Reset {
		s = append(s, "\nreset"...)
	}
	return string(s)
}
