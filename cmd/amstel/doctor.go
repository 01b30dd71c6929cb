package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"syscall"
	"time"

	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/timeline"
)

type doctorCmd struct {
	primary
	filePlace
	repositoryPlace
	mailSettings
	tlsSettings
	URL     string `placeholder:"ADDRESS" help:"Public address of the site (the address of the last amstel serve in --data)."`
	River   string `placeholder:"FILE" help:"File of the node's river DB (river.db in --data)."`
	Backups string `placeholder:"PLACE" help:"Repository of the backups: a folder, or s3://BUCKET/PREFIX. Without this flag, backups are not looked at."`
	JSON    bool   `name:"json" help:"Print the findings as JSON."`
}

// Validate returns an error for settings that make no sense.
func (c *doctorCmd) Validate() error {
	return errors.Join(c.filePlace.Validate(), c.mailSettings.Validate(), c.tlsSettings.Validate())
}

// The states of a finding.
const (
	stateOK      = "ok"
	stateWarning = "warning" // the site works, and something should be done soon
	stateProblem = "problem" // the site does not work, or loses data when something else fails
)

// A finding is what one check found.
type finding struct {
	Check string `json:"check"`
	State string `json:"state"`
	Text  string `json:"text"` // what is so, and what to do
}

// found returns a finding without the name of its check.
func found(state, format string, args ...any) finding {
	return finding{State: state, Text: fmt.Sprintf(format, args...)}
}

// A doctor makes the checks of a site.
type doctor struct {
	*doctorCmd
	db     *database // nil if the primary can't be reached
	store  *timeline.Store
	now    func() time.Time
	client *http.Client                    // for the public address
	limit  func() (open uint64, err error) // how many files the process may have open
}

// Run makes all checks, and prints their findings.
func (c *doctorCmd) Run(ctx context.Context, to streams) (err error) {
	d := &doctor{doctorCmd: c, now: time.Now, client: &http.Client{Timeout: addressWithin}, limit: openFileLimit}
	var findings []finding
	note := func(check string, f finding) {
		f.Check = check
		findings = append(findings, f)
	}
	db, unreachable := c.reach(ctx, to)
	if unreachable == nil {
		defer db.close(&err)
		d.db, d.store = db, timeline.New(db.pool, timeline.Options{})
	}
	for _, check := range d.checks() {
		switch {
		case !check.asksPrimary || unreachable == nil:
			note(check.name, check.run(ctx))
		case check.name == checkDatabase:
			note(check.name, found(stateProblem, "%v: start it, or correct --database or --data", unreachable))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return report(findings, c.JSON, to)
}

// reach connects to the primary. It makes no database in a data folder that does not exist.
func (c *doctorCmd) reach(ctx context.Context, to streams) (*database, error) {
	if _, err := os.Stat(c.Data); c.Database == "" && err != nil {
		return nil, fmt.Errorf("there is no database in %s", c.Data)
	}
	return c.connect(ctx, to)
}

// checkDatabase is the name of the check that the other checks of the primary depend on.
const checkDatabase = "database"

// A check is one question about a site.
type check struct {
	name        string
	asksPrimary bool // left out if the primary can't be reached
	run         func(context.Context) finding
}

// checks returns all checks.
func (d *doctor) checks() []check {
	all := []check{
		{checkDatabase, true, d.checkVersion},
		{"durability", true, d.checkDurability},
		{"clock", true, d.checkClock},
		{"schema", true, d.checkSchema},
		{"disk of the data", false, func(context.Context) finding { return roomIn(d.Data) }},
		{"disk of the database", true, d.checkDatabaseDisk},
		{"disk of the files", false, d.checkFilesDisk},
		{"files", true, d.checkFiles},
		{"pictures", false, checkPictures},
		{"river DB", false, d.checkRiver},
		{"open files", false, d.checkLimit},
		{"address", false, d.checkAddress},
		{"certificates", false, d.checkCertificates},
		{"mail server", false, d.checkMail},
		{"waiting mails", true, d.checkMails},
	}
	if d.Backups != "" {
		all = append(all, check{"backups", false, d.checkBackups})
	}
	return all
}

// report prints findings, and returns an error if one of them is a problem.
func report(findings []finding, asJSON bool, to streams) error {
	problems := 0
	for _, f := range findings {
		if f.State == stateProblem {
			problems++
		}
		if asJSON {
			continue
		}
		if _, err := fmt.Fprintf(to.out, "%-8s %s: %s\n", f.State, f.Check, f.Text); err != nil {
			return err
		}
	}
	if asJSON {
		out := json.NewEncoder(to.out)
		out.SetIndent("", "\t")
		if err := out.Encode(map[string]any{"findings": findings}); err != nil {
			return err
		}
	}
	switch problems {
	case 0:
		return nil
	case 1:
		return errors.New("there is a problem")
	}
	return fmt.Errorf("there are %d problems", problems)
}

// checkPictures looks for the program that makes pictures safe and small.
func checkPictures(context.Context) finding {
	if _, err := picture.New(picture.Limits{}, 1); err != nil {
		return found(stateWarning, "uploaded pictures are refused: %v", err)
	}
	return found(stateOK, "vipsthumbnail is installed")
}

// fewFiles is a limit of open files that a node of a small site may reach.
const fewFiles = 4096

// checkLimit compares the limit of open files with what open pages need.
func (d *doctor) checkLimit(context.Context) finding {
	limit, err := d.limit()
	switch {
	case err != nil:
		return found(stateWarning, "the limit of open files is not known: %v", err)
	case limit < fewFiles:
		return found(stateWarning, "a process may have %d files open, and each open page takes one: raise the limit (ulimit -n; systemd: LimitNOFILE=65536)", limit)
	}
	return found(stateOK, "a process may have %d open", limit)
}

// openFileLimit returns how many files this process may have open.
func openFileLimit() (uint64, error) {
	var limit syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)
	return limit.Cur, err
}
