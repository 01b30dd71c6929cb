// Package inbox keeps the posts of rivers in inboxes: tables of the primary that have, for
// a river, its posts in their order, so that a first visit reads one inbox instead of many
// timelines. The site sets which kinds of rivers have inboxes, and of which source:
//
//   - timed: a document for each period, such as a week;
//   - sized: a document for each N entries;
//   - capped: the newest N entries, made by a visit and by nothing else;
//   - segments: a ring of N entries for each author;
//   - hybrid: entries, except of feeds with many subscribers, which are read.
//
// An inbox is a cache with an exact rule. It decides nothing that a viewer is shown: the
// visibility rule is asked afterwards, as of posts that were read from timelines.
//
// # The rule
//
// In each state of the primary, and for each inbox that is ready:
//
//	an entry is in the inbox exactly if its post stands in the choice above the low place
//	of the inbox, and it has the place at which the post stands;
//	except of posts in the table inbox_fanouts, of which the inbox is not asked.
//
// So a read in a snapshot takes the entries of the inbox, leaves out the posts of
// inbox_fanouts, finds where those stand in the timelines, and has what [timeline.ChooseRead]
// returns. Below the low place it reads the timelines.
//
// # How the rule is kept
//
// A transaction that changes the place of a post asks, together with the log, which
// inboxes have a timeline that holds or held the post. Up to [Options.PushMost] inboxes
// learn the new place in the transaction. For more, the transaction leaves a row in
// inbox_fanouts, and a worker tells the inboxes in chunks ([Source.Work]). Whoever tells an
// inbox locks the row of the inbox first and then reads the place from the timelines, so
// repeating is harmless and the order of tellers does not matter.
//
// A fill has three steps: it writes the feeds of the inbox and commits; waits until each
// transaction that may not have seen these feeds has ended; then locks the inbox, reads the
// choice in a snapshot that begins after the lock, and writes the entries. A write that
// changes a post of the inbox meanwhile waits for the lock, or the fill waits for the write.
//
// A choice is known by its hash. When its viewer follows or leaves a feed, or a feed is
// closed to them, the hash of the river's choice is another one, and the inbox is not asked:
// the timelines are read until the inbox of the new choice is filled.
package inbox
