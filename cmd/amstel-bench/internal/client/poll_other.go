//go:build !linux

package client

import (
	"errors"
	"net/netip"
	"time"
)

// errLinux reports that the poller, which serves many connections in one goroutine, exists for
// Linux only.
var errLinux = errors.New("open pages are measured on Linux only")

// A poller does nothing here: each of its methods that can fail returns errLinux.
type poller struct{}

func newPoller() (*poller, error)                      { return nil, errLinux }
func (*poller) watch(int, bool) error                  { return errLinux }
func (*poller) reads(int) error                        { return errLinux }
func (*poller) ignore(int) error                       { return errLinux }
func (*poller) wait(time.Duration, func(fd int)) error { return errLinux }
func (*poller) ring()                                  {}
func (*poller) close() error                           { return nil }
func dial(netip.AddrPort, bool) (int, error)           { return 0, errLinux }
func connected(int) error                              { return errLinux }
func send(int, []byte) error                           { return errLinux }
func receive(int, []byte) (n int, ok bool, err error)  { return 0, false, errLinux }
func hangUp(int, bool)                                 {}
