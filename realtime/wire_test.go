package realtime

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"testing"
	"time"
)

// wired returns a wire over loopback, and its other end, with little room in the kernel's buffer
// for unread bytes.
func wired(t *testing.T) (*wire, net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	far, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := far.(*net.TCPConn).SetReadBuffer(64 << 10); err != nil {
		t.Fatal(err)
	}
	near, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{}
	w.open(near, nil)
	t.Cleanup(func() {
		w.Close()
		far.Close()
	})
	return w, far
}

// readFrame reads a frame as a client does.
func readFrame(r *bufio.Reader) (op byte, data []byte, err error) {
	var head [2]byte
	if _, err = io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	size := uint64(head[1])
	switch {
	case size == 126:
		var n uint16
		err = binary.Read(r, binary.BigEndian, &n)
		size = uint64(n)
	case size == 127:
		err = binary.Read(r, binary.BigEndian, &size)
	}
	if err != nil {
		return 0, nil, err
	}
	data = make([]byte, size)
	_, err = io.ReadFull(r, data)
	return head[0], data, err
}

func TestFramesOfAllLengths(t *testing.T) {
	t.Parallel()
	for _, length := range []int{0, 1, 125, 126, 127, 65_535, 65_536, 200_000} {
		message := bytes.Repeat([]byte("x"), length)
		frame := framed(opText, message)
		op, data, err := readFrame(bufio.NewReader(bytes.NewReader(frame)))
		if err != nil || op != opText || !bytes.Equal(data, message) {
			t.Errorf("%d bytes are read as %d of %x: %v", length, len(data), op, err)
		}
		if !bytes.Equal(payload(frame), message) {
			t.Errorf("of %d bytes the payload is %d", length, len(payload(frame)))
		}
	}
}

// TestFramesStayWhole writes frames of all sizes and control frames at once to a slow reader.
// Some writers wait; others write only as much as there is room for. The reader gets whole
// frames, in the order of each writer.
func TestFramesStayWhole(t *testing.T) {
	t.Parallel()
	w, far := wired(t)
	const frames, pings = 400, 2000
	var writers sync.WaitGroup
	blocked := 0
	writers.Go(func() {
		rnd := rand.New(rand.NewPCG(1, 1))
		var by attempt
		for i := range frames {
			message := append(binary.BigEndian.AppendUint32(nil, uint32(i)), bytes.Repeat([]byte{byte(i)}, rnd.IntN(20_000))...)
			rest, err := w.try(framed(opBinary, message), &by)
			if err == nil && len(rest) > 0 {
				blocked++
				err = w.finish(rest, time.Now().Add(time.Minute))
			}
			if err != nil {
				t.Errorf("frame %d: %v", i, err)
				return
			}
		}
	})
	writers.Go(func() {
		for i := range pings {
			if _, err := w.Write(framed(0x89, binary.BigEndian.AppendUint32(nil, uint32(i)))); err != nil {
				t.Errorf("ping %d: %v", i, err)
				return
			}
		}
	})
	in := bufio.NewReaderSize(far, 700)
	next := map[byte]uint32{}
	for range frames + pings {
		op, data, err := readFrame(in)
		if err != nil || op != opBinary && op != 0x89 {
			t.Fatalf("a frame of %x: %v", op, err)
		}
		if n := binary.BigEndian.Uint32(data); n != next[op] {
			t.Fatalf("frame %d of %x came, and %d was to", n, op, next[op])
		}
		for _, b := range data[4:] {
			if b != byte(next[op]) {
				t.Fatalf("frame %d of %x has another's bytes", next[op], op)
			}
		}
		next[op]++
	}
	writers.Wait()
	if blocked == 0 {
		t.Error("no write would have waited")
	}
}

func TestNothingFollowsAClosingFrame(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]func(w *wire, frame []byte) error{
		"tried": func(w *wire, frame []byte) error {
			_, err := w.try(frame, &attempt{})
			return err
		},
		"finished":      func(w *wire, frame []byte) error { return w.finish(frame, time.Now().Add(time.Minute)) },
		"the library's": func(w *wire, frame []byte) error { _, err := w.Write(frame); return err },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, far := wired(t)
			if err := say(w, closing(CodeSlow, "too slow")); err != nil {
				t.Fatal(err)
			}
			text := framed(opText, []byte("after"))
			if _, err := w.try(text, &attempt{}); !errors.Is(err, errClosed) {
				t.Errorf("tried: %v", err)
			}
			if err := w.finish(text, time.Now().Add(time.Minute)); !errors.Is(err, errClosed) {
				t.Errorf("finished: %v", err)
			}
			if _, err := w.Write(closing(CodeSlow, "an answer")); err != nil {
				t.Errorf("the library is to believe that it answered: %v", err)
			}
			w.Close()
			all, err := io.ReadAll(far)
			if want := closing(CodeSlow, "too slow"); err != nil || !bytes.Equal(all, want) {
				t.Errorf("%q came, not %q: %v", all, want, err)
			}
		})
	}
}

// fill writes the part of a frame for which there is room, and returns the rest.
func fill(t *testing.T, w *wire) []byte {
	t.Helper()
	rest, err := w.try(framed(opBinary, make([]byte, 16<<20)), &attempt{})
	if err != nil || len(rest) == 0 {
		t.Fatalf("%d bytes are left: %v", len(rest), err)
	}
	return rest
}

func TestAWriteEndsInTime(t *testing.T) {
	t.Parallel()
	w, _ := wired(t)
	if err := w.finish(fill(t, w), time.Now().Add(time.Millisecond)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a stuck write ended with %v", err)
	}
}

func TestDropEndsAWrite(t *testing.T) {
	t.Parallel()
	w, _ := wired(t)
	rest := fill(t, w)
	ended := make(chan error)
	go func() { ended <- w.finish(rest, time.Now().Add(time.Hour)) }()
	w.drop()
	if err := <-ended; err == nil {
		t.Error("a stuck frame was written")
	}
}

func TestBytesThatCameWithTheUpgradeAreReadFirst(t *testing.T) {
	t.Parallel()
	near, far := net.Pipe()
	defer far.Close()
	w := &wire{}
	w.open(near, []byte("early "))
	defer w.Close()
	go func() {
		_, _ = far.Write([]byte("and late"))
		far.Close()
	}()
	all, err := io.ReadAll(w)
	if err != nil || string(all) != "early and late" {
		t.Errorf("%q, %v", all, err)
	}
}
