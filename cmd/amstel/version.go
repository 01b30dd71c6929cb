package main

import (
	"fmt"
	"runtime/debug"
)

// version is the version of this binary, which the linker sets; see the Makefile.
var version string

type versionCmd struct{}

// Run prints the version of this binary.
func (versionCmd) Run(to streams) error {
	_, err := fmt.Fprintln(to.out, "amstel", versionName())
	return err
}

// versionName returns the version set by the linker, or else the version recorded by Go.
func versionName() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return info.Main.Version
}
