package client

import (
	"bytes"
	"crypto/sha1"
	"encoding/base64"
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
		{"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: x\r\n\r\n", 0, "the right Sec-WebSocket-Accept"},
		{strings.Repeat("x", 9<<10), 0, "no end"},
	} {
		size, err := upgraded([]byte(tt.answer))
		if size != tt.size || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%.40q: %d, %v; want %d, %q", tt.answer, size, err, tt.size, tt.err)
		}
	}
}

// unmasked returns a frame as a server sends it.
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
