// Package house has tests that read the source of the repository and hold it to its own
// rules: which packages must not import which, and why; that each package has a doc comment;
// that names that are exported have a comment and do not repeat their package's; that settings
// come from the command line; that files stay small; and that references in
// texts are right, to files, headings, tests, names in the code and rows of the checklist.
//
// The package exports nothing.
package house
