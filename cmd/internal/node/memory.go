package node

import (
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// mostMemory is the most memory that rivers may take by default.
const mostMemory = 2 << 30

// DefaultMemory returns the memory that rivers may take if no setting says so: a quarter of
// the memory of the process, at most 2 GiB.
func DefaultMemory() int64 {
	have := memoryOf(os.DirFS("/"))
	if limit := debug.SetMemoryLimit(-1); limit < have { // GOMEMLIMIT
		have = limit
	}
	return min(have/4, mostMemory)
}

// memoryOf returns the memory limit of a process, from the system's files: the machine's memory,
// or the smallest limit of its control groups, version 1 or 2. If neither is known, it returns 2
// GiB.
func memoryOf(root fs.FS) int64 {
	have := int64(math.MaxInt64)
	if kb := field(root, "proc/meminfo", "MemTotal:"); kb > 0 {
		have = min(have, kb<<10)
	}
	text, _ := fs.ReadFile(root, "proc/self/cgroup") // a system without control groups lacks the file
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
		// The limit of a group also applies to the groups in it. In a container, the path may be
		// that of the host, so that only the last of these files exists.
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
		return 2 << 30
	}
	return have
}

// field returns the number after a name in a file, or at the beginning of the file if name is
// empty; 0 if there is none.
func field(root fs.FS, file, name string) int64 {
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
	return n
}
