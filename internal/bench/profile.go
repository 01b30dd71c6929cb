package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
)

// profiled does something, and writes a CPU profile of it where that is asked
// for.
func (r *run) profiled(ctx context.Context, name string, do func(context.Context) error) (err error) {
	if r.Profiles == "" {
		return do(ctx)
	}
	file, err := os.Create(filepath.Join(r.Profiles, name+".pprof"))
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
