// Package models is a laboratory: it measures the sources of rivers (see timeline.Sources), each on a
// copy of the same community and with the same acts, and recommends one of them.
//
// Each source is measured in this order:
//
//   - fill: the inboxes of all readers are made, and the active readers visit their homes
//     once, so that sources that make an inbox only after a visit have them too;
//   - visits: homes are visited on a node that holds none of them, so that each visit is a first
//     visit; also the homes of readers who follow 1, 4, 16 … feeds;
//   - posts: authors publish one post after the other, and each post is put into every inbox; also
//     posts of authors with 1, 4, 16 … followers;
//   - life: sessions follow, unfollow, read, scroll and send, at a given rate;
//   - comparison: homes are compared with the homes that a store without inboxes shows. A
//     difference is an error, and then there is no report;
//   - loss: while sessions read and send, the node is replaced by one without rivers, and all
//     inboxes are deleted. The time until all of them are back is measured.
//
// What people do in the life is planned from a seed before any measurement, so that each source gets
// the same acts at the same times ([planLife]).
//
// The recommendation follows from two numbers of each source: the cost of a post, and the cost of a
// first visit. Together with the number of first visits that come for each post, they give the cost
// of a post with its visits ([Cost.Of]). The number of visits from which on a source costs less than
// reading timelines is its break-even ([BreakEven]).
package models
