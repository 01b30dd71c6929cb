package main

import (
	"testing"
	"testing/fstest"
)

func TestMemoryOfAMachine(t *testing.T) {
	t.Parallel()
	const meminfo = "MemTotal:       16384000 kB\nMemFree:         1 kB\n"
	for name, test := range map[string]struct {
		files map[string]string
		want  byteSize
	}{
		"nothing is known":       {nil, 2 * gib},
		"no groups":              {map[string]string{"proc/meminfo": meminfo}, 16384000 * kib},
		"v2 without a limit":     {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n"}, 16384000 * kib},
		"v2":                     {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "1073741824\n"}, gib},
		"v2, of a group above":   {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "1073741824\n", "sys/fs/cgroup/a/memory.max": "536870912\n"}, 512 * mib},
		"v2 in a container":      {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n"}, gib},
		"v1":                     {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu,memory:/a\n4:pids:/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1073741824\n"}, gib},
		"v1 without a limit":     {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:memory:/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n"}, 16384000 * kib},
		"v1, by the host's path": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:memory:/docker/1\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n"}, gib},
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

func TestByteSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]byteSize{"0": 0, "12": 12, "12B": 12, "3KiB": 3 * kib, "512MiB": 512 * mib, "2 GiB": 2 * gib} {
		var got byteSize
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GiB", "-1", "1.5GiB", "2GB", "9223372036854775807KiB"} {
		var got byteSize
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}
