// Package measure has the measurements. It is given an empty primary and the means to
// serve it, fills the primary with a community, and reports each thing measured as a
// [report.Record].
//
// A time says something of a machine and of what else the machine was doing; a ratio of
// two things that take turns within one run says something of the program. So each
// measurement has something to compare with beside it, where there is any:
//
//   - import: a file of lines is imported into the primary, which flushes its commits to
//     the disk. The bar is 86,439 lines in 15 s, in proportion to the lines of the file.
//
//   - visit: the first page of the home rivers of the people with most feeds, each
//     through [river.Node.Visit] on a node that holds none of them: the posts are read,
//     folded, stored and composed. Beside it the naive page: the page as a site without
//     rivers would ask PostgreSQL for it, which must find the same posts, or the
//     measurement fails. Both use the same pool, in turns.
//
//   - visit.large: the same over more posts. The cost of a visit does not follow the
//     number of posts stored and the cost of the naive page does, so a bar of the ratio
//     makes sense here.
//
//   - kinds: first visits of rivers of each kind, up to ten of a kind, those with most in
//     them, each in turns with the naive page of that kind. The naive page must find the
//     same posts, except for rankings and searches: it computes the scores of a ranking by
//     itself, and reads the words of a search by one language. With large the same over its
//     posts ("kind.large.").
//
//   - search: what a post costs the loop, from the return of its commit until a turn has
//     handled it, while a thousand searches of two words each are open, less what it costs
//     while none is. The bar is 5 ms more.
//
//   - hot: the page that all readers without an account share, requested again and
//     again from the whole site, beside a handler that writes the same header and bytes
//     from memory behind the same middleware ([Site].Wrap): as HTML and JSON, plain and
//     gzipped; over loopback HTTP with connections kept (".http": the clients are in this
//     process and cost both sides alike) and without a network (".handler"). The two take
//     turns; the ratio is that of the middle turn, while the rates are those of all turns.
//
//   - members: the homes of the 16 members who follow most, requested in the same ways by their
//     sessions, each over a connection of its own; nothing changes meanwhile. The handler beside
//     them writes each member's own page.
//
//   - deep: the last page that can be requested by its number beside one a tenth as far
//     down, in turns: again, again after a like, and as pages that are requested for the
//     first time; then first visits and writes while strangers request that last page
//     again and again, in turns with quiet. A stranger is a goroutine that calls the site's
//     handler, so the ratio includes what the strangers take of the machine.
//
//   - frame: many pages are open, and one author comments on a post that all of them show.
//     Measured is the time from the return of the commit until a frame arrives that shows
//     the comment, or a later one of the same post, as the hub may put several into one
//     patch. Half of the pages are the river of everything, half are homes, each of another
//     person; all as HTML, as browsers have them. The clients are a process of their own on
//     the same machine.
//
//   - rights: what changes of rights cost, among accounts that are as large as they may
//     normally be ([dataset.Extremes]): a reader of 2,000 feeds with an open home, and then
//     a closed one; a feed of 50,000 posts that goes private and public, and to and fro at
//     once, with 1,000 living rivers that hold its posts, 200 of them open; a group of
//     10,000 members that expels one and goes private; an account of 5,000 posts and 20,000
//     comments that is deleted, and then worked off. Open pages are watches of a node's
//     rivers, woken no more often than a hub wakes its sockets; each must end as a fresh
//     build of it, or the measurement misses its bar. A step's value is the time from its
//     last commit until the last page shows the change. Its parts: "write" is the change
//     itself; "answer" the time from the commit until [river.Node.WaitRevoked] returns; "done"
//     until the loop has nothing left to do; "turn" its longest turn; "statement" the
//     longest statement that the primary got, as its caller saw it, a batch of up to 20
//     counting as one; "batch" the longest batch of more.
//
//   - crowd: very many sockets are open on the river that all viewers share, on a served
//     site, in a process that costs as little as possible. Measured is the memory that each
//     costs the server while nothing happens, as the system counts it and as the runtime
//     does; the time from the return of a change's commit until its frame is read at each
//     socket; and the same time at the others while some are stuck, in turns. The memory is
//     that of the process of the server, which is this one.
//
//   - homes: the same time where each socket is on the home of another person.
//
//   - storm: pages are followed, half of them homes and half the river of everything; all of them
//     are cut at once, and come back at once, as their script would. Measured is when the
//     last of them is right, and what the primary is asked for them; each page must equal
//     its river.
//
//   - recover: many living rivers are read all the time, some are open, and the river DB is
//     lost: under the node, or before it started. Measured is when 95 of 100 live again; no
//     request may fail.
//
//   - strangers: a hundred members read and write, half of them with their home open, by
//     themselves and among strangers in turns: clients, each with an address of its own, that
//     crawl, request deep pages, search, open sockets, read slowly, invent cookies, guess
//     passwords and sign up, all at once and each as fast as it is answered. Measured is how
//     long members wait, beside how long they wait without strangers; and that no request of
//     a member fails, no acknowledged write is lost, each member sees their own write at
//     once, every open page equals its river, and [river.Check] finds no difference. The
//     strangers' process gives way to all others, as the machines of real strangers do not
//     share the server's cores.
//
// No measurement fails for being slow: bars are looked at only where a person asks for
// it, on a machine that this person knows.
package measure
