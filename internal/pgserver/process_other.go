//go:build !linux

package pgserver

import "syscall"

// dieWithParent can't be had here: a server whose owner was killed runs on
// until the folder's next owner stops it, see [Server.evict].
func dieWithParent(attr *syscall.SysProcAttr) *syscall.SysProcAttr { return attr }

// children are not known here; those of a killed postmaster end by themselves.
func children(int) []int { return nil }

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }
