// Package client is a client of Amstel for programs in Go: the API, and pages that stay up to date
// by the live protocol amstel.v1.
//
// [New] returns a [Client], which sends requests to one server. [Client.Follow] follows a page, over
// any number of connections: the [River] resumes where it was. The command in the folder bot is a
// whole program.
//
// Below that stands the protocol by itself, for programs that open sockets of their own. A [Page] is
// the rule: the entries of an open page, the effect of each frame, and the content of a sub. A Page
// has no input or output, so a test may lose, double and reorder its frames. [Dial], [Read] and
// [Follow] are the socket of such a page.
//
// The package imports no other package of Amstel, so a program that uses the client is not linked
// with the server.
package client
