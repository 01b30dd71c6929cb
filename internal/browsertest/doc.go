// Package browsertest has tests of the whole site in headless Chromium: a primary, a node,
// sockets and pages on a port, and several people who use them at once.
//
// If Chromium is not installed, the tests are skipped; they fail if CI is set in the
// environment.
package browsertest
