package realtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/flate"

	"amstel.dev/amstel/river"
)

// A message is compressed if it has at least compressFrom bytes, when it is sent to the
// compressReaders-th socket.
const (
	compressFrom    = 1 << 10
	compressReaders = 4
)

// encoded is a patch or a reset in the form of the wire, made once for all pages that need the
// same content.
type encoded struct {
	text       []byte // framed
	private    bool   // of a river of one viewer: never compressed
	given      atomic.Int32
	once       sync.Once
	compressed []byte // framed; nil if compressing makes it no shorter

	posts []json.RawMessage // for listeners, in place of all of these
}

// frame returns the frame to send, and whether another socket was given the frame before. Only
// rivers that all viewers may read are compressed: the length of a compressed frame tells how
// alike its parts are, so the writer of a comment could guess from the length the texts beside the
// comment.
func (e *encoded) frame(by *deflaters) (frame []byte, shared bool) {
	n := e.given.Add(1)
	if e.private || n < compressReaders || len(e.text) < compressFrom {
		return e.text, n > 1
	}
	e.once.Do(func() { e.compress(by) })
	if e.compressed == nil {
		return e.text, true
	}
	return e.compressed, true
}

func (e *encoded) compress(by *deflaters) {
	if compressed := framed(opBinary, by.deflate(payload(e.text))); len(compressed) < len(e.text) {
		e.compressed = compressed
	}
}

// deflaters is a pool of compressors, each of which takes much memory.
type deflaters struct{ free sync.Pool }

// deflate returns a message deflated, without a header.
func (p *deflaters) deflate(message []byte) []byte {
	var to bytes.Buffer
	w, ok := p.free.Get().(*flate.Writer)
	if ok {
		w.Reset(&to)
	} else {
		w, _ = flate.NewWriter(&to, flate.DefaultCompression) // fails for unknown levels only
	}
	_, _ = w.Write(message) // writing to a buffer can't fail
	_ = w.Close()
	p.free.Put(w)
	return to.Bytes()
}

// payload returns the message inside a frame that [framed] made.
func payload(frame []byte) []byte {
	switch frame[1] {
	case 126:
		return frame[4:]
	case 127:
		return frame[10:]
	}
	return frame[2:]
}

// signature returns a name of a patch's content. Two patches of one state of one river
// with equal signatures are encoded alike, even if they are for different windows.
func signature(p *river.Patch, from int64, as Form) string {
	s := fmt.Appendf(nil, "%s %s %d %d %d", as, p.Epoch, from, p.To, p.Position)
	for _, op := range p.Ops {
		if op.Gone {
			s = fmt.Appendf(s, "\n%d", op.Post)
		} else {
			s = fmt.Appendf(s, "\n%d %v", op.After, renderKeyOf(op.Entry, as))
		}
	}
	for i := range p.Entries {
		s = fmt.Appendf(s, "\n= %v", renderKeyOf(&p.Entries[i], as))
	}
	if p.Reset {
		s = append(s, "\nreset"...)
	}
	return string(s)
}
