// Package house has tests that read the source of the repository and check the source against
// the project's rules: which packages must not import which, with reasons; a doc comment for
// each package; a comment for each exported name, and no name that repeats its package's;
// settings from the command line alone; small files; a glossary without unused words; and
// references that lead to files, headings, tests, names in the code and rows of the checklist.
//
// The package exports nothing.
package house
