// Package measure has the measurements. [Run] is given an empty primary and a function that serves it. It
// fills the primary with a community, and reports each result as a [report.Record].
//
// A time depends on the machine and on what else the machine does. A ratio of two times, of things
// that took turns in one run, depends mostly on the program. So most measurements measure a second
// thing too, with which to compare the first:
//
//   - import: a file of lines is imported into the primary, which flushes its commits to
//     the disk. The bar is 86,439 lines in 15 s, in proportion to the lines of the file.
//
//   - visit: the first page of the homes of the people who follow most, by [river.Node.Visit] on
//     a node that holds none of these rivers: the posts are read, folded, stored and composed. It is
//     compared with the naive page, which a site without rivers would read from PostgreSQL. Both
//     use the same pool, in turns, and must have the same posts, or the measurement fails.
//
//   - visit.large: the same with more posts. The cost of the naive page grows with the number of
//     stored posts, and the cost of a visit does not. So here the ratio has a bar.
//
//   - kinds: first visits of rivers of each kind, of up to ten of a kind: those with most
//     entries. Each is compared with the naive page of that kind, in turns. The naive page must have
//     the same posts, except for rankings and searches: it computes the scores of a ranking by
//     itself, and takes the words of a search as those of one language. If large is measured, kinds
//     are measured on its posts too ("kind.large.").
//
//   - search: how much longer a post takes the loop, from the return of its commit until a turn has
//     handled it, while a thousand searches of two words each are open than while none is. The bar is
//     5 ms.
//
//   - hot: the page that all readers without an account share, requested again and again from the
//     whole site. It is compared with a handler that writes the same header and bytes from memory
//     behind the same middleware ([Site].Wrap). The page is requested as HTML and JSON, plain and
//     gzipped; by calling the handler (".handler"), and over loopback HTTP on connections that
//     are kept (".http": the clients are in this process, and cost both sides alike). Page and
//     handler take turns. The ratio is that of the middle turn; the rates are those of all turns.
//
//   - members: the homes of the 16 members who follow most, requested in the same ways. The members
//     have sessions, and each has a connection. Nothing changes meanwhile. The handler for the
//     comparison writes each member's own page.
//
//   - deep: the last page that can be requested by its number, compared with one a tenth as far
//     down, in turns: unchanged, after a like, and requested for the first time. Then first visits
//     and writes while strangers request that last page again and again, in turns with quiet. A
//     stranger is a goroutine that calls the site's handler, so the ratio includes the share of the
//     machine that the strangers take.
//
//   - write: members write posts and comments by the API, with their homes open: one member
//     alone, and then several at the same time. Values are the time until the answer, which has the
//     entry, the number of statements for a post, and the number of posts in a second.
//
//   - frame: many pages are open, and one author comments on a post that all of them show. The
//     value is the time from the return of the commit until a frame arrives that shows the comment,
//     or a later comment on the post, since a hub may put several into one patch. Half of the pages
//     show the river of everything, and half are homes of different people. All get HTML, as
//     browsers do. The clients are another process on the same machine.
//
//   - rights: what changes of rights cost, among accounts that are as large as accounts normally
//     get ([dataset.Extremes]): a reader of 2,000 feeds, with an open home and then with a closed
//     one; a feed of 50,000 posts that goes private and public, and back and forth without a pause,
//     with 1,000 living rivers that hold its posts, 200 of them open; a group of 10,000 members
//     that expels one and goes private; and an account of 5,000 posts and 20,000 comments that is
//     deleted, with everything it left. Open pages are watches of a node's rivers. They are woken no
//     more often than a hub wakes its sockets, and each must end up equal to a fresh build, or the
//     measurement misses its bar. A step's value is the time from its last commit until the last
//     page shows the change. Of its parts, "write" is the time of the change itself; "answer" the
//     time from the last commit until [river.Node.WaitRevoked] returns; "done" the time from the
//     last commit until the loop has no work left; "turn" the loop's longest turn; "statement" the
//     longest statement to the primary, as its caller saw it, with a batch of up to 20 parts
//     as one statement; and "batch" the longest batch with more parts.
//
//   - crowd: very many sockets are open on the river that all viewers share. Their process costs
//     as little as possible. The values are the memory that each socket takes in the server, which is
//     this process, while nothing happens, as the system counts it and as the Go runtime does;
//     the time from the return of a change's commit until each socket has read the change's frame;
//     and the same time for the other sockets while some are stuck, and while these are closed, in
//     turns.
//
//   - homes: the same time when each socket is on the home of another person.
//
//   - storm: pages are open, half of them homes and half the river of everything. All sockets are
//     cut at once, and reconnect as the script in a browser would. The values are the time until the
//     last page is right again, and the number of statements to the primary. Each page must end up
//     equal to its river.
//
//   - recover: many living rivers are read all the time, some of them are open, and the river DB is
//     lost: its file is removed under a running node, or a node starts without one. The value is the
//     time until 95 of 100 rivers live again. No request may fail.
//
//   - strangers: a hundred members read and write, half of them with an open home, alone and among
//     strangers in turns. The strangers are clients, each with an address of its own, that crawl,
//     request deep pages, search, open sockets, read slowly, make up cookies, guess passwords and
//     sign up, all at once, and each as fast as it is answered. The value is how long members wait,
//     compared with how long they wait without strangers. No request of a member may fail, no
//     acknowledged write may be lost, each member must see their own write at once, every open page
//     must equal its river, and [river.Check] must find no difference. The process of the strangers
//     has the lowest priority, because the machines of real strangers do not share the server's
//     cores.
//
//   - life: members and visitors read homes and other pages, open posts, like, comment, publish, edit and
//     follow, at a rate: each act begins when it is due, whether or not earlier acts have ended, and its time
//     counts from then. Half of the members have their home open, and some visitors the river of
//     everything. The value is the p99 of all acts. Then the oracle looks for faults, as for strangers. The CPU
//     time is that of the server's process, without PostgreSQL, and is known only if the clients have processes of
//     their own; what is written is the primary's log; what is sent are answers and frames, as they come over
//     the network.
//
//   - growth: costs at several numbers of posts. The communities ([dataset.Grown]) are copied into
//     the tables. They write as much in a day, so a larger one is an older one. After all are loaded,
//     they take turns: in each, a node without rivers makes first visits of homes with 500
//     subscriptions, of page 40 of these homes and of searches, follows posts, is stopped, and starts
//     again with its river DB; a site serves the page of visitors, posts, comments and likes; and the
//     rankings run, after a like and when nothing has changed. Each cost is compared with that of the
//     smallest community of at least 200,000 posts, or else of the smallest. The bars of the ratio
//     are 1.1, and 1.25 for first visits.
//
//   - firehose: how many changes a second a node follows with very many living homes, a tenth of them
//     open. The changes are likes, written in batches of 50 ms by SQL, as another process would write
//     them ([dataset.Firehose]), at rates that double from a sixteenth of the bar to four times the
//     bar; then once between the last rate that is followed and the first that is not. A node follows
//     a rate if every frame of an open page comes within a second of the commit of the oldest like
//     that it shows, and the node has all changes within a second after the last. An open page is a
//     watch, woken as by a hub. Then, at half of the highest rate, the log is locked for three
//     seconds, so that no node can follow (".behind"): the value is the time until the node has all
//     changes again, while changes go on. ".unconcerned" is the longest turn for changes of posts that no
//     river has, compared with a turn without changes, in turns.
//
//   - memory: the heap and the stacks that very many living homes of a hundred entries take, and a
//     tenth as many open pages besides, each on a socket of another process. The community is that of
//     firehose.
//
// No measurement fails because it is slow. Bars are checked only when a person asks for it, who knows
// the machine.
package measure
