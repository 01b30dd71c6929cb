//go:build !linux

package pgserver

import "syscall"

// dieWithParent does nothing on this system: when the owner of a server is killed, the
// server runs on until the next owner of the folder stops it, see [Server.evict].
func dieWithParent(attr *syscall.SysProcAttr) *syscall.SysProcAttr { return attr }

// children returns none on this system. The backends of a killed postmaster end by themselves.
func children(int) []int { return nil }

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }
