// Package liveclient is a client of the live protocol amstel.v1, like the script of a page: for
// tests, and for the clients that measure.
//
// A [Page] is the rule: the entries of an open page, the effect of each frame, and the content of
// a sub. A Page has no input or output, so a test may lose, double and reorder its frames. [Dial],
// [Read] and [Follow] are the socket of such a page.
package liveclient
