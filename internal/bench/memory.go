package bench

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
)

// memory is what this process has, in bytes.
type memory struct {
	resident int64 // as the system counts it; 0 where it can't be asked
	own      int64 // the heap that is in use, and stacks
}

// remembered looks at the memory after all that can be given back was.
func remembered() memory {
	for range 3 { // what pools keep goes with the second collection
		debug.FreeOSMemory()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return memory{resident(), int64(stats.HeapInuse + stats.StackInuse)}
}

// resident is the process's resident set.
func resident() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		if rest, found := bytes.CutPrefix(line, []byte("VmRSS:")); found {
			if fields := bytes.Fields(rest); len(fields) > 0 {
				kilobytes, _ := strconv.ParseInt(string(fields[0]), 10, 64) // 0 is as good as an error
				return kilobytes << 10
			}
		}
	}
	return 0
}

// each is what each of n has of the memory that was added, in KB.
func (m memory) each(before memory, n int) (resident, own float64) {
	kilobytes := func(now, then int64) float64 { return rounded(float64(now-then) / 1024 / float64(n)) }
	return kilobytes(m.resident, before.resident), kilobytes(m.own, before.own)
}
