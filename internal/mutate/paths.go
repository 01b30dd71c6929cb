package main

// paths is the code that is broken if the command names none: decisions, turns, patches and
// resumes, and revocations.
var paths = []string{
	"river/decide.go", "river/decide_access.go", "river/decide_changed.go", "river/decide_order.go", "river/turn_route.go", "river/turn_marks.go", "river/turn.go", "river/turn_apply.go", "river/build_install.go", "river/turn_sweep.go", "river/turn_jobs.go",
	"river/page_since.go", "river/page_watch.go", "river/page_visit.go", "river/turn_unread.go", "timeline/access_rule.go",
}

// flags are the flags of a package's tests. Random runs repeat one seed, so that a mutant killed
// today is killed tomorrow.
var flags = map[string][]string{
	"river": {"-oracle.seed=1", "-oracle.steps=240"},
}

// testsOf names the package whose tests are tried on a package without tests of its own.
var testsOf = map[string]string{
	"timeline/inbox": "river", // a choice is a river's
}
