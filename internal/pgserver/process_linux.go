package pgserver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// dieWithParent asks the kernel for SIGQUIT, PostgreSQL's immediate stop, when the thread
// that starts the process ends.
func dieWithParent(attr *syscall.SysProcAttr) *syscall.SysProcAttr {
	attr.Pdeathsig = syscall.SIGQUIT
	return attr
}

// children returns the processes that a process has started.
func children(pid int) []int {
	var all []int
	paths, _ := filepath.Glob("/proc/[0-9]*") // fails for a bad pattern only
	for _, path := range paths {
		child, err := strconv.Atoi(filepath.Base(path))
		if err != nil {
			continue
		}
		if parent, _ := parentOf(child); parent == pid {
			all = append(all, child)
		}
	}
	return all
}

// alive reports whether a process runs. It returns false for a zombie, which has ended but whose
// parent has not waited for it.
func alive(pid int) bool {
	_, state := parentOf(pid)
	return state != 0 && state != 'Z' && state != 'X'
}

// parentOf returns the parent and the state of a process, zero if there is no
// such process.
func parentOf(pid int) (parent int, state byte) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	// The name, in brackets, may have any characters, also brackets.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, 0
	}
	parent, err = strconv.Atoi(string(fields[1]))
	if err != nil {
		return 0, 0
	}
	return parent, fields[0][0]
}
