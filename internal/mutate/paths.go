package main

// paths is the code that is broken where none is named: what decides, a turn, what
// pages that slept are told, and what a revocation takes away.
var paths = []string{
	"river/decide.go", "river/decide_access.go", "river/turn_route.go", "river/turn_marks.go", "river/turn.go", "river/turn_apply.go", "river/build_install.go", "river/turn_sweep.go", "river/turn_jobs.go",
	"river/page_watch.go", "river/page_visit.go", "river/turn_unread.go", "timeline/access_rule.go",
}

// flags are those of a package's tests: random runs repeat one seed, so that a
// mutant that is killed today is killed tomorrow.
var flags = map[string][]string{
	"river": {"-oracle.seed=1", "-oracle.steps=240"},
}
