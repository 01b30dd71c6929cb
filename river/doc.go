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
// open it, what is special. Where a post stands there is its order (decide_order.go,
// [timeline.Choice]): a river is kept, and live, in its own; pages in another, and
// those of a ranking's run that is not the last, are made for one answer.
//
// No timeline feeds a search (turn_search.go): in it is what matches its query. All but
// words is decided on facts, like everything else; words are asked of the primary
// once a turn, for all searches that live, and kept with the entry. How many
// notices a viewer has not read (turn_unread.go) is kept beside his rivers, and counted
// again when anything that it depends on changed.
//
// When rights change, what was taken away is gone with the turn that reads the
// change: all that is shown is tested in memory against the sets and access of
// now. The rest is brought in line a chunk a turn: the rivers of a viewer whose
// sets changed are swept from the top (turn_sweep.go), the posts of a timeline whose
// access changed by jobs (turn_jobs.go). Neither adds nor removes, but makes what is
// there the state of now, so the order of flips does not matter; both are written
// with their turn, so a restart goes on where they stopped.
//
// Files are named by the stage that they belong to:
//
//   - kind…: the pages that there are, and what feeds each
//   - node.go, state.go, loop.go: a node, what it knows, and its loop
//   - turn….go: what a turn reads (turn_route.go, turn_draft.go, turn_fill.go), makes of
//     the state (turn_apply.go), and leaves to later turns (turn_marks.go,
//     turn_sweep.go, turn_jobs.go)
//   - decide….go: whether a post is in a river, where, and whether that is news
//   - build….go: first visits, and entries below a floor
//   - page_….go: what visits and sockets are shown (page_view.go has the types)
//   - db_….go: the river DB
//   - room_….go: what goes where there is no room
//   - check.go, the oracle; quarantine.go; settings.go; hooks.go, for tests that hold a
//     node at a point of its work
//
// Tests stand beside what they test. Those of many stages at once are scenario_…, and
// random_… where anything may happen.
//
// What was decided otherwise than one might expect (docs/decisions has more), and why:
//
//   - Memory is the whole working set, and SQLite its journal: a page costs no
//     statement at all. So a river DB that is lost under a running node takes no
//     river with it: turns go on without it, and what the node knows is written to
//     a new one, a chunk a turn (db_rebuild.go).
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
