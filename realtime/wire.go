package realtime

import (
	"encoding/binary"
	"errors"
	"net"
	"syscall"
	"time"

	"github.com/coder/websocket"
)

// The first bytes of the frames that are written here: whole and unmasked.
const (
	opText   = 0x80 | 0x1
	opBinary = 0x80 | 0x2
	opClose  = 0x80 | 0x8
)

// controlFrame is the longest frame that the library writes, as data is not
// written by it: what fits goes out as one.
const controlFrame = 2 + 125

// A wire is the connection under a socket. The library reads from it, and
// writes its answers to pings and closings; what a page is sent is written here,
// because it is the same for many, and because nobody may wait for one of them:
// [wire.try] writes what goes without waiting.
//
// A frame that was begun is finished before anything else is written, and
// nothing is written after a closing frame.
type wire struct {
	net.Conn
	raw   syscall.RawConn // nil: it can't be written to without waiting, as where there is TLS
	early []byte          // came with the upgrade and is read first

	// lock holds one value while a frame is being written. A channel serves as the
	// lock because the lock is held while a write waits for the client: a test in
	// a synctest bubble goes on past a goroutine that waits for a channel, and not
	// past one that waits for a mutex.
	lock       chan struct{}
	closed     bool // a closing frame was written, or begun; guarded by lock
	unfinished bool // try began a frame and still has the lock; of the goroutine that writes the page's frames
}

// open is for a connection that was just taken over, and what came with it.
func (w *wire) open(conn net.Conn, early []byte) {
	w.Conn, w.early, w.lock = conn, early, make(chan struct{}, 1)
	if can, ok := conn.(syscall.Conn); ok {
		if raw, err := can.SyscallConn(); err == nil {
			w.raw = raw
		}
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(sendBuffer) // more is only held where somebody does not read
	}
}

// Read reads what the client sends.
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

// Write writes a control frame of the library's, which sees to it that it does
// not wait for ever. After a closing frame it is dropped: the library knows of
// its own only.
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

// release gives the lock back. The goroutine that releases need not be the one that took it.
func (w *wire) release() { <-w.lock }

// try writes a frame as far as it goes without waiting and returns the rest,
// which [wire.finish] is to be given next.
func (w *wire) try(frame []byte, by *attempt) (rest []byte, err error) {
	if w.raw == nil || !w.acquire() {
		return frame, nil
	}
	if w.closed {
		w.release()
		return nil, errOver
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

// finish writes a frame, or the rest of one, by then.
func (w *wire) finish(frame []byte, by time.Time) error {
	if !w.unfinished {
		w.lock <- struct{}{}
		if w.closed {
			w.release()
			return errOver
		}
		w.closed = frame[0] == opClose
	}
	w.unfinished = false
	defer w.release()
	if err := w.SetWriteDeadline(by); err != nil {
		return err
	}
	if _, err := w.Conn.Write(frame); err != nil {
		return err
	}
	_ = w.SetWriteDeadline(time.Time{}) // who was written to may have gone since
	return nil
}

// cut drops the connection, whoever waits for it. Where a frame is stuck on its
// way the kernel is not to keep it either.
func (w *wire) cut() {
	if w.acquire() {
		w.release()
	} else if tcp, ok := w.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	w.Close()
}

// An attempt is a write to a connection that may not wait. It is kept by who
// makes many, so that none allocates.
type attempt struct {
	frame []byte
	n     int
	err   error
	once  func(fd uintptr) bool
}

func (a *attempt) write(to syscall.RawConn, frame []byte) (int, error) {
	if a.once == nil {
		a.once = a.system
	}
	a.frame = frame
	if err := to.Write(a.once); err != nil {
		return 0, err
	}
	a.frame = nil
	return a.n, a.err
}

// system asks the system, and says that it is not to be asked again.
func (a *attempt) system(fd uintptr) bool {
	for {
		n, err := syscall.Write(int(fd), a.frame)
		switch {
		case err == nil:
			a.n, a.err = n, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN): // it would wait
			a.n, a.err = 0, nil
		default:
			a.n, a.err = 0, err
		}
		return true
	}
}

// framed is a message as it goes over the wire.
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

// closing is the frame that says why a connection ends.
func closing(code websocket.StatusCode, reason string) []byte {
	return framed(opClose, append(binary.BigEndian.AppendUint16(nil, uint16(code)), short(reason)...))
}
