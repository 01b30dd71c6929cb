package node

import (
	"testing"
	"testing/fstest"
)

func TestMemoryOfAMachine(t *testing.T) {
	t.Parallel()
	const meminfo = "MemTotal:       16384000 kB\nMemFree:         1 kB\n"
	for name, test := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing is known":       {nil, 2 << 30},
		"no groups":              {map[string]string{"proc/meminfo": meminfo}, 16384000 << 10},
		"v2 without a limit":     {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n"}, 16384000 << 10},
		"v2":                     {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "1073741824\n"}, 1 << 30},
		"v2, of a group above":   {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "1073741824\n", "sys/fs/cgroup/a/memory.max": "536870912\n"}, 512 << 20},
		"v2 in a container":      {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n"}, 1 << 30},
		"v1":                     {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu,memory:/a\n4:pids:/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1073741824\n"}, 1 << 30},
		"v1 without a limit":     {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:memory:/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n"}, 16384000 << 10},
		"v1, by the host's path": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:memory:/docker/1\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n"}, 1 << 30},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := make(fstest.MapFS)
			for path, text := range test.files {
				root[path] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := memoryOf(root); got != test.want {
				t.Errorf("it is %d, want %d", got, test.want)
			}
		})
	}
}
