package bench

import (
	"bytes"
	"compress/flate"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUpgrade(t *testing.T) {
	t.Parallel()
	sum := sha1.Sum([]byte(upgradeKey + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	if want := base64.StdEncoding.EncodeToString(sum[:]); upgradeAccept != want {
		t.Errorf("the answer to the key is %q, expected %q", want, upgradeAccept)
	}
	const good = "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: " + upgradeAccept + "\r\n\r\n"
	for _, tt := range []struct {
		answer string
		size   int
		err    string
	}{
		{good + "more", len(good), ""},
		{good[:len(good)-1], 0, ""},
		{"", 0, ""},
		{"HTTP/1.1 503 Service Unavailable\r\n\r\n", 0, "503"},
		{"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: x\r\n\r\n", 0, "something else"},
		{strings.Repeat("x", 9<<10), 0, "no end"},
	} {
		size, err := upgraded([]byte(tt.answer))
		if size != tt.size || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%.40q: %d, %v; want %d, %q", tt.answer, size, err, tt.size, tt.err)
		}
	}
}

// unmasked is a frame as a server sends it.
func unmasked(op byte, payload []byte) []byte {
	frame := masked(op, payload, [4]byte{})
	frame[1] &= 0x7f
	head := len(frame) - len(payload)
	return append(frame[:head-4:head-4], payload...)
}

func TestFrames(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 125, 126, 1000, 1<<16 - 1, 1 << 16, 100_000} {
		payload := bytes.Repeat([]byte("amstel"), size/6+1)[:size]
		frame := unmasked(opText, payload)
		for _, cut := range []int{0, 1, 2, 3, 5, len(frame) / 2, len(frame) - 1} {
			if cut < 0 || cut >= len(frame) {
				continue
			}
			if _, n, err := nextFrame(frame[:cut]); n != 0 || err != nil {
				t.Errorf("%d of the %d bytes of a frame: %d, %v", cut, len(frame), n, err)
			}
		}
		f, n, err := nextFrame(append(frame[:len(frame):len(frame)], "next"...))
		if err != nil || n != len(frame) || f.op != opText || !bytes.Equal(f.payload, payload) {
			t.Errorf("a frame of %d bytes is read as %d of %d, %v", size, len(f.payload), n, err)
		}
		own := masked(opText, payload, maskKey)
		head := len(own) - size
		for i := range payload {
			own[head+i] ^= maskKey[i%4]
		}
		if !bytes.Equal(own[head:], payload) || own[1]&0x80 == 0 {
			t.Errorf("a frame of %d bytes is not masked as it should be", size)
		}
	}
	for _, bad := range []string{"\x01\x00", "\xc1\x00", "\x81\x80", "\x82\x7f\x00\x00\x00\x00\xff\x00\x00\x00"} {
		if _, _, err := nextFrame([]byte(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	code, reason := closeReason([]byte("\x0f\xa8slow"))
	if diff := cmp.Diff([]any{4008, "slow"}, []any{code, reason}); diff != "" {
		t.Error(diff)
	}
	if code, _ := closeReason(nil); code != 0 {
		t.Errorf("no reason is %d", code)
	}
}

func FuzzNextFrame(f *testing.F) {
	f.Add([]byte("\x81\x05hello"))
	f.Add([]byte("\x82\x7e\x01\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		frame, n, err := nextFrame(data)
		if n < 0 || n > len(data) || len(frame.payload) > n || err != nil && n > 0 {
			t.Errorf("%d of %d bytes, %d of payload, %v", n, len(data), len(frame.payload), err)
		}
	})
}

// In a swarm, what comes may be cut anywhere.
func TestSocketsReadWhatComesInPieces(t *testing.T) {
	t.Parallel()
	var stream []byte
	for i := range 5 {
		stream = append(stream, unmasked(opText, []byte(markOf(i)+strings.Repeat("x", i*70)))...)
	}
	for _, piece := range []int{1, 2, 7, 100, len(stream)} {
		s := &swarm{socks: []*sock{{newest: -1, state: sockOpen, fd: -1}}}
		k := s.socks[0]
		for from := bytes.NewReader(stream); ; {
			part := make([]byte, piece)
			n, err := from.Read(part)
			if err == io.EOF {
				break
			}
			s.take(k, part[:n], testTime)
			clear(part) // what is kept must be a copy
		}
		if k.newest != 4 || len(k.part) != 0 || k.state != sockOpen {
			t.Errorf("in pieces of %d: the newest mark is %d, %d bytes are left, %v", piece, k.newest, len(k.part), k.why)
		}
	}
}

// What came is read into the same memory each time, so that nothing of one frame
// may be taken for another's.
func TestPackedFramesOfOneLength(t *testing.T) {
	t.Parallel()
	s := &swarm{socks: []*sock{{newest: -1, state: sockOpen, fd: -1}}}
	k := s.socks[0]
	var came []byte
	for i := range 3 {
		came = append(came[:0], unmasked(opBinary, []byte(stored(markOf(i))))...)
		s.take(k, came, testTime)
		if k.newest != i {
			t.Errorf("after mark %d the newest is %d, %v", i, k.newest, k.why)
		}
	}
	d := &door{}
	k.page = newLivePage(d)
	k.page.epoch = "e"
	for i := range 3 {
		frame := fmt.Sprintf(`{"type":"patch","epoch":"e","from":%d,"to":%d,"ops":[]}`, i, i+1)
		came = append(came[:0], unmasked(opBinary, []byte(stored(frame)))...)
		s.take(k, came, testTime)
		if k.page.counter != int64(i+1) {
			t.Errorf("after patch %d the page stands at %d", i, k.page.counter)
		}
	}
}

// stored is a text packed so that it gets no shorter.
func stored(text string) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.NoCompression) // there is that level
	io.WriteString(w, text)
	w.Close()
	return b.String()
}
