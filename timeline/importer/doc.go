// Package importer takes a community's history into the primary: a file of
// JSON Lines, one user, group, subscription, post, comment, like, comment like
// or ban a line, each naming only what came before it. What it writes is what
// the same acts would have left behind had they happened here at their times,
// except for the change log, and that nobody is told of history.
//
// Its law: a file can be imported any number of times, be it after a crash
// half-way, and ends the same as once. Each batch of lines is one transaction.
// What came from the file is remembered under the file's logical name, the
// source, so that it is not taken again, even if it was edited or deleted here
// since; people and groups are known by their names, whoever made them first.
//
// A line that can't be taken ends the import with a [LineError], and nothing
// of its batch stays. Who may not read what he comments on, likes or posts to
// may have been allowed to once: that is taken as history, and counted.
//
// An import works beside a running server. It keeps the lock order of all
// writers, and each batch that changed something renews the log's uuid last,
// so that every node starts over instead of following changes that were never
// logged.
package importer
