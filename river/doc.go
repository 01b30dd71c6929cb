// Package river is a node's rivers: what each viewer sees on each page that
// somebody visited lately, built on the first visit and kept right since.
//
// A [Node] keeps its rivers in memory, and in a disposable SQLite database
// behind it, so that a restart goes on where it stopped. One loop owns all of
// it. A turn of the loop opens one snapshot of the primary, reads what changed,
// decides and folds whole state, writes it to SQLite together with the cursor
// of the change log, and publishes it at once. So a node always stands at one
// state of the primary as a whole, and a turn that fails changes nothing.
//
// The law it keeps (the oracle): once marks, sweeps and jobs are worked off,
// every living river shows what a fresh build of it shows over the range it
// holds. One function says what is in a river (decide), whether a change, a build
// or a check asks; and one composes what is shown of it ([state.entry]), which
// tests the visibility rule once more.
//
// Each kind of river is a few fields in kind.go: which timelines feed it, who may
// open it, what is special. Where a post stands there is its order (order.go,
// [timeline.Choice]): a river is kept, and live, in its own; pages in another, and
// those of a ranking's run that is not the last, are made for one answer.
//
// No timeline feeds a search (search.go): in it is what matches its query. All but
// words is decided on facts, like everything else; words are asked of the primary
// once a turn, for all searches that live, and kept with the entry. How many
// notices a viewer has not read (unread.go) is kept beside his rivers, and counted
// again when anything that it depends on changed.
//
// When rights change, what was taken away is gone with the turn that reads the
// change: all that is shown is tested in memory against the sets and access of
// now. The rest is brought in line a chunk a turn: the rivers of a viewer whose
// sets changed are swept from the top (sweep.go), the posts of a timeline whose
// access changed by jobs (job.go). Neither adds nor removes, but makes what is
// there the state of now, so the order of flips does not matter; both are written
// with their turn, so a restart goes on where they stopped.
//
// What was decided otherwise than one might expect (docs/decisions has more), and why:
//
//   - Memory is the whole working set, and SQLite its journal: a page costs no
//     statement at all. So a river DB that is lost under a running node takes no
//     river with it: turns go on without it, and what the node knows is written to
//     a new one, a chunk a turn (save.go).
//   - A post that can't be shown without a panic is left out of every river until
//     it changes (quarantine.go), rather than that one entry is shown as a ruin.
//   - A turn has a limit of time. A node whose turns never come through, while the
//     primary answers, starts over at the head of the log (loop.go).
//   - What pages are told counts from is above anything that an earlier life of the
//     river DB had: its counter begins at the time of day.
//   - An entry that a sweep has not come to yet is decided when it is shown,
//     rather than hidden where the change might hide it. That costs a look at its
//     facts, and nobody misses for a while what he may still read.
//   - Of a river that nobody has open, a sweep keeps one chunk. Below that, to
//     build it again costs less, and mostly nobody asks.
//   - Jobs take turns, a chunk each, so that a feed of fifty thousand posts keeps
//     nobody waiting whose own has fifty; and a newer change of a timeline begins
//     its jobs anew, in the place of those under way.
//
// Not here: who people are and who may read what (package timeline), sockets
// (package realtime), pages (package web).
package river
