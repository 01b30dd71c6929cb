// Package faulttest has a town under fire, for tests of what goes wrong: nodes
// that are killed, a primary that goes away, a river DB that is lost.
//
// A [Town] is a primary on which random things happen, by several hands: by a
// [world.World] that writes beside the nodes, as another node's users would; and
// by clerks who write through the nodes themselves, each thing under a uuid until
// it is answered. A dozen open pages follow over sockets, and come back as the
// protocol has it when they are cut ([Page]). People wander about and open other
// pages, which never may be answered by an error of ours.
//
// At the end everything comes to rest, and [Town.Right] holds it against what
// must be so, however it was shot at: every river is as a fresh build of it, every
// open page shows what its river does, no page ever went back, no viewer was shown
// what they may not see, nothing that a clerk was told is done is missing or there
// twice, and the primary does not contradict itself.
//
// What nodes are, processes or parts of the test, is the test's to say: a town
// knows their addresses and their river DBs. [Start] makes one of the test's own.
package faulttest
