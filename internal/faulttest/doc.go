// Package faulttest has a scenario under fire, for tests of what goes wrong: nodes
// that are killed, a primary that goes away, a river DB that is lost.
//
// A [Scenario] is a primary on which random things happen, by several hands: by a
// [world.World] that writes beside the nodes, as users of another node would; and by
// clerks that write through the nodes themselves and repeat each write, under the same
// uuid, until it is answered. A dozen open pages follow over sockets, and reconnect as the
// protocol demands when they are cut ([Page]). People wander about and open other pages;
// no such request may fail by an error of the server.
//
// At the end everything comes to rest, and [Scenario.CheckAll] checks that every river equals a
// fresh build of it, every open page shows the same as its river, no page ever went back
// to an older state, no viewer was shown a post that they may not read, no write that a
// node acknowledged to a clerk is missing or was made twice, and the primary does not
// contradict itself.
//
// A scenario knows the addresses and the river DBs of its nodes. The test decides whether nodes
// are processes or parts of the test; [Start] makes one of the latter.
package faulttest
