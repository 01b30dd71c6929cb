// Package timeline stores the knowledge of the site in PostgreSQL, the primary: people, groups,
// posts, comments, subscriptions, the timelines that list posts, and the log of changes. The
// primary is the only truth. Data that can be thrown away and built again belongs to package
// river, and frames for open pages to package realtime. Package timeline imports neither.
//
// # Two laws
//
// There is one visibility rule, [Sets.MayRead], and nothing else decides which viewers see a post.
// For one viewer the rule takes the viewer's [Sets]; [Store.AudienceOfPost] and
// [Store.AudienceOfStatus] count all viewers at once. The rights of a viewer are a few functions
// beside the rule, in access_rights.go.
//
// Every transaction that writes appends its changes to the change log, in the same transaction. So
// a reader that follows the log ([Snapshot], [Store.Sequence]) misses nothing.
//
// # Files
//
// A file is named by its noun, and then by a verb: post_facts.go and post_fold.go read posts,
// post_create.go, post_edit.go and post_delete.go write posts, post_timelines.go finds the
// timelines of posts. A type stands beside the SQL that reads it. The files access_… hold the
// visibility rule, account_… end accounts, page_… choose the posts of a page, search_… find posts;
// change.go holds the changes of the log. Transactions, errors and the functions that read rows
// are in timeline/internal/primary.
//
// Three packages import this one, which imports none of them: package discover finds people
// and groups, package ranking ranks posts, and package inbox keeps posts in inboxes. Code that
// needs no database is in packages below: package text reads the texts that people write, and
// package query is the language of searches.
//
// # Locks and jobs
//
// The relation of a person to a feed (subscriber, requested, invited, excluded, administrator) is
// written under a lock of the person's row. So a write that bans, excludes or expels the person
// comes before or after such a write, and never beside it.
//
// Work that is too much for one transaction is a row of the table jobs. A deleted account is
// closed in the first transaction, and [Store.RunAccountJob] erases the rest in chunks.
//
// # Timelines that fill themselves
//
// No author posts to a filter timeline: the transaction of an action fills the timeline. A like, a
// comment or a favourite puts the post into a timeline of the person who acted; mentions and
// hashtags in a text ([text.Signs]) put the post into their timelines, and the language of the
// text ([text.Detect]) into the timeline of the language. post_timelines.go alone finds the
// timelines of a post. A post that left a filter timeline and comes back keeps the time of its
// first entry (timeline_left).
//
// Rankings are timelines too. Package ranking writes their ranks, for all nodes by one score
// ([Weights.Score]), and keeps earlier runs, so that the pages that one reader turns belong to the
// same run.
//
// A search is parsed by [query.Parse] and prepared by [Snapshot.Compile]. [Snapshot.Choose] finds
// the posts of a page, [Snapshot.Match] finds the searches of a post; both agree. The settings of
// the site ([SiteSettings]) are read together with the log.
//
// A [Notice] is written by the transaction of the action, and removed by the transaction that
// undoes the action. The visibility rule decides whether the person may see a notice when the
// notice is shown or counted. The place where a person left off a page ([LeftOff]) is shown to no
// other person, and is no change of the log.
//
// # Methods
//
// A method that reads or writes takes a context first, runs in at most one transaction, and defers
// primary.Wrap, so that the error names the failed work, and is one of the errors of error.go if
// the caller can act on it. Times are whole milliseconds. A time that orders things (FreshAt) is a
// number of milliseconds since 1970.
package timeline
