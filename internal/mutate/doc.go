// Command mutate breaks code on purpose, one place at a time, and reports the
// breaks that no test notices.
//
// A mutant is one such break: a condition negated, && and || swapped, a comparison
// moved by its equal case, a statement or an early return dropped, true and false
// swapped. All mutants of a package are compiled into one test binary, each behind a
// switch that the environment turns on, so that a mutant costs no build, only a run
// of tests. Numbers are made one greater in the same way where they stand beside
// another operand. What is compiled reaches the compiler as an overlay: nothing is
// written into the tree.
//
// The tests of a package run once without any mutant first. That says which mutants
// no test reaches, and which tests are short: each mutant has to survive the tests that
// killed the mutants before it, then the shortest, then the longer ones, in three stages.
//
//	scripts/mutate                          the code named in paths.go
//	scripts/mutate river/decide.go          one file
//	scripts/mutate -func placesFor river    the functions of that name
//	scripts/mutate -sample 10 -seed 3       one mutant of ten
//	scripts/mutate -short                   short tests only; then again without -short
//
// Results are kept in a report, from which a run that was stopped goes on; a change
// of the package's code or tests starts its part of the report over. A survivor
// that changes nothing which a test could see is written to equivalent.txt, with
// the reason, and not tried again.
package main
