package timeline

import (
	"math"
	"time"
)

// Weights say how many points a ranking gives for each like, comment and favourite, and how fast
// newer posts overtake a post in [Rising].
type Weights struct {
	Like, Comment, Fav float64       // points for each
	HalfLife           time.Duration // the time that one doubling of the points makes up for; see [Weights.Score]
}

// A Period says which posts a ranking has: all posts, or the posts of the last day, week or month.
// Rising has all posts too, with a score in which newer posts need fewer points.
type Period int64

// The periods of rankings.
const (
	Rising Period = iota
	Day
	Week
	Month
	Ever
)

// Periods returns all periods.
func Periods() []Period { return []Period{Rising, Day, Week, Month, Ever} }

// Length returns how long a post is in the period; 0 means for ever.
func (p Period) Length() time.Duration {
	const day = 24 * time.Hour
	switch p {
	case Day:
		return day
	case Week:
		return 7 * day
	case Month:
		return 30 * day
	}
	return 0
}

// everIDs is added to the ids of rankings of [Ever]. The ids of rankings of the other four periods
// are below everIDs.
const everIDs = 1 << 32

// RankedID returns the their_id of a ranking timeline: of a language, or of all posts if
// lang is "", and of a period.
func RankedID(lang string, period Period) int64 {
	if period == Ever {
		return everIDs + LangID(lang)
	}
	return LangID(lang)*4 + int64(period)
}

// RankedOf returns the language's number and the period of a [RankedID].
func RankedOf(id int64) (lang int64, period Period) {
	if id >= everIDs {
		return id - everIDs, Ever
	}
	return id / 4, Period(id % 4)
}

// Points returns the points of a post by its counts, in thousandths of a point.
func (w Weights) Points(likes, comments, favs int) int64 {
	return int64(math.Round(1000 * (w.Like*float64(likes) + w.Comment*float64(comments) + w.Fav*float64(favs))))
}

// Score returns the number by which a ranking sorts posts: a higher one is better, and
// posts of equal scores are sorted by id. A post without points has no place in
// rankings.
//
// In [Rising] the score is the time of publication in milliseconds, plus a half-life for
// each doubling of the points plus one:
//
//	published + half-life × log2(1 + points)
//
// Example with a half-life of 24 hours: three points are worth 48 hours, so a post with
// three points stands beside one that was published two days later and has none. To be
// worth another 24 hours it needs seven points.
//
// This is the "hot" of Reddit's ranking (reddit/r2/r2/lib/db/_sorts.pyx: the logarithm of the
// votes, plus the seconds since a fixed day divided by 45,000), in which ten times the votes are
// worth a constant time. The age of a post is not part of the formula. So two posts never change
// places as long as their counts stay the same, and a stored score stays right.
//
// In the other periods age does not count: the score is the points in thousandths.
// There, time changes only which posts are in the period.
//
// The score is computed only here, because SQL would round differently.
func (w Weights) Score(likes, comments, favs int, published time.Time, period Period) int64 {
	points := w.Points(likes, comments, favs)
	if period != Rising {
		return points
	}
	return published.UnixMilli() + w.worth(points)
}

// worth returns the time in milliseconds that points make up for.
func (w Weights) worth(points int64) int64 {
	return int64(math.Round(float64(w.HalfLife.Milliseconds()) * math.Log2(1+float64(points)/1000)))
}

// Most returns an upper bound of the score in [Rising] for posts published at this time: the
// score with the highest counts that the primary can store.
func (w Weights) Most(published time.Time) int64 {
	return w.Score(math.MaxInt32, math.MaxInt32, math.MaxInt32, published, Rising)
}
