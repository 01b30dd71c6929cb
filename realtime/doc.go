// Package realtime keeps open pages up to date: sockets, the hubs that they
// gather in, and the messages of the protocol amstel.v1.
//
// A hub ([hub]) stands for one open river. It is made with the river's first
// socket, holds one [Watch], and goes with the last. When the river changed, it
// wakes its sockets: at once after a silence, then at most once in
// [Config.Coalesce] (200 ms: with 250 a comment that follows another had 50 left
// of the 300 in which it is to be on a thousand pages). Each then asks the river what has changed since the counter
// that it was last sent; sockets that ask the same share one answer, composed
// and encoded once.
//
// It keeps three laws. A socket holds a counter and a window, never a queue: a
// slow one gets one merged message later, a stuck one delays nobody and holds
// nothing but its connection. A frame is composed from what the node has
// published when it is written, so nothing that was taken away is sent after.
// And nothing is written to the primary from here, nor read but by [Rivers].
//
// What changed and who may see it is package river's; what an entry looks like
// is the [Renderer]'s.
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
// river stands, and never go back ([livetest.Page] is such a page):
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
//
// [livetest.Page]: https://pkg.go.dev/amstel.dev/amstel/internal/livetest#Page
package realtime
