package main

// paths is the code that is broken where none is named: what decides, a turn, what
// pages that slept are told, and what a revocation takes away.
var paths = []string{
	"river/decide.go", "river/route.go", "river/turn.go", "river/apply.go", "river/install.go", "river/sweep.go", "river/job.go",
	"river/watch.go", "river/visit.go", "river/unread.go", "timeline/access_rule.go",
}

// flags are those of a package's tests: random runs repeat one seed, so that a
// mutant that is killed today is killed tomorrow.
var flags = map[string][]string{
	"river": {"-oracle.seed=1", "-oracle.steps=240"},
}
