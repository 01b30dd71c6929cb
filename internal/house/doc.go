// Package house holds the repository to its own rules, by tests that read its
// source: which package may import which and why not, that each says what it
// is, that settings come from the command line, and that files stay small.
//
// There is nothing to import here.
package house
