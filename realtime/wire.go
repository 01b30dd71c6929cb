package realtime

import (
	"encoding/binary"
	"errors"
	"net"
	"syscall"
	"time"

	"github.com/coder/websocket"
)

// The first bytes of the frames that are written here. All are unfragmented and unmasked.
const (
	opText   = 0x80 | 0x1
	opBinary = 0x80 | 0x2
	opClose  = 0x80 | 0x8
)

// controlFrame is the length of the longest control frame. The library writes no others.
const controlFrame = 2 + 125

// A wire is the connection under a socket. The library reads from it, and writes its
// answers to pings and closing frames to it. Data frames are written by [wire.try] and
// [wire.finish], because many sockets are sent the same bytes, and because a round must
// wait for none of them.
//
// A frame that was begun is finished before anything else is written, and nothing is
// written after a closing frame.
type wire struct {
	net.Conn
	raw   syscall.RawConn // nil if the connection can't be written to without waiting, such as TLS
	early []byte          // bytes that came with the upgrade, to be read first

	// lock holds one value while a frame is being written. A channel serves as the lock because
	// the lock is held while a write waits for the client: a test in a synctest bubble goes on
	// past a goroutine that waits for a channel, and not past a goroutine that waits for a mutex.
	lock       chan struct{}
	closed     bool // a closing frame was written, or begun; guarded by lock
	unfinished bool // try began a frame and still has the lock; of the goroutine that writes the page's frames
}

// open begins to use a hijacked connection. early has the bytes that the HTTP server has read
// already.
func (w *wire) open(conn net.Conn, early []byte) {
	w.Conn, w.early, w.lock = conn, early, make(chan struct{}, 1)
	if can, ok := conn.(syscall.Conn); ok {
		if raw, err := can.SyscallConn(); err == nil {
			w.raw = raw
		}
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(sendBuffer) // after an error the buffer has the kernel's size, which works too
	}
}

// Read reads from the client, the early bytes first.
func (w *wire) Read(p []byte) (int, error) {
	if len(w.early) == 0 {
		return w.Conn.Read(p)
	}
	n := copy(p, w.early)
	if w.early = w.early[n:]; len(w.early) == 0 {
		w.early = nil
	}
	return n, nil
}

// Write writes a control frame for the library, which bounds the wait. After a closing
// frame Write does nothing and reports success: the library does not know of the closing
// frames that are written here.
func (w *wire) Write(frame []byte) (int, error) {
	w.lock <- struct{}{}
	defer w.release()
	if w.closed {
		return len(frame), nil
	}
	w.closed = frame[0] == opClose
	return w.Conn.Write(frame)
}

// acquire takes the lock if no frame is being written, and reports whether it did.
func (w *wire) acquire() bool {
	select {
	case w.lock <- struct{}{}:
		return true
	default:
		return false
	}
}

// release releases the lock. Another goroutine than the owner may release the lock.
func (w *wire) release() { <-w.lock }

// try writes as much of a frame as can be written without waiting, and returns the rest.
// The caller must pass the rest, if there is any, to [wire.finish] next.
func (w *wire) try(frame []byte, by *attempt) (rest []byte, err error) {
	if w.raw == nil || !w.acquire() {
		return frame, nil
	}
	if w.closed {
		w.release()
		return nil, errClosed
	}
	n, err := by.write(w.raw, frame)
	if err != nil || n == 0 || n == len(frame) {
		w.closed = n > 0 && frame[0] == opClose
		w.release()
		return frame[n:], err
	}
	w.closed = frame[0] == opClose
	w.unfinished = true
	return frame[n:], nil
}

// finish writes a frame, or the rest of one, and waits for the connection until the
// deadline.
func (w *wire) finish(frame []byte, deadline time.Time) error {
	if !w.unfinished {
		w.lock <- struct{}{}
		if w.closed {
			w.release()
			return errClosed
		}
		w.closed = frame[0] == opClose
	}
	w.unfinished = false
	defer w.release()
	if err := w.SetWriteDeadline(deadline); err != nil {
		return err
	}
	if _, err := w.Conn.Write(frame); err != nil {
		return err
	}
	_ = w.SetWriteDeadline(time.Time{}) // fails only if the connection has ended since
	return nil
}

// drop closes the connection, and ends all waits on the connection. If a frame is stuck, the
// kernel throws the bytes away instead of keeping them for the client.
func (w *wire) drop() {
	if w.acquire() {
		w.release()
	} else if tcp, ok := w.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	w.Close()
}

// An attempt makes writes that do not wait. One attempt makes many writes, one after another, so
// that no write allocates.
type attempt struct {
	frame []byte
	n     int
	err   error
	call  func(fd uintptr) bool // the method value of system, made once
}

// write writes as much of the frame as the system takes at once, and returns how much.
func (a *attempt) write(to syscall.RawConn, frame []byte) (int, error) {
	if a.call == nil {
		a.call = a.system
	}
	a.frame = frame
	if err := to.Write(a.call); err != nil {
		return 0, err
	}
	a.frame = nil
	return a.n, a.err
}

// system makes the system call. It returns true, which ends [syscall.RawConn.Write].
func (a *attempt) system(fd uintptr) bool {
	for {
		n, err := syscall.Write(int(fd), a.frame)
		switch {
		case err == nil:
			a.n, a.err = n, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN): // the connection takes no more now
			a.n, a.err = 0, nil
		default:
			a.n, a.err = 0, err
		}
		return true
	}
}

// framed returns a message with the header of its frame.
func framed(op byte, payload []byte) []byte {
	frame := make([]byte, 0, len(payload)+10)
	frame = append(frame, op)
	switch n := len(payload); {
	case n < 126:
		frame = append(frame, byte(n))
	case n <= 0xffff:
		frame = binary.BigEndian.AppendUint16(append(frame, 126), uint16(n))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, 127), uint64(n))
	}
	return append(frame, payload...)
}

// closing returns a closing frame.
func closing(code websocket.StatusCode, reason string) []byte {
	return framed(opClose, append(binary.BigEndian.AppendUint16(nil, uint16(code)), short(reason)...))
}
