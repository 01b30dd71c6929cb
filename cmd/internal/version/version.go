// Package version tells the version of a program.
package version

import "runtime/debug"

// Of returns the version of this program: the version that the linker set, or else the version recorded by Go.
func Of(linked string) string {
	if linked != "" {
		return linked
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
