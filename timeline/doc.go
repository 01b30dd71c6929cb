// Package timeline stores what the site knows in PostgreSQL, the primary: people, groups,
// posts, comments, subscriptions, the timelines that list posts, and the log of changes.
//
// The primary is the only truth. What can be thrown away and built again belongs to package
// river, and what is pushed to open pages to package realtime. Package timeline imports
// neither.
//
// # Two laws
//
// There is one visibility rule, [Sets.MayRead], and nothing else decides which viewers see a
// post. For one viewer it is asked with the viewer's [Sets]; for all viewers at once it is
// counted, by [Store.AudienceOfPost] and [Store.AudienceOfStatus]. The rights of a viewer are
// a few functions beside it, in access_rights.go.
//
// Every transaction that writes appends to the change log what it changed, in the same
// transaction. So a reader that follows the log ([Snapshot], [Store.Sequence]) misses nothing.
//
// # Files
//
// A file is named by its noun, and then by what it does to the noun: post_facts.go
// and post_fold.go read posts, post_create.go, post_edit.go and post_delete.go write
// them, post_timelines.go finds the timelines that hold them. A type stands beside
// the SQL that reads it. The files access_… hold the visibility rule, account_… end
// accounts, page_… choose the posts of a page, search_… find posts; change.go holds the
// changes that the log consists of. Transactions, errors and the functions that read rows are
// in timeline/internal/primary.
//
// Two packages import this one, which imports neither: package discover finds people and
// groups, and package ranking ranks posts. Code that needs no database is in packages below:
// package text reads the texts that people write, and package query is the language of
// searches.
//
// # Locks and jobs
//
// How a person stands to a feed (subscriber, requested, invited, excluded, administrator) is
// written under a lock of the person's row. So a write that bans, excludes or expels the
// person comes before or after such a write, and never beside it.
//
// Work that is too much for one transaction is a row of the table jobs. A deleted account is
// closed in the first transaction, and [Store.RunEraseJob] erases the rest in chunks.
//
// # Timelines that fill themselves
//
// No author posts to a filter timeline: the transaction of an action fills it. A like, a
// comment or a favourite puts the post into a timeline of the person that acted; mentions and
// hashtags in a text ([text.Signs]) put it into theirs; its language ([text.Detect]) puts it
// into that of the language. post_timelines.go alone finds the timelines of a post. A post that
// left a filter timeline and comes back has been in it since the first time (timeline_left).
//
// Rankings are timelines too. Package ranking writes their ranks, for all nodes by one score
// ([Weights.Score]), and keeps earlier runs, so that the pages that one reader turns belong
// to the same run.
//
// A search is parsed by [query.Parse] and prepared by [Snapshot.Compile]. [Snapshot.Choose]
// finds the posts of a page, [Snapshot.Match] finds the searches that a post belongs to; both
// agree. The settings of the site ([SiteSettings]) are read together with the log.
//
// A [Notice] is written by the transaction of the action, and removed by the transaction that
// undoes the action. Whether its person may see it is decided by the visibility rule when it
// is shown or counted. Where a person left off a page ([LeftOff]) is shown to no other person,
// and is no change of the log.
//
// # Methods
//
// A method that reads or writes takes a context first, runs in at most one transaction, and
// defers primary.Wrap, so that its error says what was being done, and is one of those of
// error.go where the caller can act on it. Times are whole milliseconds. A time that orders
// things (FreshAt) is a number of milliseconds since 1970.
package timeline
