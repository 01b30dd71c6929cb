package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// cli is the command line: each role is one field, and one file. Every flag
// can be given as an environment variable too, AMSTEL_ and its name unless
// another is named.
type cli struct {
	Serve    serveCmd    `cmd:"" help:"Do all of it in one process: pages, sockets, periodic jobs and, without --database, a private PostgreSQL."`
	Web      webCmd      `cmd:"" help:"Serve pages and sockets, as one of any number of nodes."`
	Cron     cronCmd     `cmd:"" help:"Do the primary's periodic jobs."`
	Import   importCmd   `cmd:"" help:"Take a file of a community's history, JSON Lines, into the primary. Doing it again adds nothing."`
	User     userCmd     `cmd:"" help:"Add accounts, and make tokens, passwords and sign-in links for them."`
	Settings settingsCmd `cmd:"" help:"List the settings of the site, or change one."`
	Migrate  migrateCmd  `cmd:"" help:"Bring the primary database to the newest schema."`
	Check    checkCmd    `cmd:"" help:"Compare every living river with a fresh build of it, print each difference in a line, and exit with 1 if there is one."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

// streams are where a role reads, and writes: what it was asked for to out,
// all else to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// notice tells the person at the terminal something.
func (s streams) notice(sentence string) { fmt.Fprintln(s.err, "amstel:", sentence) }

const (
	exitFailed = 1
	exitUsage  = 2
)

// run is main without the process, so that a test can call it. It returns the
// exit code.
func run(ctx context.Context, args []string, to streams) int {
	var c cli
	helped := false
	parser, err := kong.New(&c,
		kong.Name("amstel"),
		kong.Description("A small social network whose pages change by themselves while you look at them."),
		kong.Writers(to.out, to.err),
		kong.Exit(func(int) { helped = true }), // --help goes on parsing after it
		kong.DefaultEnvars("AMSTEL"),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(to),
	)
	if err != nil {
		to.notice(err.Error())
		return exitFailed
	}
	role, err := parser.Parse(args)
	switch {
	case helped:
		return 0
	case err != nil:
		to.notice(fmt.Sprintf("%v (amstel --help shows what there is)", err))
		return exitUsage
	}
	err = role.Run()
	if err == nil || errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return 0 // told to stop, and stopped
	}
	to.notice(err.Error())
	if _, ok := errors.AsType[*settingError](err); ok {
		return exitUsage
	}
	return exitFailed
}

// A settingError is a bad setting that shows only when it is used.
type settingError struct{ reason string }

func (e *settingError) Error() string { return e.reason }
