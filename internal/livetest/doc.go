// Package livetest models the rivers of a node, for tests of package realtime and of the script on
// pages. The model is small enough to be checked by reading.
//
// A model river keeps every state of each of its entries. So the changes between two counters in a
// window are looked up, not computed as in a node. The model has no database, no loop, and no
// rights except those that a test sets.
package livetest
