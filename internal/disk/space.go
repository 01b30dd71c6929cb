// Package disk tells how much room a file system has.
package disk

import "syscall"

// Space returns how many bytes a user who is not root may still write to the file system of a path, and the size of this
// file system.
func Space(path string) (free, total int64, err error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(path, &stat); err != nil {
		return 0, 0, err
	}
	return int64(stat.Bavail) * int64(stat.Bsize), int64(stat.Blocks) * int64(stat.Bsize), nil
}
