// Package river keeps a node's rivers: the content of each page for each viewer who visited the
// page lately. A river is built on the first visit, and kept up to date afterwards.
//
// A [Node] keeps its rivers in memory, and a copy of them in a disposable SQLite database, the
// river DB, so that a restarted node continues where it stopped. One goroutine, the loop, owns
// memory and copy. Each turn of the loop opens a snapshot of the primary, reads the changes,
// decides and folds the posts concerned, writes the result to SQLite together with the cursor of
// the change log, and publishes the result in one step. So a node always shows one state of the
// primary, and a turn that fails changes nothing.
//
// The package keeps one invariant, which an oracle tests: after the marks, sweeps and jobs are
// done, every living river shows the same as a fresh build of the river, over the range that the
// river holds. One function (decide) decides whether a post is in a river, for changes, builds and
// checks alike; one function ([state.entry]) composes the visible form of an entry, and applies
// the visibility rule once more.
//
// Each kind of river is a row of a table in kind.go: the timelines that feed the river, the
// viewers who may open it, and its special rules. The order of a river gives each post its place
// (decide_order.go, [timeline.Choice]). A river is held and live only in its own order; a page in
// another order, or of an earlier run of a ranking, is made for one answer.
//
// No timeline feeds a search (turn_search.go): its river has the posts that match its query.
// Everything but the query's words is decided on facts, as for other rivers. The words are looked
// up in the primary once a turn for all living searches, and the result is kept with the entry.
// The number of a viewer's unread notices (turn_unread.go) is kept with the viewer's rivers, and
// counted again after a change of anything that the number depends on.
//
// After a change of rights, everything that was taken away disappears with the turn that reads the
// change, because everything that is shown is tested in memory against the current sets and
// access. The rest follows in chunks, one each turn: a change of a viewer's sets sweeps the
// viewer's rivers from the top (turn_sweep.go), and a change of a timeline's access starts jobs
// over its posts (turn_jobs.go). Sweeps and jobs decide entries again as of now, instead of adding
// or removing any, so the order of several changes does not matter. Their progress is written with
// each turn, so a restarted node continues them.
//
// Files are named by their stage:
//
//   - kind…: the kinds of page, and the timelines that feed each
//   - node.go, state.go, loop.go: a node, its data, and its loop
//   - turn….go: the changes that a turn reads (turn_route.go, turn_draft.go,
//     turn_fill.go), the change of the state (turn_apply.go), and the work left to
//     later turns (turn_marks.go, turn_sweep.go, turn_jobs.go)
//   - decide….go: whether a post is in a river, its place, and whether the entry counts
//     as changed
//   - build….go: first visits, and entries below a floor
//   - page_….go: the content of visits and sockets (page_view.go has the types)
//   - db_….go: the river DB
//   - room_….go: dropping rivers when they expire or there is no room
//   - check.go, the oracle; quarantine.go; settings.go; hooks.go, with which tests
//     stop a node at a point of its work
//
// Tests stand beside the code that they test. Tests of many stages at once are named scenario_…,
// and tests with random events random_….
//
// Some decisions may surprise a reader (docs/decisions has more):
//
//   - All rivers are in memory, and SQLite is only their journal, so that a page
//     needs no statement. A river DB that is lost while the node runs takes no
//     river with it: turns go on without the river DB, and write everything to a new
//     one, a chunk each turn (db_rebuild.go).
//   - A post that can't be shown without a panic is left out of every river until
//     the post changes (quarantine.go). Showing a broken entry instead would leave each
//     page to handle the entry.
//   - Turns have a time limit. If turns keep exceeding the limit although the primary
//     answers, the node drops all rivers and goes on at the head of the log
//     (loop.go).
//   - A new river DB starts its counter at the current Unix time in milliseconds,
//     so that the counter exceeds every counter that pages got from an earlier river DB.
//   - An entry that a sweep has not reached yet is decided when the entry is shown.
//     Hiding such entries would cost less, but would hide entries that the viewer may
//     still read.
//   - A sweep keeps only one chunk of a closed river. Building the rest again costs
//     less than sweeping it, and usually no visitor asks for the rest.
//   - Jobs share turns, a chunk each, so that the job of a feed with fifty posts
//     does not wait for the job of a feed with fifty thousand. A newer change of a
//     timeline replaces the timeline's jobs by new ones.
//
// The package does not know accounts and access rights (package timeline), sockets (package
// realtime), or HTML and JSON (package web).
package river
