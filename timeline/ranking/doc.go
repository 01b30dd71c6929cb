// Package ranking ranks posts: [Rank] writes the timelines best_of and most_faved, for
// all nodes, by the score of [timeline.Weights.Score]. Earlier runs are kept for a
// while, so that a reader who goes from page to page reads pages of one run.
//
// Timeline does not import ranking. It reads pages of rankings as all other pages; see
// [timeline.Snapshot.Choose].
package ranking
