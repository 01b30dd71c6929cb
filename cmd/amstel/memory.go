package main

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// byteSize is a number of bytes, as people write one: 512MiB, 2GiB.
type byteSize int64

const (
	kib byteSize = 1 << 10
	mib byteSize = 1 << 20
	gib byteSize = 1 << 30
)

// UnmarshalText reads a whole number with a unit: B, KiB, MiB or GiB; none is B.
func (s *byteSize) UnmarshalText(text []byte) error {
	number, unit := string(text), byteSize(1)
	for _, u := range []struct {
		name string
		size byteSize
	}{{"KiB", kib}, {"MiB", mib}, {"GiB", gib}, {"B", 1}} {
		if rest, is := strings.CutSuffix(number, u.name); is {
			number, unit = rest, u.size
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/int64(unit) {
		return fmt.Errorf("%q is no size: write a whole number and a unit, like 512MiB or 2GiB", text)
	}
	*s = byteSize(n) * unit
	return nil
}

// mostMemory is the most memory that rivers may take by default.
const mostMemory = 2 * gib

// defaultMemory returns how much memory rivers may take where no setting says so: a
// quarter of what the process may have, at most 2 GiB.
func defaultMemory() byteSize {
	have := memoryOf(os.DirFS("/"))
	if limit := debug.SetMemoryLimit(-1); limit < int64(have) { // GOMEMLIMIT
		have = byteSize(limit)
	}
	return min(have/4, mostMemory)
}

// memoryOf returns how much memory a process may have on a machine with such a file
// system: the machine's, or the least that its control groups allow, of version 1
// or 2. Where neither is known it is 2 GiB.
func memoryOf(root fs.FS) byteSize {
	have := byteSize(math.MaxInt64)
	if kb := field(root, "proc/meminfo", "MemTotal:"); kb > 0 {
		have = min(have, kb*kib)
	}
	text, _ := fs.ReadFile(root, "proc/self/cgroup") // a system without any has none
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // id, controllers, path
		if len(parts) < 3 {
			continue
		}
		var folder, file string
		switch {
		case parts[1] == "":
			folder, file = "sys/fs/cgroup", "memory.max"
		case strings.Contains(","+parts[1]+",", ",memory,"):
			folder, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		// A group's limit holds for those in it. In a container the path may be the
		// host's, and only the last of these files be there.
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			if limit := field(root, path.Join(folder, group, file), ""); limit > 0 {
				have = min(have, limit)
			}
			if group == "/" {
				break
			}
		}
	}
	if have == math.MaxInt64 {
		return 2 * gib
	}
	return have
}

// field returns the number after a name in a file, at its beginning for no name; 0:
// there is none.
func field(root fs.FS, file, name string) byteSize {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut("\n"+string(text), "\n"+name)
	words := strings.Fields(rest)
	if len(words) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil { // "max": there is no limit
		return 0
	}
	return byteSize(n)
}
