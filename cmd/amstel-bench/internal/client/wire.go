package client

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"amstel.dev/amstel/realtime"
)

// This file has the parts of WebSocket (RFC 6455) that this client needs. The client must cost as little
// as possible, so it reads arriving frames without copying them.

// The kinds of frames.
const (
	opText   = 1
	opBinary = 2
	opClose  = 8
	opPing   = 9
	opPong   = 10
)

// upgradeKey is the client's key in the handshake, which need not be random here. upgradeAccept is the
// answer that the server must derive from it, to prove that it speaks WebSocket.
const (
	upgradeKey    = "YW1zdGVsIG1lYXN1cmluZw=="
	upgradeAccept = "q62dv8AsRttArqjZUiRNtsAA2qA="
)

// upgrade returns the HTTP request that opens a socket, for the person to whom the token belongs.
func upgrade(host, token string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "GET /live HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n", host)
	fmt.Fprintf(&b, "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Protocol: %s\r\n", upgradeKey, realtime.Subprotocol)
	if token != "" {
		fmt.Fprintf(&b, "X-API-Token: %s\r\n", token)
	}
	b.WriteString("\r\n")
	return []byte(b.String())
}

// upgraded returns the length of the answer to an upgrade, or 0 if a part of the answer has not arrived
// yet. Any answer but acceptance is an error.
func upgraded(answer []byte) (size int, err error) {
	head, _, whole := bytes.Cut(answer, []byte("\r\n\r\n"))
	if !whole {
		if len(answer) > 8<<10 {
			return 0, errors.New("the answer to the upgrade has no end")
		}
		return 0, nil
	}
	status, _, _ := bytes.Cut(head, []byte("\r\n"))
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 101 ")) {
		return 0, fmt.Errorf("the upgrade is answered with %q", status)
	}
	if !bytes.Contains(head, []byte(upgradeAccept)) {
		return 0, errors.New("the answer to the upgrade lacks the right Sec-WebSocket-Accept")
	}
	return len(head) + 4, nil
}

// A wireFrame is a frame that arrived. Its payload is a part of the buffer into which it was read.
type wireFrame struct {
	op      byte
	payload []byte
}

// nextFrame returns the first frame in the bytes read, and the frame's length. The length is 0 if the
// frame is incomplete.
func nextFrame(read []byte) (f wireFrame, size int, err error) {
	if len(read) < 2 {
		return f, 0, nil
	}
	if read[0]&0xf0 != 0x80 || read[1]&0x80 != 0 {
		return f, 0, fmt.Errorf("a frame begins with %x: it is in parts, packed or masked", read[:2])
	}
	f.op = read[0] & 0x0f
	length, head := uint64(read[1]), 2
	switch {
	case length == 126:
		if head = 4; len(read) < head {
			return f, 0, nil
		}
		length = uint64(binary.BigEndian.Uint16(read[2:]))
	case length == 127:
		if head = 10; len(read) < head {
			return f, 0, nil
		}
		length = binary.BigEndian.Uint64(read[2:])
	}
	if length > frameLimit {
		return f, 0, fmt.Errorf("a frame of %d bytes", length)
	}
	size = head + int(length)
	if len(read) < size {
		return f, 0, nil
	}
	f.payload = read[head:size]
	return f, size, nil
}

// masked returns a frame as a client must send it: masked with a key.
func masked(op byte, payload []byte, key [4]byte) []byte {
	frame := []byte{0x80 | op}
	switch n := len(payload); {
	case n < 126:
		frame = append(frame, 0x80|byte(n))
	case n < 1<<16:
		frame = binary.BigEndian.AppendUint16(append(frame, 0x80|126), uint16(n))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, 0x80|127), uint64(n))
	}
	frame = append(frame, key[:]...)
	for i, b := range payload {
		frame = append(frame, b^key[i%4])
	}
	return frame
}

// closeReason returns the code and the reason of a closing frame.
func closeReason(payload []byte) (code int, reason string) {
	if len(payload) < 2 {
		return 0, ""
	}
	return int(binary.BigEndian.Uint16(payload)), string(payload[2:])
}
