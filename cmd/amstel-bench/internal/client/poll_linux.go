package client

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"syscall"
	"time"
)

// smallBuffer is how much the kernel keeps for a page that is to get stuck, of
// what it was sent and did not read, and smallSegment how much goes into one
// segment for it: the sender's own buffer is as large as some segments are.
const (
	smallBuffer  = 2 << 10
	smallSegment = 536
)

// atATime is how many connections are looked after between two looks at what
// else there is to do.
const atATime = 256

// A poller says which of many connections have something to read. A goroutine
// for each would cost more than what is measured.
type poller struct {
	fd     int
	bell   [2]int // a pipe
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

// watch has the poller tell when there is something to read, and when something
// can be written if that is asked for.
func (p *poller) watch(fd int, write bool) error { return p.control(syscall.EPOLL_CTL_ADD, fd, write) }

// reads has it tell only of what there is to read, from now on.
func (p *poller) reads(fd int) error { return p.control(syscall.EPOLL_CTL_MOD, fd, false) }

// ignore has it tell nothing.
func (p *poller) ignore(fd int) error { return p.control(syscall.EPOLL_CTL_DEL, fd, false) }

// wait tells of some connections that are ready, or returns when the bell rings
// or the time is over; less than nothing is no limit.
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
		_, _ = syscall.Read(fd, rung[:]) // nothing there is as good
	}
	return nil
}

// ring ends a wait that is under way, or the next one.
func (p *poller) ring() { _, _ = syscall.Write(p.bell[1], []byte{0}) } // a full pipe rings, too

func (p *poller) close() error {
	return errors.Join(syscall.Close(p.fd), syscall.Close(p.bell[0]), syscall.Close(p.bell[1]))
}

// dial begins to connect; the connection can be written to once it is there. One
// with small buffers is soon stuck when the loop does not read it.
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

// connected says how connecting ended.
func connected(fd int) error {
	code, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ERROR)
	if err == nil && code != 0 {
		err = syscall.Errno(code)
	}
	return os.NewSyscallError("connect", err)
}

// send writes all of something short.
func send(fd int, data []byte) error {
	n, err := syscall.Write(fd, data)
	if err == nil && n < len(data) {
		err = syscall.EAGAIN
	}
	return os.NewSyscallError("write", err)
}

// receive reads what is there; ok is false where that is nothing yet.
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

// hangUp closes a connection; abruptly, the other side is told at once that all
// is lost, as when a machine goes.
func hangUp(fd int, abruptly bool) {
	if abruptly {
		_ = syscall.SetsockoptLinger(fd, syscall.SOL_SOCKET, syscall.SO_LINGER, &syscall.Linger{Onoff: 1})
	}
	_ = syscall.Close(fd) // it is gone in any case
}
