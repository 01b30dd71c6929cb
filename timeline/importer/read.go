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

// lineMost is how long a line may be, in bytes: a text of 3,000 characters,
// each escaped, and lists of names, fit many times.
const lineMost = 1 << 20

// A batch is lines that are taken together or not at all.
type batch struct {
	lines []*line
	bytes int64 // of the input read when the batch was full
	err   error // why there are no more batches; io.EOF at the end of the file
}

// A reader cuts the input into batches.
type reader struct {
	size  int
	input *countingReader
	seed  maphash.Seed
	seen  map[string]sight // by identity
}

// A sight is where something was first seen.
type sight struct {
	line int
	sum  uint64
}

// read starts to read the input, one goroutine ahead of who takes the batches.
// The last batch has an error; the channel is then closed, and so is ahead, which
// gets the lines of each batch unless it has enough to do.
func read(ctx context.Context, input io.Reader, size int, ahead chan<- []*line) <-chan batch {
	r := &reader{size, &countingReader{reader: input}, maphash.MakeSeed(), make(map[string]sight)}
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
		if err := r.batches(send); err != nil { // nil: nobody listens any longer
			send(batch{bytes: r.input.n, err: err})
		}
	}()
	return batches
}

// batches gives every batch to send until that answers false, and answers why
// there are no more. Lines before a bad one that do not fill a batch are not
// taken.
func (r *reader) batches(send func(batch) bool) error {
	plain, err := unzip(r.input)
	if err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	scanner := bufio.NewScanner(plain)
	scanner.Buffer(make([]byte, 64<<10), lineMost)
	lines := make([]*line, 0, r.size)
	number := 0
	for scanner.Scan() {
		number++
		l, err := parse(number, scanner.Bytes())
		if err != nil {
			return badLine(number, err.Error())
		}
		if err := r.notice(l); err != nil {
			return err
		}
		if lines = append(lines, l); len(lines) == r.size {
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

// notice holds the line against an earlier one of the same identity.
func (r *reader) notice(l *line) error {
	identity := l.identity()
	if identity == "" {
		return nil
	}
	sum := l.sum(r.seed)
	first, again := r.seen[identity]
	if !again {
		r.seen[identity] = sight{l.number, sum}
		return nil
	}
	if first.sum != sum {
		return l.bad("%s %q is on line %d already, with other content", l.kind, l.external(), first.line)
	}
	return nil
}

// unzip answers the plain text of a file that may be gzipped.
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

// A countingReader counts what was read. The count is for the goroutine that
// reads.
type countingReader struct {
	reader io.Reader
	n      int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.reader.Read(p)
	c.n += int64(n)
	return n, err
}
