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

// A piece is a part of a body: bytes, a run of fragments, or a UUID, which is another one each time that the body is
// sent.
type piece struct {
	bytes []byte
	run   run
	uuid  bool
}

// size returns the number of bytes that the piece has without compression.
func (p piece) size() int {
	if p.uuid {
		return 36
	}
	size := len(p.bytes)
	for _, f := range p.run.fragments {
		size += len(f.text) + len(p.run.separator)
	}
	return size
}

// writeTo writes the piece as it is without compression. A bytes.Buffer never fails.
func (p piece) writeTo(b *bytes.Buffer) {
	if p.uuid {
		b.WriteString(newUUID())
		return
	}
	b.Write(p.bytes)
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
	writeBody(&b, pieces)
	return b.Bytes()
}

// writeBody writes a body as it is without compression.
func writeBody(b *bytes.Buffer, pieces []piece) {
	size := 0
	for _, one := range pieces {
		size += one.size()
	}
	b.Grow(size)
	for _, one := range pieces {
		one.writeTo(b)
	}
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

// addUUID returns the mark of a UUID.
func (m *marks) addUUID() string { return m.begin + uuidMark }

// uuidMark is the number of the mark of a UUID. The numbers of fragments begin at 1000.
const uuidMark = "0000"

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
		mark := string(after[:4])
		body = after[4:]
		if mark == uuidMark {
			pieces = append(pieces, piece{bytes: before}, piece{uuid: true})
			continue
		}
		number, _ := strconv.Atoi(mark)
		f := m.fragments[number-1000]
		if n := len(pieces); n > 0 && pieces[n-1].run.fragments != nil && len(before) <= 1 {
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
	kept    *cache.Sized[string, packedPiece] // compressed runs by their key
	fast    sync.Pool                         // of *flate.Writer
	whole   sync.Pool                         // of *flate.Writer, for runs that are kept
	buffers sync.Pool                         // of *bytes.Buffer, for bodies
}

// mostPooled is the size of the largest buffer that is used again, in bytes.
const mostPooled = 1 << 20

func newPacker(most int) *packer {
	return &packer{kept: cache.NewSized(most, func(key string, packed packedPiece) int { return len(key) + len(packed.bytes) + 128 })}
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

// A packedPiece is a compressed piece, with the checksum and the number of its bytes before the compression.
type packedPiece struct {
	bytes []byte // nil: the piece is compressed when the body is sent
	sum   uint32
	size  int
}

// packPiece compresses a piece at a level, with one of the writers in the pool.
func packPiece(one piece, pool *sync.Pool, level int) packedPiece {
	var b bytes.Buffer
	plain := wholeBody([]piece{one})
	deflate(pool, level, &b, plain)
	return packedPiece{b.Bytes(), crc32.ChecksumIEEE(plain), len(plain)}
}

// packPieces returns the compressed pieces of a body that is kept. A piece that is another one each time is compressed
// when the body is sent.
func (p *packer) packPieces(pieces []piece) []packedPiece {
	packed := make([]packedPiece, len(pieces))
	for i, one := range pieces {
		switch {
		case one.uuid:
		case len(one.run.fragments) > 0:
			packed[i] = p.packKept(one)
		default: // what stands around the entries changes more often than they do
			packed[i] = packPiece(one, &p.fast, levelOnce)
		}
	}
	return packed
}

// packKept returns a piece that is kept, compressed. A run of fragments that is kept already is not compressed again.
func (p *packer) packKept(one piece) packedPiece {
	key := one.run.key()
	if packed, held := p.kept.Get(key); held && key != "" {
		return packed
	}
	packed := packPiece(one, &p.whole, levelKept)
	packed.bytes = bytes.Clone(packed.bytes)
	if key != "" {
		p.kept.Put(key, packed)
	}
	return packed
}

// pack appends the body to a buffer, as a gzip stream (RFC 1952). packed has the pieces that are compressed already;
// nil: none. The header has a comment of random length, which
// hides how long the compressed body is: otherwise a person who can put a text beside a secret could
// learn the secret from how well the two compress together.
func (p *packer) pack(to *bytes.Buffer, pieces []piece, packed []packedPiece) {
	const comment = 1 << 4
	to.Write([]byte{0x1f, 0x8b, 8, comment, 0, 0, 0, 0, 0, 255})
	to.WriteString(padding())
	to.WriteByte(0)
	var sum, size uint32
	for i, one := range pieces {
		var next packedPiece
		switch {
		case packed != nil && packed[i].bytes != nil:
			next = packed[i]
		case one.run.key() != "":
			next = p.packKept(one)
		default:
			next = packPiece(one, &p.fast, levelOnce)
		}
		sum = joinSums(sum, next.sum, next.size)
		size += uint32(next.size)
		to.Write(next.bytes)
	}
	to.Write([]byte{3, 0}) // the last block, which is empty
	to.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, sum), size))
}

// padding returns 0 to 26 random characters.
func padding() string { return rand.Text()[:mathrand.IntN(27)] }

// send sends the body of an answer, compressed if the client accepts gzip. packed has the pieces that are compressed
// already; nil: none.
func (p *packer) send(w http.ResponseWriter, r *http.Request, pieces []piece, packed []packedPiece) {
	b, ok := p.buffers.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	b.Reset()
	if acceptsGzip(r.Header.Get("Accept-Encoding")) {
		w.Header().Set("Content-Encoding", "gzip")
		p.pack(b, pieces, packed)
	} else {
		writeBody(b, pieces)
	}
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	_, _ = w.Write(b.Bytes()) // a client that disconnects is not a server error
	if b.Cap() <= mostPooled {
		p.buffers.Put(b)
	}
}
