// Package inbox keeps the posts of rivers in inboxes. An inbox is rows of the primary that have the
// posts of one river in their order, so that a first visit reads one inbox instead of many
// timelines. The site sets which kinds of rivers have inboxes, and which source keeps them:
//
//   - timed: a document for each period, such as a week;
//   - sized: a document for each N entries;
//   - capped: the newest N entries; only a visit makes such an inbox;
//   - segments: a ring of N entries for each author;
//   - hybrid: entries, except of feeds with many subscribers, whose timelines are read.
//
// An inbox is a cache with an exact rule. It does not decide which posts a viewer may read: the
// visibility rule is asked afterwards, as it is for posts from timelines.
//
// # The rule
//
// In each state of the primary, and for each inbox that is ready:
//
//	the inbox has an entry for a post exactly if the post stands in the choice above the low
//	place of the inbox, and the entry has the place at which the post stands;
//	posts in the table inbox_fanouts are excepted.
//
// So a read in a snapshot takes the entries of the inbox, leaves out the posts in inbox_fanouts, and
// looks in the timelines where these posts stand. The result equals that of [timeline.ChooseRead].
// Below the low place the timelines are read.
//
// # How the rule is kept
//
// A transaction that changes the place of a post finds, when it writes the log, the inboxes that a
// timeline feeds that holds or held the post. If they are at most [Options.PushMost], the transaction
// updates them itself. If they are more, it leaves a row in inbox_fanouts, and a worker updates the
// inboxes in chunks ([Source.Work]). Both lock the row of an inbox first, and then read the place of
// the post from the timelines. So an update may be repeated, and the order of updates does not
// matter.
//
// A fill has three steps. It writes the feeds of the inbox and commits. It waits until every
// transaction has ended that may not have seen these feeds. Then it locks the inbox, reads the choice
// in a snapshot that begins after the lock, and writes the entries. A write that changes a post of
// the inbox meanwhile waits for the lock, or the fill waits for the write.
//
// An inbox is found by a hash of its choice. When the viewer follows or leaves a feed, or may not read
// a feed any more, the choice of the river has another hash. Then the timelines are read until the
// inbox of the new choice is filled.
package inbox
