// Package faulttest tests nodes while something fails: a node is killed, the primary is
// away, a river DB is lost.
//
// A [Scenario] is a primary under load, with open pages on its nodes. The load comes from
// a [world.World], which writes to the primary directly, as another node would; from
// writers, which write through the nodes and repeat each request under the same uuid until
// a node acknowledges the write; and from a reader, which visits pages at random. The open
// pages follow their rivers over sockets, and reconnect by the rules of the protocol when
// a connection ends ([Page]). No request may be answered with an error of the server.
//
// [Scenario.CheckAll] stops the load and checks that every river equals a fresh build of the
// river, every open page shows the same entries as its river, no page ever went back to an
// older state, no viewer was shown a post that they may not read, no acknowledged write is
// missing or was made twice, and the primary does not contradict itself.
//
// A scenario knows the addresses and the river DBs of its nodes. A test may run the nodes
// as processes, or in its own process with [Start].
package faulttest
