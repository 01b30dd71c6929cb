package report

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
)

// Profile calls do, and writes a CPU profile of the call into the folder, as NAME.pprof. If folder is
// empty, it writes no profile.
func Profile(ctx context.Context, folder, name string, do func(context.Context) error) (err error) {
	if folder == "" {
		return do(ctx)
	}
	file, err := os.Create(filepath.Join(folder, name+".pprof"))
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := pprof.StartCPUProfile(file); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	defer pprof.StopCPUProfile()
	return do(ctx)
}
