package pgtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"amstel.dev/amstel/internal/pgserver"
	"amstel.dev/amstel/migrations"
)

// keptFor is the age at which a kept cluster of other migrations is removed.
const keptFor = 7 * 24 * time.Hour

// keptCluster returns the folder for the cluster with the template of these migrations and this
// PostgreSQL, or an empty text if no folder can be used or PostgreSQL is missing.
func keptCluster(ctx context.Context) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	version, err := pgserver.Version(ctx, programs())
	if err != nil {
		return "" // the start of the server says why
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n", version, cleaning)
	err = fs.WalkDir(migrations.Files(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations.Files(), path)
		fmt.Fprintf(sum, "%s\n%s\n", path, text)
		return err
	})
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "amstel-test", fmt.Sprintf("%x", sum.Sum(nil)[:12]))
}

// keep copies the server's cluster to its folder, and removes old copies. Two processes may do
// this at the same time. An unwritable cache is no error: tests only take longer.
func keep(ctx context.Context, server *pgserver.Server, kept string) error {
	parent := filepath.Dir(kept)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil
	}
	fresh, err := os.MkdirTemp(parent, "new-")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(fresh)
	cluster := filepath.Join(fresh, "cluster")
	if err := server.CopyTo(ctx, cluster); err != nil {
		return err
	}
	// If this fails because the folder exists, another process has renamed its own cluster to it.
	if err := os.Rename(cluster, kept); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	others, _ := os.ReadDir(parent) // what stays is removed by a later run
	for _, other := range others {
		if info, err := other.Info(); err == nil && time.Since(info.ModTime()) > keptFor && other.Name() != filepath.Base(kept) {
			_ = os.RemoveAll(filepath.Join(parent, other.Name())) // another process may do it, too
		}
	}
	return nil
}
