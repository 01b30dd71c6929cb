// Package liveclient is a client of the live protocol amstel.v1, as the script of a page
// is: for tests, and for the clients that measure.
//
// A [Page] is the rule: what an open page shows, what it does with each frame, and what
// it subscribes with. It has no input or output, so a test may lose, double and reorder
// its frames. [Dial], [Read] and [Follow] are the socket of such a page.
package liveclient
