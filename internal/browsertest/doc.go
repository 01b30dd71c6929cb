// Package browsertest drives the whole site in headless Chromium: a primary, a
// node, sockets and pages on a port, and several people at it at once. It has
// tests only.
//
// Where Chromium is not installed they are skipped, and fail if CI is set in
// the environment.
package browsertest
