package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"amstel.dev/amstel/internal/lockfile"
)

// lockName is the name of the file in a data folder that amstel serve locks. The file has
// two lines: the process id and the address of the site.
const lockName = "serve.lock"

// lockServing takes the lock of the data folder, which only one process that serves can have, and
// writes the address to listen on to the lock file. It returns an error that names the process that has the lock.
func lockServing(data, listen string) (*lockfile.Lock, error) {
	lock, err := lockfile.Take(filepath.Join(data, lockName))
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if lock == nil {
		pid, address := readServing(data)
		return nil, fmt.Errorf("amstel serve is already running in this data folder: pid %s, at %s", pid, address)
	}
	if err := writeServing(lock, "http://"+listen); err != nil { // the port is not known yet if it is 0
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// writeServing writes this process's id and its site's address to the lock file.
func writeServing(lock *lockfile.Lock, address string) error {
	if err := lock.Write(fmt.Sprintf("%d\n%s\n", os.Getpid(), address)); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return nil
}

// siteAddress returns the public address of the site: the given address, or, if none is given, the
// address that the last amstel serve had in the data folder.
func siteAddress(given, data string) (string, error) {
	if given == "" {
		_, given = readServing(data)
	}
	if given == "" {
		return "", &settingError{"--url is missing: amstel serve has not run in this data folder yet, so the address of the site is unknown"}
	}
	return publicURL(given, nil)
}

// readServing returns the id of the process that serves a data folder or served it last, and the
// address of its site. Both are empty if no process has served the folder.
func readServing(data string) (pid, address string) {
	text, err := lockfile.Text(filepath.Join(data, lockName))
	if err != nil {
		return "", ""
	}
	pid, address, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return pid, address
}
