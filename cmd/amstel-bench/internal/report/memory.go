package report

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
)

// Memory is the memory of this process, in bytes.
type Memory struct {
	Resident int64 // the resident set, see [Resident]
	Own      int64 // the heap in use and the stacks, as the Go runtime counts them
}

// ReadMemory returns the memory in use, after a garbage collection that returns free memory to the system.
func ReadMemory() Memory {
	for range 3 { // a sync.Pool lets go of its objects only in the second collection
		debug.FreeOSMemory()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return Memory{Resident(), int64(stats.HeapInuse + stats.StackInuse)}
}

// Resident returns the resident set of this process, in bytes. It returns 0 where the system does not
// have /proc.
func Resident() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		if rest, found := bytes.CutPrefix(line, []byte("VmRSS:")); found {
			if fields := bytes.Fields(rest); len(fields) > 0 {
				kilobytes, _ := strconv.ParseInt(string(fields[0]), 10, 64) // after an error it is 0
				return kilobytes << 10
			}
		}
	}
	return 0
}

// PerItem returns how much memory each of n items took that were made since before, in KB.
func (m Memory) PerItem(before Memory, n int) (resident, own float64) {
	kilobytes := func(now, then int64) float64 { return Round(float64(now-then) / 1024 / float64(n)) }
	return kilobytes(m.Resident, before.Resident), kilobytes(m.Own, before.Own)
}
