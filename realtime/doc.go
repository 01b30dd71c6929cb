// Package realtime keeps open pages up to date: sockets, the hubs that they
// gather in, and the messages of the protocol amstel.v1.
//
// A hub ([hub]) stands for one open river. It is made with the river's first
// socket, holds one [Watch], and goes with the last. When the river changed, it
// goes round its sockets: at once after a silence, then at most once in
// [Limits.Coalesce] (200 ms: with 250 a comment that follows another had 50 left
// of the 300 in which it is to be on a thousand pages). Each is told what has
// changed since the counter that it was last sent; sockets that stand at the same
// place share one answer, composed, encoded and framed once.
//
// It keeps these laws:
//
//   - A socket holds a counter and a window, never a queue: a slow one gets one
//     merged message later, a stuck one delays nobody and holds one frame and its
//     connection.
//   - A frame is composed from what the node has published when it is written, and
//     given to others only while the river would still answer the same: nothing
//     that was taken away is sent after.
//   - Nobody waits for a client but a goroutine of that client's own, and that for
//     a bounded time. Whoever else has something to say to a socket, a round, the
//     keeper or a logout, writes what goes without waiting ([wire.try]).
//   - After a closing frame nothing is written, and what is begun is finished first.
//   - Nothing is written to the primary from here, nor read but by [Rivers].
//
// What changed and who may see it is package river's; what an entry looks like
// is the [Renderer]'s. An entry that the renderer fails to draw is left out, and
// said to be gone where a page may have it; the others are sent.
//
// # What a page costs
//
// A socket at rest is one goroutine that reads and has little on its stack: about
// 7.5 KB, of which 4 are the stack and 1.5 the library's. The request that it came
// with is over: [Server.ServeHTTP] returns after the upgrade, having given the
// library small buffers. A frame of a client's is read and parsed by a goroutine
// of its own, as that would make the reader's stack grow for good. There are no
// timers a socket: the [Server]'s keeper goes over all, a few times a second, and
// each has a number that says when something is due.
//
// The library (coder/websocket) does the handshake, reading, and control frames.
// What pages are sent is written past it, for it is the same bytes for many: a
// system call is then nine tenths of what a page of a river costs when that
// changes. A round goes on as many goroutines as there are processors. A socket
// whose connection takes no more is left to a goroutine of its own, which also
// writes what has changed meanwhile, until it is up to date.
//
// A patch or a reset of 1 KB or more is deflated once the fourth socket is given
// it, and sent as a binary message; the library's own compression, a state for each
// socket, is off. Only rivers of viewer 0 are packed. The length of a packed
// message tells how much its parts resemble one another: who can write into
// somebody's river could try texts until one makes it shorter, and so read what
// else is in it. What everybody may read has no such secrets.
//
// # Under load
//
// Rounds that take long, or begin late, stretch the hub's pace, so that they take
// half of the time at most: it doubles from round to round, up to [Limits.Stretch],
// and halves when it may. The sockets that are slow by themselves don't count.
// Rivers are opened [Limits.Openings] at a time. Each client waits in a line of its
// own, and the lines take turns, so that a stranger with hundreds of sockets delays
// only their own. A socket that waits longer than [Limits.SubWithin] is closed with
// 1013. A
// river that was tested at the state that is still published is not tested again
// for the next who comes to it.
//
// A node that stops is drained first ([Server.Drain]), which takes nobody new;
// [Server.Close] then says goodbye in batches over half of its time.
//
// # Notices
//
// Beside its river a page is told how many notices its viewer has not read, at
// most 100: the hello has it as "unread", a frame {"type":"unread","count":N} when
// it changes, and the answer to a poll as "unread", whatever else it says. Neither
// goes by counters: what is told last counts, and a page whose connection breaks
// is told again by the next hello. Nobody who is not signed in is told anything.
//
// # What a page must know of the protocol
//
// A random test over links that lose, double and reorder frames found what the
// client's rule needs beside the counters. Pages that keep to it end as their
// river stands, and never go back ([liveclient.Page] is such a page):
//
//   - A sub is answered by one hello, whose epoch and counter replace the page's;
//     a patch or a reset follows where the page has missed something. Between
//     its sub and the hello a page takes nothing, and it sends no other sub: what
//     comes by then leads on from a state that it has not told of.
//   - A hello's counter of 0 is no state of a river: a page that comes back with
//     it is compared by what it has.
//   - A patch that follows a hello and still can't be applied is followed by a sub
//     with no epoch, counter or have, which is answered by a reset.
//   - An answer to a POST that comes between a sub and the frame after its hello
//     is applied, and followed by another sub.
//   - Where the op that is skipped for the sake of an answer takes the entry away,
//     a sub follows too. Of other ops that are skipped only the place counts.
//   - A reset may come at any time; it has an epoch and a counter of its own.
//   - A beat whose counter is above the page's says that a frame was lost.
//   - A binary message is the same JSON, deflated without a header (deflate-raw);
//     which of the two a frame comes as says nothing.
//   - A hello has "pace", how many milliseconds apart the river's frames are; a
//     frame {"type":"pace","ms":N} says that this is twice as much now, or normal
//     again. A page goes on as ever: it may say that it lags.
//   - A hello and the answer to a poll have "behind":true, and a frame
//     {"type":"behind","behind":B} says, whether the node can't follow the primary
//     just now. What the page shows was right when it came; it may say how old it
//     is. After [Limits.Away] the socket is closed with 4011.
//   - An op may say that an entry is gone which the page does not have.
//   - A page that loses entries is filled from below, up to the number that it asked
//     for: ops put older entries after the last.
//   - Who sends more than ten pings in a second is closed with 4400, like who sends
//     more than two frames.
//
// [liveclient.Page]: https://pkg.go.dev/amstel.dev/amstel/internal/liveclient#Page
package realtime
