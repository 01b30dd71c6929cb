package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// cli is the command line. Each role has one field here, and one file. Every flag can also be given as
// an environment variable: AMSTEL_ followed by the flag's name, unless the flag's env tag names another
// variable.
type cli struct {
	Serve    serveCmd    `cmd:"" help:"Run everything in one process: pages, sockets, periodic jobs and, without --database, a private PostgreSQL."`
	Demo     demoCmd     `cmd:"" help:"Serve a site of invented people who write by themselves, with data of its own."`
	Web      webCmd      `cmd:"" help:"Serve pages and sockets, as one of any number of nodes."`
	Cron     cronCmd     `cmd:"" help:"Run the periodic jobs of the primary database."`
	Import   importCmd   `cmd:"" help:"Import the history of a community from a file of JSON Lines. Importing the same file again adds nothing."`
	Export   exportCmd   `cmd:"" help:"Write what belongs to a person, or everything, as a zip file that amstel import reads again."`
	Backup   backupCmd   `cmd:"" help:"Write a backup of the database and the uploaded files, while the site serves."`
	Backups  backupsCmd  `cmd:"" help:"List the backups in a repository, or read one and compare it with its checksums."`
	Restore  restoreCmd  `cmd:"" help:"Restore a backup into an empty database and the place of uploaded files."`
	User     userCmd     `cmd:"" help:"Add accounts, suspend them, and make tokens, passwords and sign-in links for them."`
	Settings settingsCmd `cmd:"" help:"List the site's settings, or change one."`
	Bounce   bounceCmd   `cmd:"" help:"Read a message of a mail server from the input, which says that a mail of the site did not arrive, so that its address gets no more of them."`
	Migrate  migrateCmd  `cmd:"" help:"Migrate the primary database to the newest schema."`
	Check    checkCmd    `cmd:"" help:"Compare every river that a node keeps with a fresh build of that river, and the uploaded files with the rows that name them. Print one line for each difference, and exit with 1 if a river differs or a file is missing."`
	Doctor   doctorCmd   `cmd:"" help:"Look for what is wrong with the database, the disks, the files, the address and the backups of a site, and say what to do. Exit with 1 if there is a problem."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

// streams are the input and output of a role. The result of a command goes to out, and
// everything else to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// notice prints a sentence for the person at the terminal.
func (s streams) notice(sentence string) { fmt.Fprintln(s.err, "amstel:", sentence) }

const (
	exitFailed = 1
	exitUsage  = 2
	exitLater  = 75 // EX_TEMPFAIL of sysexits.h: a mail server keeps the message and tries again
)

// run runs a command line and returns the exit code. It is separate from main so that tests can
// call it.
func run(ctx context.Context, args []string, to streams) int {
	var c cli
	helped := false
	parser, err := kong.New(&c,
		kong.Name("amstel"),
		kong.Description("A small social network that updates as you read."),
		kong.Writers(to.out, to.err),
		kong.Exit(func(int) { helped = true }), // kong goes on parsing after --help
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
		to.notice(fmt.Sprintf("%v (amstel --help lists commands and flags)", err))
		return exitUsage
	}
	err = role.Run()
	if err == nil || errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return 0 // a signal asked the role to stop
	}
	to.notice(err.Error())
	if _, ok := errors.AsType[*settingError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*laterError](err); ok {
		return exitLater
	}
	return exitFailed
}

// A settingError is a fault in a setting that shows only when the setting is used, after the command
// line was parsed. It has the same exit code as a fault that the parser finds.
type settingError struct{ reason string }

func (e *settingError) Error() string { return e.reason }
