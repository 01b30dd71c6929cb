package client

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestSocketsReadWhatComesInPieces: the bytes of a frame may arrive in pieces that are cut anywhere.
func TestSocketsReadWhatComesInPieces(t *testing.T) {
	t.Parallel()
	var stream []byte
	for i := range 5 {
		stream = append(stream, unmasked(opText, []byte(Mark(i)+strings.Repeat("x", i*70)))...)
	}
	for _, piece := range []int{1, 2, 7, 100, len(stream)} {
		s := &socketLoop{sockets: []*socket{{newest: -1, state: socketOpen, fd: -1}}}
		k := s.sockets[0]
		for from := bytes.NewReader(stream); ; {
			part := make([]byte, piece)
			n, err := from.Read(part)
			if errors.Is(err, io.EOF) {
				break
			}
			s.handleInput(k, part[:n], testTime)
			clear(part) // the socket must keep a copy
		}
		if k.newest != 4 || len(k.part) != 0 || k.state != socketOpen {
			t.Errorf("in pieces of %d: the newest mark is %d, %d bytes are left, %v", piece, k.newest, len(k.part), k.why)
		}
	}
}

// TestPackedFramesOfOneLength: all frames are read into the same memory, so a frame must not be taken for an
// earlier one of the same length.
func TestPackedFramesOfOneLength(t *testing.T) {
	t.Parallel()
	s := &socketLoop{sockets: []*socket{{newest: -1, state: socketOpen, fd: -1}}}
	k := s.sockets[0]
	var came []byte
	for i := range 3 {
		came = append(came[:0], unmasked(opBinary, []byte(stored(Mark(i))))...)
		s.handleInput(k, came, testTime)
		if k.newest != i {
			t.Errorf("after mark %d the newest is %d, %v", i, k.newest, k.why)
		}
	}
	k.page = newFollowedPage(&loadedPage{})
	k.page.Epoch = "e"
	for i := range 3 {
		frame := fmt.Sprintf(`{"type":"patch","epoch":"e","from":%d,"to":%d,"ops":[]}`, i, i+1)
		came = append(came[:0], unmasked(opBinary, []byte(stored(frame)))...)
		s.handleInput(k, came, testTime)
		if k.page.Counter != int64(i+1) {
			t.Errorf("after patch %d the page stands at %d", i, k.page.Counter)
		}
	}
}

// stored returns a text in the form of compressed texts, without compressing it.
func stored(text string) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.NoCompression) // the level exists
	io.WriteString(w, text)
	w.Close()
	return b.String()
}
