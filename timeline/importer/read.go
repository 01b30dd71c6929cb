package importer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
)

// lineMost is the largest length of a line, in bytes. It is many times the length of a text of 3,000
// escaped characters with lists of names.
const lineMost = 1 << 20

// A batch is a number of lines that are imported together or not at all.
type batch struct {
	lines []*line
	bytes int64 // of the input that was read when the batch was full
	err   error // the reason why no batch follows; io.EOF at the end of the file
}

// A reader cuts the input into batches.
type reader struct {
	size  int
	input *countingReader
	seed  maphash.Seed
	seen  map[string]firstLine // by identity
}

// A firstLine is the first line of an identity, with its hash.
type firstLine struct {
	line int
	hash uint64
}

// read starts a goroutine that reads batches of size lines from the input, and returns the channel on
// which it sends them. The last batch has an error; after it the goroutine closes both channels. The
// goroutine also sends the lines of each batch to ahead, unless the buffer of ahead is full.
func read(ctx context.Context, input io.Reader, size int, ahead chan<- []*line) <-chan batch {
	r := &reader{size, &countingReader{reader: input}, maphash.MakeSeed(), make(map[string]firstLine)}
	batches := make(chan batch, 1)
	go func() {
		defer close(batches)
		defer close(ahead)
		send := func(b batch) bool {
			select {
			case ahead <- b.lines:
			default:
			}
			select {
			case batches <- b:
				return true
			case <-ctx.Done():
				return false
			}
		}
		if err := r.batches(send); err != nil { // nil: the caller has stopped
			send(batch{bytes: r.input.n, err: err})
		}
	}()
	return batches
}

// batches calls send with each batch until send returns false. It returns the reason why no batch
// follows, or nil if send returned false. If a line is bad, the earlier lines of its batch are not
// sent.
func (r *reader) batches(send func(batch) bool) error {
	plain, err := unzip(r.input)
	if err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	scanner := bufio.NewScanner(plain)
	scanner.Buffer(make([]byte, 64<<10), lineMost)
	lines := make([]*line, 0, r.size)
	number, files, exported := 0, 0, false
	for scanner.Scan() {
		number++
		l, err := parse(number, scanner.Bytes(), exported)
		if err != nil {
			return newLineError(number, err.Error())
		}
		if l.kind == kindExport {
			if number > 1 {
				return l.errorf("an export is the first line of a file")
			}
			exported, l.exported = true, true
		}
		if err := r.checkRepeat(l); err != nil {
			return err
		}
		files += len(l.files(true))
		if lines = append(lines, l); len(lines) == r.size || files >= filesMost {
			files = 0
			if !send(batch{lines: lines, bytes: r.input.n}) {
				return nil
			}
			lines = make([]*line, 0, r.size)
		}
	}
	switch err := scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &LineError{number + 1, fmt.Sprintf("longer than %d bytes", lineMost)}
	case err != nil:
		return fmt.Errorf("read the file after line %d: %w", number, err)
	}
	if len(lines) > 0 && !send(batch{lines: lines, bytes: r.input.n}) {
		return nil
	}
	return io.EOF
}

// checkRepeat returns a [LineError] if an earlier line has the same identity as this line, but other
// content.
func (r *reader) checkRepeat(l *line) error {
	identity := l.identity()
	if identity == "" {
		return nil
	}
	hash := l.hash(r.seed)
	first, again := r.seen[identity]
	if !again {
		r.seen[identity] = firstLine{l.number, hash}
		return nil
	}
	if first.hash != hash {
		return l.errorf("%s %q is on line %d already, with other content", l.kind, l.external(), first.line)
	}
	return nil
}

// unzip returns the plain text of an input that may be gzipped.
func unzip(input io.Reader) (io.Reader, error) {
	buffered := bufio.NewReaderSize(input, 256<<10)
	magic, err := buffered.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return buffered, nil
	}
	return gzip.NewReader(buffered)
}

// A countingReader counts the bytes read through it. Only the reading goroutine may use the
// count.
type countingReader struct {
	reader io.Reader
	n      int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.reader.Read(p)
	c.n += int64(n)
	return n, err
}
