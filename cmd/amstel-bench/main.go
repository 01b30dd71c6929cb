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

// streams are the input and output of the command. Records go to out, and everything else to err.
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

// cli is the command line.
type cli struct {
	Measure bench      `cmd:"" default:"withargs" help:"Measure the project's promises of speed, and write a line of JSON for each measurement. This is the default command."`
	Compare comparison `cmd:"" help:"Compare two runs, record by record."`
	Models  laboratory `cmd:"" help:"Measure each source of rivers on the same community, and recommend one for it."`
}

// A task is the work of a command.
type task interface {
	check() error // tests the settings that kong can't test
	run(ctx context.Context, to streams) error
}

// run is main without the process, for tests. It returns the exit code.
func run(ctx context.Context, args []string, to streams) int {
	var c cli
	helped := false
	parser, err := kong.New(&c,
		kong.Name("amstel-bench"),
		kong.Description("Measure on a scratch database."),
		kong.Writers(to.out, to.err),
		kong.Exit(func(int) { helped = true }), // kong goes on parsing after --help
		kong.DefaultEnvars("AMSTEL"),
	)
	if err != nil {
		to.notice(err.Error())
		return exitFailed
	}
	do := task(&c.Measure)
	parsed, err := parser.Parse(args)
	if err == nil && !helped {
		switch parsed.Selected().Name {
		case "models":
			do = &c.Models
		case "compare":
			do = &c.Compare
		}
		err = do.check()
	}
	switch {
	case helped:
		return 0
	case err != nil:
		to.notice(fmt.Sprintf("%v (amstel-bench --help shows what there is)", err))
		return exitUsage
	}
	err = do.run(ctx, to)
	if err == nil || errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return 0 // a signal asked the command to stop
	}
	to.notice(err.Error())
	return exitFailed
}
