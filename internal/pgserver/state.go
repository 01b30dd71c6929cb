package pgserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A state is the file that the owner of a folder writes for joining processes.
type state struct {
	Owner      int    `json:"owner"`      // the process that started the server
	Postmaster int    `json:"postmaster"` // the server itself
	Socket     string `json:"socket"`     // the folder of its socket
}

// readState returns the state of a folder, zero if there was never an owner.
func readState(f folder) (state, error) {
	var s state
	text, err := os.ReadFile(f.state())
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("%s: %w", f.state(), err)
	}
	return s, nil
}

// writeState replaces the state as a whole, so that a reader never sees half of it.
func writeState(f folder, who *account, s state) error {
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	temp := f.state() + ".new"
	if err := os.WriteFile(temp, append(text, '\n'), 0o600); err != nil {
		return err
	}
	if err := who.own(temp); err != nil {
		return err
	}
	return os.Rename(temp, f.state())
}

// socketFolder creates the folder of the socket: the previous one if possible, because other
// processes may know it. Its path is short, because the path of a socket has at most 107 bytes.
func socketFolder(before string, who *account) (string, error) {
	if before != "" {
		err := os.Mkdir(before, 0o700)
		if err == nil {
			return before, who.own(before)
		}
		if errors.Is(err, fs.ErrExist) && private(before, who) {
			return before, nil
		}
	}
	path, err := os.MkdirTemp("/tmp", "amstel-")
	if err != nil {
		return "", err
	}
	return path, who.own(path)
}

// private reports whether only the account can have put files into the folder.
func private(path string, who *account) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		return false
	}
	want := os.Geteuid()
	if who != nil {
		want = who.uid
	}
	uid, _, err := ownerOf(path)
	return err == nil && uid == want
}
