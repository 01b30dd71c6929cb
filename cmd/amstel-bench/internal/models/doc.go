// Package models is a laboratory: it measures the sources of rivers, each on a copy of the same
// community, with the same acts, and recommends one of them.
//
// Each source is measured in this order:
//
//   - fill: the inboxes of all readers are made, and the active readers visit their homes
//     once, so that the sources that make inboxes for visitors have them;
//   - visits: homes are visited by a node that holds none of them, as first visits are; also
//     the homes of readers who follow 1, 4, 16 … feeds;
//   - posts: authors publish, one post after the other, and every inbox learns of it; also
//     authors whom 1, 4, 16 … people follow;
//   - life: sessions follow, unfollow, read, scroll and send, at a given rate;
//   - comparison: homes are compared with the homes that a store without inboxes shows. A
//     difference is an error, and there is no report;
//   - loss: while sessions read and send, the node is replaced by one without rivers, and all
//     inboxes are thrown away, until all that was there is there again.
//
// A plan, made from a seed before any measurement, fixes what readers do, so that each source
// gets the same acts at the same times ([planLife]).
//
// The choice follows from two numbers of each source: the cost of a post, and the cost of a
// first visit. With a number of first visits for each post they give the cost of a post with its
// visits ([Cost.Of]). The number from which on a source costs less than reading timelines is its
// break-even ([BreakEven]).
package models
