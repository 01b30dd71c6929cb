// Package timeline is the memory of the site: people, groups, posts, comments,
// who follows whom, the timelines that list posts, and the log of what changed.
// All of it is kept in PostgreSQL, the primary.
//
// What is here is the truth. What can be thrown away and built again belongs to
// package river; what is pushed to open pages belongs to package realtime.
// Timeline imports neither.
//
// It keeps two laws. There is one visibility rule, [Sets.MayRead], and nothing
// decides otherwise who sees a post: what it says of one person is read as his
// [Sets], what it says of everybody at once is counted by [Store.AudienceOfPost]
// and [Store.AudienceOfStatus]. Who may do what are a few functions beside it, in
// access_rights.go. And every transaction that writes appends
// to the change log what it changed, in the same transaction, so that whoever
// follows the log ([Snapshot], [Store.Sequence]) misses nothing.
//
// A file is named by its noun, and then by what it does to the noun: post_facts.go
// and post_fold.go read posts, post_create.go, post_edit.go and post_delete.go write
// them, post_timelines.go finds the timelines that hold them. A type stands beside
// the SQL that reads it. The files access_… hold the visibility rule, account_… end
// accounts, page_… choose the posts of a page, search_… find posts; change.go holds what
// the change log says. Transactions, errors and the functions that read rows are in
// timeline/internal/primary.
//
// Two packages stand on this one, which imports neither: package discover finds people
// and groups, and package ranking ranks posts. What asks no database has packages below:
// package text reads what people write, and package query is the language of searches.
//
// What somebody is to a feed (subscriber, asker, invited, excluded, administrator)
// is written under a lock of his row, so that whoever bans, excludes or expels him
// comes before or after, and never beside. What is too much for one transaction,
// the traces of a deleted account, is a row of the table jobs: closed in the first
// transaction, and taken away in chunks by [Store.RunEraseJob].
//
// Timelines that nobody posts to fill themselves in the transaction of the deed:
// likes, comments, favourites and discussions by who did it, mentions and hashtags
// by what texts say ([text.Signs]), everything of a language by the post's
// ([text.Detect]).
// Which those are of a post is found in post_timelines.go, and there alone. A post that
// left one and comes back is in it since the first time (timeline_left).
//
// Rankings are timelines too, whose ranks package ranking writes for every node by one
// score ([Weights.Score]); runs of before are kept, so that pages of one reading
// belong together. A search is read by [query.Parse], made ready by
// [Snapshot.Compile], and asked for by page ([Snapshot.Choose]) or by post
// ([Snapshot.Match]); both find the same. How the site is set ([SiteSettings]) is
// read with the log.
//
// What people are told ([Notice]) is written with the deed and goes with its
// undoing; whether its person may know of it is asked when it is shown or counted,
// by the same rule as all else. Where somebody left off a page ([LeftOff]) is for
// himself alone, and no change of the log's.
//
// A method that reads or writes takes a context first, runs in at most one
// transaction, and defers primary.Wrap, so that its error says what was being done,
// and is one of those of error.go where the caller can do something about it. Times
// are whole milliseconds; a time that orders things (FreshAt) is a number of
// milliseconds since 1970.
package timeline
