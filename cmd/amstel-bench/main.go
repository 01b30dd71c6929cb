package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

// streams are where the command reads and writes: records to out, all else to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// notice prints something for the person at the terminal.
func (s streams) notice(sentence string) { fmt.Fprintln(s.err, "amstel-bench:", sentence) }

const (
	exitFailed = 1
	exitUsage  = 2
)

// run is main without the process, so that tests can call it. It returns the exit code.
func run(ctx context.Context, args []string, to streams) int {
	var b bench
	helped := false
	parser, err := kong.New(&b,
		kong.Name("amstel-bench"),
		kong.Description("Measure on a scratch database, and write a line of JSON for each thing measured."),
		kong.Writers(to.out, to.err),
		kong.Exit(func(int) { helped = true }), // --help goes on parsing after it
		kong.DefaultEnvars("AMSTEL"),
	)
	if err != nil {
		to.notice(err.Error())
		return exitFailed
	}
	if _, err = parser.Parse(args); err == nil && !helped {
		err = b.check()
	}
	switch {
	case helped:
		return 0
	case err != nil:
		to.notice(fmt.Sprintf("%v (amstel-bench --help shows what there is)", err))
		return exitUsage
	}
	err = b.run(ctx, to)
	if err == nil || errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return 0 // told to stop, and stopped
	}
	to.notice(err.Error())
	return exitFailed
}
