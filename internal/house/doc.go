// Package house holds the repository to its own rules, by tests that read its
// source: which package may import which and why not, that each says what it
// is, that settings come from the command line, that files stay small, and that what texts
// refer to is there: files, headings, tests, names of the code, rows of the checklist.
//
// There is nothing to import here.
package house
