// Package debian holds the files of the Debian package, which scripts/package builds, and the tests
// that install the built package into a copy of the machine's system.
//
// The package exports nothing.
package debian
