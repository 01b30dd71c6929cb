// Package bench measures what the project promises of its speed, for `amstel
// bench`. It is given an empty primary and the means to serve it, fills it with
// a community, and writes each thing measured as a line of JSON, a [Record].
//
// A time says something of a machine and of what else it was doing; a ratio of
// two things that take turns within one run says something of the program. So
// wherever there is something to set beside a measurement, it is there:
//
//   - import: a file of lines is taken into the primary, which flushes its
//     commits to the disk. The bar is 86,439 lines in 15 s, however many the
//     file has.
//
//   - visit: the first page of the home rivers of the people who follow most,
//     each through [river.Node.Visit] on a node that holds none of them: what it
//     shows is read, folded, stored and composed. Beside it [naive]: the page as
//     a site without rivers would ask PostgreSQL for it, which must find the
//     same posts, or the measurement fails. Both go over the same pool, in turns.
//
//   - visit.large: the same over more posts. What a visit costs does not follow
//     the number of posts stored, what the naive page costs does, so it is here
//     that the one must be a multiple of the other.
//
//   - kinds: first visits of rivers of the kinds that [run.kinds] lists, up to ten
//     of each, those with most in them, each in turns with the page as a site
//     without rivers would ask PostgreSQL for it. That must find the same posts,
//     but of rankings, whose scores it computes by itself, and of searches, whose
//     words it reads by one language. With large the same over its posts
//     ("kind.large.").
//
//   - search: what a post costs the loop, from the return of its commit until a
//     turn that has it is through, while a thousand searches of two words each are
//     open, less what it costs while none is. The bar is 5 ms more.
//
//   - hot: the page that everybody who is not signed in shares, asked for again
//     and again of the whole site, beside a handler that writes the same header
//     and bytes from memory behind the same middleware ([web.Server.Wrap]): as
//     HTML and JSON, plain and gzipped; over loopback HTTP with connections kept
//     (".http": the clients are in this process and cost both sides alike) and
//     without a network (".handler"). The two take turns; the ratio is that of
//     the middle turn, while the rates are those of all turns.
//
//   - deep: the last page that can be asked for by its number beside one a tenth
//     as far down, in turns: again, again after a like, and where nobody asked for
//     them before; then first visits and writes while strangers ask for
//     that last page again and again, in turns with quiet. A stranger is a
//     goroutine that calls the site's handler, so the ratio has in it what the
//     strangers take of the machine.
//
//   - frame: many pages are open, one writer comments on a post that all of them
//     show. Measured is the time from the return of the commit until a frame
//     arrives that shows the comment, or a later one of the same post, as the
//     hub may put several into one patch. Half of the pages are everybody's, half
//     are home rivers, each somebody's own; all as HTML, as browsers have them.
//     The clients are a process of their own; it shares the machine.
//
//   - rights: what changes of rights cost, in a town of its own where the cases
//     are as large as they are to be normal: somebody who follows 2,000, whose
//     home is open, and then closed; a feed of 50,000 posts that goes private, and
//     public, and to and fro at once, with 1,000 living rivers that hold its posts,
//     200 of them open; a group of 10,000 members that expels one and goes
//     private; an account of 5,000 posts and 20,000 comments that is deleted, and
//     then worked off. The town is written by COPY. Open pages are watches of a
//     node's rivers, woken no more often than a hub wakes its sockets; each must
//     end as a fresh build of it is, or the measurement misses its bar. A step's
//     value is the time from its last commit until the last page shows that. Its
//     parts: "write" is the change itself; "answer" the time from the commit until
//     [river.Node.Tighten] answers; "done" until the loop has nothing left to do;
//     "turn" its longest turn; "statement" the longest statement of all that go to
//     the primary, as its caller has it, a batch of up to 20 counting as one;
//     "batch" the longest batch of more.
//
//   - crowd: very many sockets are open on the river that everybody shares, on a
//     served site, in a process of their own that costs as little as can be (see
//     [swarm]). Measured is what each costs the server of memory while nothing
//     happens, as the system counts it and as the runtime does; the time from the
//     return of a change's commit until its frame is read at each socket; and the
//     same to the others while some are stuck, in turns. The memory is that of the
//     process of the server, which is this one.
//
//   - homes: the same time where each socket is of a home of its own.
//
//   - storm: pages are followed that are homes of their own or everybody's, all of
//     them are cut at once, and come back at once, as their script would. Measured
//     is when the last of them is right, and what the primary is asked for them; a
//     page must be as its river is.
//
//   - recover: many living rivers are read all the time, some are open, and the
//     river DB is lost: under the node, or before it started. Measured is when 95
//     of 100 live again; no request may fail.
//
//   - strangers: a hundred members read and write, half of them with their home
//     open, first by themselves and then among strangers: clients, each with an
//     address of its own, that crawl, ask for deep pages, search, open sockets,
//     read slowly, invent cookies, guess passwords and sign up, all at once and each
//     as fast as it is answered. Measured is how long members wait, beside how long
//     they wait without strangers; and that no request of a member fails, no
//     acknowledged write is lost, each member sees their own write at once, every
//     open page equals its river, and [river.Check] finds no difference. The
//     strangers' process gives way to all others, as the machines of real strangers
//     do not share the server's cores.
//
// Nothing here asserts a time: bars are looked at only where a person asks for
// it, on a machine that he knows.
package bench
