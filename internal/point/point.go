// Package point names the places where a process may be made to die, for tests
// of what a kill leaves behind: between a commit and what follows it, within a
// chunk of work, before a turn is published.
//
// A place calls [Reached] with its name. That costs one read and does nothing,
// until a test of the whole program has said with [On] what is to happen: its
// process kills itself there, as the kernel or a power cut would. There is no
// setting, no flag and no address that does so in a program that serves.
package point

import "sync/atomic"

var hook atomic.Pointer[func(name string)]

// On has hit called with the name of each place that is reached from now on, by
// whatever goroutine reaches it; nil: nothing any more.
func On(hit func(name string)) {
	if hit == nil {
		hook.Store(nil)
		return
	}
	hook.Store(&hit)
}

// Reached says that the place of that name is reached. Names are those of the
// package and what has just been done there, as "river: written".
func Reached(name string) {
	if hit := hook.Load(); hit != nil {
		(*hit)(name)
	}
}
