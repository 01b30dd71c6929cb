package web

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"hash/crc32"
	mathrand "math/rand/v2"
	"net/http"
	"strconv"
	"sync"

	"github.com/klauspost/compress/flate"

	"amstel.dev/amstel/web/cache"
)

// A piece is a part of a body: bytes, or a run of fragments.
type piece struct {
	bytes []byte
	run   run // if bytes is nil
}

// writeTo writes the piece as it is without compression. A bytes.Buffer never fails.
func (p piece) writeTo(b *bytes.Buffer) {
	if p.bytes != nil {
		b.Write(p.bytes)
		return
	}
	for i, f := range p.run.fragments {
		if i > 0 {
			b.WriteString(p.run.separator)
		}
		b.WriteString(f.text)
	}
}

// wholeBody returns a body as it is without compression.
func wholeBody(pieces []piece) []byte {
	var b bytes.Buffer
	for _, one := range pieces {
		one.writeTo(&b)
	}
	return b.Bytes()
}

// marks are texts that stand for fragments in a page while the page is rendered. Each page has marks of
// its own, so that no text of a person or an address can contain one.
type marks struct {
	begin     string
	fragments []*fragment
}

func newMarks() *marks { return &marks{begin: rand.Text()} }

// add returns the mark of a fragment.
func (m *marks) add(f *fragment) string {
	var number [4]byte
	copy(number[:], strconv.Itoa(1000+len(m.fragments))) // a page has at most some hundred entries, in two forms
	m.fragments = append(m.fragments, f)
	return m.begin + string(number[:])
}

// pieces returns the body with its fragments. Fragments with the same separator between them, of one byte or none,
// are one run.
func (m *marks) pieces(body []byte) []piece {
	var pieces []piece
	begin := []byte(m.begin)
	for {
		before, after, found := bytes.Cut(body, begin)
		if !found {
			return append(pieces, piece{bytes: body})
		}
		number, _ := strconv.Atoi(string(after[:4]))
		f := m.fragments[number-1000]
		body = after[4:]
		if n := len(pieces); n > 0 && len(before) <= 1 {
			last := &pieces[n-1].run
			if len(last.fragments) == 1 {
				last.separator = string(before)
			}
			if last.separator == string(before) {
				last.fragments = append(last.fragments, f)
				continue
			}
		}
		if len(before) > 0 {
			pieces = append(pieces, piece{bytes: before})
		}
		pieces = append(pieces, piece{run: run{fragments: []*fragment{f}}})
	}
}

// A packer compresses bodies in pieces. The runs of a body are compressed apart from the rest, and kept, so that a page
// whose entries are the same as before costs only the compression of the parts around the entries. The
// compressed pieces make one gzip stream, because none of them refers to bytes of another (RFC 1951, section 3.2).
type packer struct {
	kept  *cache.Sized[string, []byte] // compressed runs by their key
	fast  sync.Pool                    // of *flate.Writer
	whole sync.Pool                    // of *flate.Writer, for runs that are kept
}

func newPacker(most int) *packer {
	return &packer{kept: cache.NewSized(most, func(key string, packed []byte) int { return len(key) + len(packed) + 128 })}
}

// The levels of compression: for bytes that are sent once, and for runs that are kept.
const (
	levelOnce = 1
	levelKept = 6
)

// deflate appends a piece to a body that is compressed: whole bytes that refer to nothing before.
func deflate(pool *sync.Pool, level int, to *bytes.Buffer, from []byte) {
	z, ok := pool.Get().(*flate.Writer)
	if ok {
		z.Reset(to)
	} else {
		z, _ = flate.NewWriter(to, level) // fails for unknown levels only
	}
	_, _ = z.Write(from) // a bytes.Buffer never fails
	_ = z.Flush()
	pool.Put(z)
}

// pack returns the body as a gzip stream (RFC 1952). The header has a comment of random length, which
// hides how long the compressed body is: otherwise a person who can put a text beside a secret could
// learn the secret from how well the two compress together.
func (p *packer) pack(pieces []piece) []byte {
	const comment = 1 << 4
	to := &bytes.Buffer{}
	to.Write([]byte{0x1f, 0x8b, 8, comment, 0, 0, 0, 0, 0, 255})
	to.WriteString(padding())
	to.WriteByte(0)
	var sum, size uint32
	var plain bytes.Buffer
	for _, one := range pieces {
		plain.Reset()
		one.writeTo(&plain)
		sum = crc32.Update(sum, crc32.IEEETable, plain.Bytes())
		size += uint32(plain.Len())
		key := one.run.key()
		if one.bytes != nil || key == "" {
			deflate(&p.fast, levelOnce, to, plain.Bytes())
			continue
		}
		packed, held := p.kept.Get(key)
		if !held {
			var b bytes.Buffer
			deflate(&p.whole, levelKept, &b, plain.Bytes())
			packed = bytes.Clone(b.Bytes())
			p.kept.Put(key, packed)
		}
		to.Write(packed)
	}
	to.Write([]byte{3, 0}) // the last block, which is empty
	to.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, sum), size))
	return to.Bytes()
}

// padding returns 0 to 26 random characters.
func padding() string { return rand.Text()[:mathrand.IntN(27)] }

// send sends the body of an answer, compressed if the client accepts gzip.
func (p *packer) send(w http.ResponseWriter, r *http.Request, pieces []piece) {
	var body []byte
	if acceptsGzip(r.Header.Get("Accept-Encoding")) {
		w.Header().Set("Content-Encoding", "gzip")
		body = p.pack(pieces)
	} else {
		body = wholeBody(pieces)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // a client that disconnects is not a server error
}
