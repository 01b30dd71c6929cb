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
// The law it keeps (the oracle): once marks and jobs are worked off, every
// living river shows what a fresh build of it shows over the range it holds.
// One function decides what is in a river ([draft.decide]), whether a change, a
// build or a check asks; and one composes what is shown of it ([state.entry]),
// which tests the visibility rule once more.
//
// Where it differs from the seed's schema: memory is the whole working set and
// SQLite its journal, so a page costs no statement at all; and a river whose
// viewer's sets changed is refreshed by building its range again beside the
// loop and installing the result through the same decision as everything else,
// rather than swept in place. Until then nothing of it that the change may hide
// is shown, as everything shown is tested against the sets and access of now.
//
// Not here: who people are and who may read what (package timeline), sockets
// (package realtime), pages (package web).
package river
