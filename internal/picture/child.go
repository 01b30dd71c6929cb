package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// limited is the shell command that sets the limits of the kernel and then runs the tool
// in place of the shell: no core file, $1 seconds of CPU, $2 KB of address space. Pages
// are more urgent than pictures, hence nice. The exit code 125 says that a limit could
// not be set.
const limited = `ulimit -c 0 && ulimit -t "$1" && ulimit -v "$2" || exit 125; shift 2; exec nice -n 10 "$@"`

// environment is the whole environment of the child process, without any variable of the
// server. It switches off the loaders that libvips calls untrusted, keeps pictures in
// memory, and lets one thread decode.
var environment = []string{
	"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "MALLOC_ARENA_MAX=2",
	"VIPS_BLOCK_UNTRUSTED=1", "VIPS_CONCURRENCY=1", "VIPS_DISC_THRESHOLD=16g", "VIPS_WARNING=0",
}

// The exit codes of the shell and of nice for a child that never became the tool.
const (
	exitLimits = 125
	exitNoRun  = 126
	exitNoTool = 127
)

// complaints is the number of bytes that are kept of the standard error of the tool.
const complaints = 1 << 10

// run makes one rendition with the tool, and returns its bytes. The upload goes in and the
// rendition comes out through pipes, so a crash leaves no file. If this process dies, the pipes
// break and the child ends.
func (m *Maker) run(ctx context.Context, upload []byte, header Header, within box, as string) ([]byte, error) {
	select {
	case m.slots <- struct{}{}:
		defer func() { <-m.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	limits := m.limits
	walled, cancel := context.WithTimeout(ctx, limits.Wall)
	defer cancel()
	load := "stdin[fail_on=truncated]"
	if header.Frames > 1 {
		load = "stdin[fail_on=truncated,n=-1]"
	}
	cpu := max(1, int(limits.CPU/time.Second))
	cmd := exec.CommandContext(walled, "/bin/sh", "-c", limited, "sh", strconv.Itoa(cpu), strconv.Itoa(limits.Memory>>10),
		m.tool, load, "--size", fmt.Sprintf("%dx%d>", within.width, within.height), "--output", as)
	if header.Profile { // without a profile they would shift colours, and fail for grey
		cmd.Args = append(cmd.Args, "--import-profile", "srgb", "--export-profile", "srgb")
	}
	cmd.Env = environment
	cmd.Dir = "/"
	cmd.Stdin = bytes.NewReader(upload)
	cmd.WaitDelay = 10 * time.Second
	made, said := &bounded{most: limits.Output}, &bounded{most: complaints, cut: true}
	cmd.Stdout, cmd.Stderr = made, said
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case made.full:
		return nil, fmt.Errorf("%w: a rendition has more than %d bytes", ErrEffort, limits.Output)
	case err == nil:
		return made.kept, nil
	case walled.Err() != nil:
		return nil, fmt.Errorf("vipsthumbnail did not finish within %v", limits.Wall)
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return nil, fmt.Errorf("run vipsthumbnail: %w", err)
	}
	why := strings.Join(strings.Fields(string(said.kept)), " ")
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return nil, fmt.Errorf("%w: vipsthumbnail ended by signal %q: %s", ErrEffort, status.Signal(), why)
	}
	switch exit.ExitCode() {
	case exitLimits, exitNoRun, exitNoTool:
		return nil, fmt.Errorf("run vipsthumbnail: %w: %s", err, why)
	}
	if strings.Contains(why, "Error creating thread") { // the machine has no room for one now
		return nil, fmt.Errorf("run vipsthumbnail: %w: %s", err, why)
	}
	return nil, fmt.Errorf("%w: %s", ErrDamaged, why)
}

// A bounded is a writer that keeps the first most bytes. A write beyond them fails, or is cut
// short if cut is set.
type bounded struct {
	kept []byte
	most int
	cut  bool
	full bool
}

// Write implements [io.Writer].
func (b *bounded) Write(p []byte) (int, error) {
	room := b.most - len(b.kept)
	if len(p) > room && !b.cut {
		b.full = true
		return 0, errors.New("too much was written")
	}
	b.kept = append(b.kept, p[:min(len(p), room)]...)
	return len(p), nil
}
