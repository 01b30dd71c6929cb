// Package plainrule is the access model written a second time, plainly: who may
// read, do and be told what, over the whole of a small site held in memory. Tests
// compare everything that the site shows with it. It is written from the words of
// docs/access.md, docs/bans.md, docs/kinds.md and docs/checklist.md, and not from the
// code; what stands in quotation marks is their sense.
//
// It shares no code with the site. It reads the primary's tables with plain
// select statements ([Read]), derives all it can from the fewest facts (who has
// access comes from a person's or group's status, what a filter timeline holds
// from the likes and comments themselves), and answers by looking at every row
// there is. It is slow on purpose: where it must be clever to be fast, it would
// be wrong in the same places as what it is compared with.
//
// Ids are plain numbers. Viewer 0 is everybody who is not signed in.
package plainrule
