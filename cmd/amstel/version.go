package main

import (
	"fmt"

	buildversion "amstel.dev/amstel/cmd/internal/version"
)

// version is the version of this binary, which the linker sets; see the Makefile.
var version string

type versionCmd struct{}

// Run prints the version of this binary.
func (versionCmd) Run(to streams) error {
	_, err := fmt.Fprintln(to.out, "amstel", versionName())
	return err
}

// versionName returns the version of this binary.
func versionName() string { return buildversion.Of(version) }
