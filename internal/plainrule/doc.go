// Package plainrule is the access model written a second time, plainly: what each viewer
// of a small site may read and do, and which notices each person gets. Tests compare
// everything that the server shows with it. The package follows docs/access.md,
// docs/bans.md, docs/kinds.md and docs/checklist.md, and not the code of the server. Text
// in quotation marks gives their sense.
//
// It shares no code with the server. [Read] reads the tables of the primary with plain
// select statements. Everything else is derived from the fewest facts: the access of a
// feed from the status of its person or group, the posts of a filter timeline from the
// likes and comments themselves. Each answer looks at every row. The package is slow on
// purpose: code that must be clever to be fast would be wrong in the same places as the
// code that it is compared with.
//
// Ids are plain numbers. Viewer 0 stands for all visitors without a session.
package plainrule
