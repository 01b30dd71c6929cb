// Package ranking ranks posts: [Rank] writes the timelines best_of and most_faved, for
// every node, by the one score of [timeline.Weights.Score]. Earlier runs are kept for a
// while, so that the pages of one reading belong together.
//
// Timeline does not import ranking. How a page of a ranking is read belongs to
// timeline, as for every other page ([timeline.Snapshot.Choose]).
package ranking
