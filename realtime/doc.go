// Package realtime keeps open pages up to date: it serves their sockets, gathers the sockets in
// hubs, and speaks the protocol amstel.v1.
//
// A hub ([hub]) stands for one open river. The river's first socket makes the hub, the last one
// ends it, and the hub holds one [Watch] meanwhile. When the river changes, the hub makes a round
// of its sockets: at once after a silence, and then at most once in [Limits.Coalesce]. (200 ms
// leave 100 of the 300 ms in which a comment must reach a thousand pages, even if the comment
// follows another; 250 left 50.) A round sends each socket the changes since the counter that the
// socket was last sent. Sockets in the same state share one answer, which is composed, encoded and
// framed once.
//
// The package keeps these laws:
//
//   - A socket holds a counter and a window, never a queue. A slow socket gets one
//     merged frame later. A stuck socket delays no other and holds one frame and
//     its connection.
//   - A frame is composed from the state that the node has published at the time of
//     writing. Other sockets are given the frame only while the river would still give
//     the same answer, so nothing is sent after the right to see the river was taken
//     away.
//   - Only a goroutine of the socket's own waits for a client to read, and for a bounded
//     time. Rounds, the janitor and a logout write as much as can be written without
//     waiting ([wire.try]).
//   - A frame that was begun is finished. Nothing is written after a closing frame.
//   - The package writes nothing to the primary, and reads the primary through
//     [Rivers] only.
//
// Package river decides which changes there are, and for which viewers. The [Renderer] decides how
// an entry looks. An entry that the renderer fails on is left out, and reported as gone to pages
// that may have the entry; the other entries are sent.
//
// # What a page costs
//
// A socket at rest is one goroutine that reads and has little on its stack: about 7.5 KB, of which
// 4 are the stack and 1.5 the library's. No request is kept: [Server.ServeHTTP] returns after the
// upgrade, having given the library small buffers. Another goroutine reads and parses each frame
// from the client, because parsing would make the stack of the reader grow for good. Sockets have
// no timers: the janitor of the [Server] looks at all sockets a few times a second, and each
// socket has the time at which something is due.
//
// The library (coder/websocket) does the handshake, reading, and control frames. Data frames are
// written past the library, because many sockets are sent the same bytes: then nine tenths of the
// cost of a change, per page, is one system call. A round uses as many goroutines as there are
// processors. When a connection takes no more bytes, a goroutine of the socket takes over: it
// writes the rest and then the changes that came meanwhile, until the page is up to date.
//
// A patch or a reset of 1 KB or more is deflated when the fourth socket is given the frame, and
// sent as a binary message. The compression of the library is off, because the library has a state
// per socket. Only rivers of viewer 0 are compressed. The length of a compressed message tells how
// much its parts resemble one another: an attacker who can write into a person's river could try
// texts until one makes the message shorter, and so guess the rest of the message. A river that
// all viewers may read has no such secrets.
//
// # Under load
//
// When rounds take long, or begin late, the hub's pace stretches so that rounds take half of the
// time at most: the pace doubles from round to round, up to [Limits.Stretch], and halves again
// when the load allows. Sockets that are slow by themselves do not count. Rivers are opened
// [Limits.Openings] at a time. Each client waits in a line of its own and the lines take turns, so
// a client with hundreds of sockets delays only its own. A socket that waits longer than
// [Limits.SubWithin] is closed with 1013. If the access to a river was checked at the state that
// is still published, the access is not checked again for the next socket of the same viewer.
//
// A node that stops is drained first: [Server.Drain] refuses new sockets. Then [Server.Close]
// closes the sockets in batches, over half of the time that is left.
//
// # Notices
//
// A page is also sent the number of notices that its viewer has not read, and the number of
// directs that these notices are about, each at most 100: in the hello as "unread" and "directs",
// in a frame {"type":"unread","count":N,"directs":M} when a number changes, and in the answer to a
// poll as "unread" and "directs". Counters have no part in this: the last numbers count, and a page
// that reconnects gets them again with the next hello. A page of viewer 0 is sent no numbers.
//
// # What a client must know of the protocol
//
// A random test over links that lose, double and reorder frames found the rules that a client
// needs beside the counters. A page that keeps these rules ends in the state of its river, and
// never goes back to an older state ([client.Page] is such a page):
//
//   - Each sub is answered by one hello. The hello's epoch and counter replace the
//     page's. A patch or a reset follows if the page has missed something. Between its
//     sub and the hello a page applies no frame, because such a frame continues a state
//     that the page did not report, and the page sends no other sub.
//   - A hello with counter 0 names no state of a river. When a page comes back with
//     counter 0, the server compares the entries that the page says it has.
//   - A page that can't apply the patch after a hello sends a sub with no epoch,
//     counter or have. The answer is a reset.
//   - A page that gets the answer to a POST between a sub and the frame after its hello
//     applies the answer and sends another sub.
//   - A page that skips an op because the answer to a POST is newer sends another sub if
//     the op takes the entry away. Of other skipped ops the page applies the place alone.
//   - A reset may come at any time. It has an epoch and a counter of its own.
//   - A beat with a counter above the page's means that a frame was lost.
//   - A binary message is the same JSON, deflated without a header (deflate-raw). Any
//     frame may come in either form.
//   - A hello has "pace", the time between two frames of the river in milliseconds. A
//     frame {"type":"pace","ms":N} says that the time has doubled, or is normal again.
//     The page goes on as before; it may show that updates are delayed.
//   - While the node can't follow the primary, a hello and the answer to a poll have
//     "behind":true. A frame {"type":"behind","behind":B} reports that the node fell
//     behind or caught up. A page on a node that is behind shows the state as of the
//     node's last turn, and may show how old that state is. After [Limits.Away] the
//     socket is closed with 4011.
//   - An op may take away an entry that the page does not have.
//   - A page that loses entries gets older ones, up to the number that the page asked
//     for: ops put them after the last.
//   - A client that sends more than ten pings in a second is closed with 4400, like a
//     client that sends more than two frames.
//
// [client.Page]: https://pkg.go.dev/amstel.dev/amstel/realtime/client#Page
package realtime
