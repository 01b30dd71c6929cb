// Package livetest is a node's rivers as a model, small enough to be seen to be
// right: for tests of what is pushed to pages ([realtime]) and of the script
// that runs on them.
//
// A model river remembers every state that each of its entries has ever had, so
// what has changed between two counters in a window is looked up, not worked
// out. It has no database, no loop and no rights but the ones a test sets.
package livetest
