package client

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"syscall"
	"time"
)

// A socket that shall get stuck has small buffers, so that few bytes fill them. smallBuffer is the size
// of its receive buffer in the kernel, in bytes. smallSegment is the size of its largest TCP segment:
// the kernel makes the sender's buffer only as large as a few segments.
const (
	smallBuffer  = 2 << 10
	smallSegment = 536
)

// atATime is the number of connections that the loop serves before it looks for other work.
const atATime = 256

// A poller waits for bytes on very many connections at once, by epoll. A goroutine for each connection
// would cost more than the measured site.
type poller struct {
	fd     int    // the epoll instance
	bell   [2]int // a pipe, into which ring writes to end a wait
	events [atATime]syscall.EpollEvent
}

func newPoller() (*poller, error) {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	p := &poller{fd: fd}
	if err := syscall.Pipe2(p.bell[:], syscall.O_CLOEXEC|syscall.O_NONBLOCK); err != nil {
		return nil, errors.Join(os.NewSyscallError("pipe2", err), syscall.Close(fd))
	}
	if err := p.watch(p.bell[0], false); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (p *poller) control(what, fd int, write bool) error {
	event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd)}
	if write {
		event.Events |= syscall.EPOLLOUT
	}
	return os.NewSyscallError("epoll_ctl", syscall.EpollCtl(p.fd, what, fd, &event))
}

// watch asks the poller to report when the connection can be read, and, if asked for, when it
// can be written.
func (p *poller) watch(fd int, write bool) error { return p.control(syscall.EPOLL_CTL_ADD, fd, write) }

// reads asks the poller to report only that the connection can be read.
func (p *poller) reads(fd int) error { return p.control(syscall.EPOLL_CTL_MOD, fd, false) }

// ignore asks the poller to report nothing about the connection.
func (p *poller) ignore(fd int) error { return p.control(syscall.EPOLL_CTL_DEL, fd, false) }

// wait waits until some connections are ready, and calls ready for up to atATime of them. It also
// returns when the bell rings, and after the time most; a negative time means no limit.
func (p *poller) wait(most time.Duration, ready func(fd int)) error {
	limit := -1
	if most >= 0 {
		limit = int((most + time.Millisecond - 1) / time.Millisecond)
	}
	n, err := syscall.EpollWait(p.fd, p.events[:], limit)
	if err != nil && !errors.Is(err, syscall.EINTR) {
		return os.NewSyscallError("epoll_wait", err)
	}
	for i := range max(n, 0) {
		fd := int(p.events[i].Fd)
		if fd != p.bell[0] {
			ready(fd)
			continue
		}
		var rung [64]byte
		_, _ = syscall.Read(fd, rung[:]) // an empty pipe is as good
	}
	return nil
}

// ring ends the present wait, or the next one.
func (p *poller) ring() { _, _ = syscall.Write(p.bell[1], []byte{0}) } // a full pipe ends a wait too

func (p *poller) close() error {
	return errors.Join(syscall.Close(p.fd), syscall.Close(p.bell[0]), syscall.Close(p.bell[1]))
}

// dial begins to connect, and does not wait. The connection exists when the poller reports that it can
// be written. A connection with small buffers is soon stuck if the loop does not read it.
func dial(to netip.AddrPort, small bool) (fd int, err error) {
	family, address := syscall.AF_INET6, syscall.Sockaddr(&syscall.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()})
	if to.Addr().Is4() {
		family, address = syscall.AF_INET, &syscall.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}
	}
	fd, err = syscall.Socket(family, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, os.NewSyscallError("socket", err)
	}
	if small {
		err = errors.Join(
			syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_RCVBUF, smallBuffer),
			syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, smallSegment))
	}
	if err == nil {
		err = syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1)
	}
	if err == nil {
		if err = syscall.Connect(fd, address); errors.Is(err, syscall.EINPROGRESS) {
			err = nil
		}
	}
	if err != nil {
		return 0, errors.Join(fmt.Errorf("connect to %v: %w", to, err), syscall.Close(fd))
	}
	return fd, nil
}

// connected returns nil if the connection was made, or else the error with which connecting ended.
func connected(fd int) error {
	code, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ERROR)
	if err == nil && code != 0 {
		err = syscall.Errno(code)
	}
	return os.NewSyscallError("connect", err)
}

// send writes data that is short enough for the send buffer. It is an error if not all of it is
// written at once.
func send(fd int, data []byte) error {
	n, err := syscall.Write(fd, data)
	if err == nil && n < len(data) {
		err = syscall.EAGAIN
	}
	return os.NewSyscallError("write", err)
}

// receive reads bytes that have arrived. ok is false if there are none yet. n is 0 and ok is true at the
// end of the stream.
func receive(fd int, into []byte) (n int, ok bool, err error) {
	n, err = syscall.Read(fd, into)
	switch {
	case err == nil:
		return n, true, nil
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EINTR):
		return 0, false, nil
	}
	return 0, false, os.NewSyscallError("read", err)
}

// hangUp closes a connection. If abruptly is set, it resets the connection: the other side learns at
// once that the connection is lost, as when a machine restarts.
func hangUp(fd int, abruptly bool) {
	if abruptly {
		_ = syscall.SetsockoptLinger(fd, syscall.SOL_SOCKET, syscall.SO_LINGER, &syscall.Linger{Onoff: 1})
	}
	_ = syscall.Close(fd) // the connection is gone even if this fails
}
