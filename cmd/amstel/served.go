package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"amstel.dev/amstel/internal/lockfile"
)

// lockName is the file in a data folder that a serve holds; it says whose it
// is, in two lines: pid and address.
const lockName = "serve.lock"

// say tells others who serves.
func say(lock *lockfile.Lock, address string) error {
	if err := lock.Say(fmt.Sprintf("%d\n%s\n", os.Getpid(), address)); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return nil
}

// whoServes tells who serves a data folder, or did last.
func whoServes(data string) (pid, address string) {
	text, err := lockfile.Text(filepath.Join(data, lockName))
	if err != nil {
		return "", ""
	}
	pid, address, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return pid, address
}
