// Command mutate breaks code on purpose, one place at a time, and reports the breaks that no test
// notices.
//
// A mutant is one such break: a condition negated, && and || swapped, a comparison moved by its
// equal case, a statement or an early return dropped, true and false swapped, or a number beside
// another operand made one greater. All mutants of a package are compiled into one test binary,
// each behind a switch in the environment, so that a mutant costs no build, only a run of tests.
// The compiler reads the mutants as an overlay: nothing is written into the tree.
//
// The tests of a package, or those of the package that testsOf names, run once without any mutant
// first. This run finds the mutants that no test reaches, and the time of each test. Then each other
// mutant has to survive the tests that killed the mutants before it, and after them the shortest, the
// longer and the longest tests, in three stages.
//
//	scripts/mutate                          the code named in paths.go
//	scripts/mutate river/decide.go          one file
//	scripts/mutate -func placesFor river    the functions of that name
//	scripts/mutate -sample 10 -seed 3       one mutant of ten
//	scripts/mutate -short                   short tests only; then again without -short
//
// Results are kept in a report, from which a stopped run goes on; a change of the package's code
// or tests starts its part of the report over. A survivor that changes nothing visible to a test
// is written to equivalent.txt, with the reason, and not tried again.
package main
