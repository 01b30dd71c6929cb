package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
)

// comparison is the command that compares two runs.
type comparison struct {
	Old       string  `arg:"" help:"File with the lines of a run."`
	New       string  `arg:"" help:"File with the lines of a later run."`
	Check     bool    `help:"Exit with 1 if a record is worse by more than the tolerance."`
	Tolerance float64 `default:"0.25" placeholder:"SHARE" help:"Share by which a record may be worse (${default})."`

	old, new *report.Run
}

// check reads the files.
func (c *comparison) check() (err error) {
	if c.Tolerance < 0 {
		return errTolerance
	}
	if c.old, err = report.ReadRunFile(c.Old); err != nil {
		return err
	}
	c.new, err = report.ReadRunFile(c.New)
	return err
}

var errTolerance = errors.New("--tolerance is too small")

// run prints the comparison.
func (c *comparison) run(_ context.Context, to streams) error {
	compared := report.Compare(c.old, c.new, c.Tolerance)
	if _, err := fmt.Fprint(to.out, compared); err != nil {
		return err
	}
	if c.Check {
		return worse(compared)
	}
	return nil
}

// worse returns an error that names the records that are worse by more than the tolerance, or nil if there are none
// or if nothing was compared.
func worse(compared *report.Comparison) error {
	if compared == nil {
		return nil
	}
	if names := compared.Failed(); len(names) > 0 {
		return fmt.Errorf("worse than before: %s", strings.Join(names, ", "))
	}
	return nil
}
