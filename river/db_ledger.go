package river

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zeebo/xxh3"
)

// A ledger has a hash of every page that the files of a river DB should contain, so
// that changes by other processes are noticed. Sizes and times of the files are not
// enough, because each write by SQLite changes both. They reveal only changes
// between two writes of this process, and not, for example, that a file was
// truncated and then extended again by the next write, with a hole between.
//
// The journal proves which pages SQLite wrote: each frame has one page, and a
// checksum over the journal up to the end of the frame. So a ledger reads the new
// frames after each write, and computes a hash of each page from the journal, never
// from the database. Checkpoints by SQLite itself would move pages unnoticed, so the
// ledger decides when pages are copied from the journal to the database. Each turn
// compares some pages of both files with their hashes: all pages of a small river
// DB, and a large one over several turns. The format of the journal is described in
// https://www.sqlite.org/fileformat2.html#walformat.
//
// For example, when a page is overwritten by another program, its hash no longer
// matches. The turn that finds the page discards the river DB, and the next turns
// write a new one.
type ledger struct {
	// Both files stay open as long as SQLite has them open: closing one would
	// release SQLite's POSIX locks on the file.
	main, wal *os.File

	size   int      // the size of a page
	pages  []uint64 // the hashes of the database's pages
	frames []frame  // of the journal
	copied int      // how many of the frames are copied to the database
	salt   uint64   // the salt in the journal's head; a new salt begins a new journal
	sum    checksum // the checksum of the journal's last frame

	nextPage, nextFrame int // the next page and frame to compare
}

// A frame is one page in the journal.
type frame struct {
	page  int // the number of the page, from 1
	pages int // the size of the database in pages after the transaction that the frame ends; 0: the frame ends none
	hash  uint64
}

const (
	walHead    = 32
	walMagic   = 0x377f0682 // for little-endian checksums; plus one: for big-endian
	frameHead  = 24
	pagesATurn = 256
	partsARead = 16 // pages or frames that are read from a file at once
	// checkpointAt is the number of journal frames that triggers a checkpoint, as
	// by default in SQLite.
	checkpointAt = 1000
)

// errForeignWrite reports that another process changed the files of a river DB.
var errForeignWrite = errors.New("another process changed the files")

// A checksum is the running checksum that SQLite computes over a journal.
type checksum struct{ a, b uint32 }

// add adds data to the checksum, eight bytes after eight bytes.
//
// Little-endian data, which SQLite writes on most machines, has a loop of its own: the compiler
// knows the byte order there, and needs no call for each number.
func (c *checksum) add(order binary.ByteOrder, data []byte) {
	if order == binary.ByteOrder(binary.LittleEndian) {
		for ; len(data) >= 8; data = data[8:] {
			c.a += binary.LittleEndian.Uint32(data) + c.b
			c.b += binary.LittleEndian.Uint32(data[4:]) + c.a
		}
		return
	}
	for ; len(data) >= 8; data = data[8:] {
		c.a += order.Uint32(data) + c.b
		c.b += order.Uint32(data[4:]) + c.a
	}
}

// openLedger opens a ledger of files that were just opened and checked. Copied runs
// a checkpoint, and returns how many frames the journal has and how many of these are
// in the database.
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
		if errors.Is(err, io.EOF) && n == 0 {
			return l, nil
		}
		if err != nil {
			return l, err
		}
		l.pages = append(l.pages, xxh3.Hash(data))
	}
}

// close closes the files, after SQLite has closed them.
func (l *ledger) close() {
	for _, file := range []*os.File{l.main, l.wal} {
		if file != nil {
			_ = file.Close() // nothing was written there
		}
	}
}

// read adds the frames that SQLite wrote to the journal since the last call.
func (l *ledger) read() error {
	head := make([]byte, walHead)
	if n, err := l.wal.ReadAt(head, 0); errors.Is(err, io.EOF) && n == 0 && len(l.frames) == 0 {
		return nil
	} else if err != nil {
		return fmt.Errorf("%w: the journal is truncated: %w", errForeignWrite, err)
	}
	order := binary.ByteOrder(binary.LittleEndian)
	switch magic := binary.BigEndian.Uint32(head); magic {
	case walMagic:
	case walMagic + 1:
		order = binary.BigEndian
	default:
		return fmt.Errorf("%w: the journal has no valid head", errForeignWrite)
	}
	if salt := binary.BigEndian.Uint64(head[16:]); salt != l.salt || len(l.frames) == 0 {
		if l.copied < len(l.frames) {
			return fmt.Errorf("%w: the journal began anew", errForeignWrite)
		}
		l.frames, l.copied, l.salt, l.sum = l.frames[:0], 0, salt, checksum{}
		l.sum.add(order, head[:24])
		if l.sum != (checksum{binary.BigEndian.Uint32(head[24:]), binary.BigEndian.Uint32(head[28:])}) {
			return fmt.Errorf("%w: the checksum of the journal's head is wrong", errForeignWrite)
		}
	}
	for data := make([]byte, frameHead+l.size); ; {
		n, err := l.wal.ReadAt(data, l.offset(len(l.frames)))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		// Frames of an earlier journal may follow the last frame of this journal. Their salt
		// differs.
		if n < len(data) || binary.BigEndian.Uint64(data[8:]) != l.salt {
			break
		}
		sum := l.sum
		sum.add(order, data[:8])
		sum.add(order, data[frameHead:])
		if sum != (checksum{binary.BigEndian.Uint32(data[16:]), binary.BigEndian.Uint32(data[20:])}) {
			return fmt.Errorf("%w: frame %d of the journal is wrong", errForeignWrite, len(l.frames))
		}
		l.sum = sum
		l.frames = append(l.frames, frame{int(binary.BigEndian.Uint32(data)), int(binary.BigEndian.Uint32(data[4:])), xxh3.Hash(data[frameHead:])})
	}
	if n := len(l.frames); n > 0 && l.frames[n-1].pages == 0 {
		return fmt.Errorf("%w: the journal ends within a transaction", errForeignWrite)
	}
	return nil
}

// offset returns the offset of a frame in the journal.
func (l *ledger) offset(frame int) int64 { return walHead + int64(frame)*int64(frameHead+l.size) }

// markCopied records the result of a checkpoint: the journal has so many frames, and the first
// copied ones are in the database. It returns an error if the ledger knows another number of
// frames.
func (l *ledger) markCopied(frames, copied int) error {
	if frames != len(l.frames) {
		return fmt.Errorf("%w: the journal has %d frames, and %d were written", errForeignWrite, len(l.frames), frames)
	}
	for _, f := range l.frames[l.copied:max(copied, l.copied)] {
		for len(l.pages) < f.page { // a page that was never written is a hole
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

// compare compares up to most pages of the database, and up to most frames of the journal, with
// their hashes, and the size of the database with the recorded one. Each call continues where
// the last one ended.
func (l *ledger) compare(most int) error {
	info, err := l.main.Stat()
	if err != nil {
		return err
	}
	if want := int64(len(l.pages)) * int64(l.size); info.Size() != want {
		return fmt.Errorf("%w: the database has %d bytes instead of %d", errForeignWrite, info.Size(), want)
	}
	page := func(i int) uint64 { return l.pages[i] }
	if l.nextPage, err = compareParts(l.main, 0, l.size, 0, l.nextPage, most, len(l.pages), page); err != nil {
		return fmt.Errorf("%w: page %d of the database is wrong: %w", errForeignWrite, l.nextPage+1, err)
	}
	frame := func(i int) uint64 { return l.frames[i].hash }
	if l.nextFrame, err = compareParts(l.wal, walHead, frameHead+l.size, frameHead, l.nextFrame, most, len(l.frames), frame); err != nil {
		return fmt.Errorf("%w: frame %d of the journal is wrong: %w", errForeignWrite, l.nextFrame, err)
	}
	return nil
}

// errOtherHash reports that a part of a file has another hash than the recorded one.
var errOtherHash = errors.New("its hash differs from the recorded one")

// compareParts compares up to most of the count parts of a file with their hashes, from part
// next on; the first part comes after the last one. The parts begin at offset and have size
// bytes each, of which the first skip bytes have no hash. Many parts are read at once.
// compareParts returns the part that differs or, without an error, the part to go on with.
func compareParts(file *os.File, offset int64, size, skip, next, most, count int, hash func(int) uint64) (int, error) {
	most = min(most, count)
	data := make([]byte, min(most, partsARead)*size)
	for most > 0 {
		if next >= count {
			next = 0
		}
		n := min(most, partsARead, count-next)
		if _, err := file.ReadAt(data[:n*size], offset+int64(next)*int64(size)); err != nil {
			return next, err
		}
		for i := range n {
			if xxh3.Hash(data[i*size+skip:(i+1)*size]) != hash(next) {
				return next, errOtherHash
			}
			next++
		}
		most -= n
	}
	return next, nil
}
