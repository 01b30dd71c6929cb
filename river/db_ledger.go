package river

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zeebo/xxh3"
)

// A ledger holds what the files of a river DB must contain, so that what others do
// to them is found out whenever they do it. Sizes and times tell only what happens
// between two writes of our own: SQLite goes on over holes, and changes both.
//
// The journal proves what SQLite wrote: each of its frames is one page, with a
// checksum of all frames before. So a ledger reads the new frames after each
// write, and holds a hash of every page as it was written, never as it is found in
// the database. It decides when pages go from the journal to the database, since
// SQLite's own checkpoints would do that unseen. Each turn compares some pages of
// both files with their hashes: all of a small river DB, and a large one in turns.
type ledger struct {
	// They stay open as long as SQLite has the files open: closing one would take
	// SQLite's locks away.
	main, wal *os.File

	size   int      // of a page
	pages  []uint64 // hashes of the database's
	frames []frame  // of the journal
	copied int      // how many of them are in the database
	salt   uint64   // of the journal; another one begins it anew
	sum    checksum // of the journal's last frame

	nextPage, nextFrame int // to be compared
}

// A frame is one page in the journal.
type frame struct {
	page  int // from 1
	pages int // how many the database has after the transaction that it ends; 0: it ends none
	hash  uint64
}

const (
	walHead    = 32
	walMagic   = 0x377f0682 // of checksums in little endian; one more: in big endian
	frameHead  = 24
	pagesATurn = 256
	// checkpointAt is how many frames of the journal are copied at once, as SQLite's
	// own checkpoints do it.
	checkpointAt = 1000
)

// errSpoilt says that the files of a river DB are not as they were written.
var errForeignWrite = errors.New("others wrote there")

// A checksum is SQLite's, of a journal.
type checksum struct{ a, b uint32 }

func (c *checksum) add(order binary.ByteOrder, data []byte) {
	for ; len(data) >= 8; data = data[8:] {
		c.a += order.Uint32(data) + c.b
		c.b += order.Uint32(data[4:]) + c.a
	}
}

// openLedger begins a ledger of files as they are: they have just been opened, and
// checked. Copy runs a checkpoint.
func openLedger(path string, copied func() (frames, copied int, err error)) (*ledger, error) {
	l := &ledger{}
	var err error
	if l.main, err = os.Open(path); err != nil {
		return nil, err
	}
	if l.wal, err = os.Open(path + "-wal"); err != nil {
		return l, err
	}
	head := make([]byte, 100)
	if _, err := l.main.ReadAt(head, 0); err != nil {
		return l, err
	}
	if l.size = int(binary.BigEndian.Uint16(head[16:])); l.size == 1 {
		l.size = 1 << 16
	}
	if err := l.read(); err != nil {
		return l, err
	}
	if _, l.copied, err = copied(); err != nil {
		return l, err
	}
	for data := make([]byte, l.size); ; {
		n, err := l.main.ReadAt(data, int64(len(l.pages)*l.size))
		if err == io.EOF && n == 0 {
			return l, nil
		}
		if err != nil {
			return l, err
		}
		l.pages = append(l.pages, xxh3.Hash(data))
	}
}

// close closes the files; SQLite has closed them.
func (l *ledger) close() {
	for _, file := range []*os.File{l.main, l.wal} {
		if file != nil {
			_ = file.Close() // nothing was written there
		}
	}
}

// read takes up the frames that SQLite wrote to the journal since the last call.
func (l *ledger) read() error {
	head := make([]byte, walHead)
	if n, err := l.wal.ReadAt(head, 0); err == io.EOF && n == 0 && len(l.frames) == 0 {
		return nil
	} else if err != nil {
		return fmt.Errorf("%w: the journal is cut off: %w", errForeignWrite, err)
	}
	order := binary.ByteOrder(binary.LittleEndian)
	switch magic := binary.BigEndian.Uint32(head); magic {
	case walMagic:
	case walMagic + 1:
		order = binary.BigEndian
	default:
		return fmt.Errorf("%w: the journal is none", errForeignWrite)
	}
	if salt := binary.BigEndian.Uint64(head[16:]); salt != l.salt || len(l.frames) == 0 {
		if l.copied < len(l.frames) {
			return fmt.Errorf("%w: the journal began anew", errForeignWrite)
		}
		l.frames, l.copied, l.salt, l.sum = l.frames[:0], 0, salt, checksum{}
		l.sum.add(order, head[:24])
		if l.sum != (checksum{binary.BigEndian.Uint32(head[24:]), binary.BigEndian.Uint32(head[28:])}) {
			return fmt.Errorf("%w: the journal's head", errForeignWrite)
		}
	}
	for data := make([]byte, frameHead+l.size); ; {
		n, err := l.wal.ReadAt(data, l.at(len(l.frames)))
		if err != nil && err != io.EOF {
			return err
		}
		// What is left of the journal that this one replaced follows its end.
		if n < len(data) || binary.BigEndian.Uint64(data[8:]) != l.salt {
			break
		}
		sum := l.sum
		sum.add(order, data[:8])
		sum.add(order, data[frameHead:])
		if sum != (checksum{binary.BigEndian.Uint32(data[16:]), binary.BigEndian.Uint32(data[20:])}) {
			return fmt.Errorf("%w: frame %d of the journal", errForeignWrite, len(l.frames))
		}
		l.sum = sum
		l.frames = append(l.frames, frame{int(binary.BigEndian.Uint32(data)), int(binary.BigEndian.Uint32(data[4:])), xxh3.Hash(data[frameHead:])})
	}
	if n := len(l.frames); n > 0 && l.frames[n-1].pages == 0 {
		return fmt.Errorf("%w: the journal ends within a transaction", errForeignWrite)
	}
	return nil
}

// at is where a frame is in the journal.
func (l *ledger) at(frame int) int64 { return walHead + int64(frame)*int64(frameHead+l.size) }

// copy takes up that a checkpoint, which found so many frames in the journal, has
// copied them up to one.
func (l *ledger) markCopied(frames, copied int) error {
	if frames != len(l.frames) {
		return fmt.Errorf("%w: the journal has %d frames, and %d were written", errForeignWrite, len(l.frames), frames)
	}
	for _, f := range l.frames[l.copied:max(copied, l.copied)] {
		for len(l.pages) < f.page { // a page that nothing was written to is a hole
			l.pages = append(l.pages, xxh3.Hash(make([]byte, l.size)))
		}
		l.pages[f.page-1] = f.hash
	}
	l.copied = max(copied, l.copied)
	if l.copied == len(l.frames) && l.copied > 0 {
		l.pages = l.pages[:min(len(l.pages), l.frames[l.copied-1].pages)]
	}
	return nil
}

// compare compares the next so many pages of the database, and frames of the
// journal, with what was written there, and the sizes of both files.
func (l *ledger) compare(most int) error {
	info, err := l.main.Stat()
	if err != nil {
		return err
	}
	if want := int64(len(l.pages)) * int64(l.size); info.Size() != want {
		return fmt.Errorf("%w: %d bytes instead of %d", errForeignWrite, info.Size(), want)
	}
	data := make([]byte, l.size)
	for range min(most, len(l.pages)) {
		l.nextPage %= len(l.pages)
		if _, err := l.main.ReadAt(data, int64(l.nextPage)*int64(l.size)); err != nil || xxh3.Hash(data) != l.pages[l.nextPage] {
			return errors.Join(fmt.Errorf("%w: page %d", errForeignWrite, l.nextPage+1), err)
		}
		l.nextPage++
	}
	for range min(most, len(l.frames)) {
		l.nextFrame %= len(l.frames)
		if _, err := l.wal.ReadAt(data, l.at(l.nextFrame)+frameHead); err != nil || xxh3.Hash(data) != l.frames[l.nextFrame].hash {
			return errors.Join(fmt.Errorf("%w: frame %d of the journal", errForeignWrite, l.nextFrame), err)
		}
		l.nextFrame++
	}
	return nil
}
