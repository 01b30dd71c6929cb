package timeline

import (
	"math"
	"time"
)

// Weights say what counts how much in a ranking.
type Weights struct {
	Like, Comment, Fav float64 // points for each
	HalfLife           time.Duration
}

// A Period is what a ranking is over: all time, or what was published in the
// last day, week or month. Rising is over all time too, with a score in which
// newer posts need fewer points.
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

// Length is how long a post is in the period; 0: for ever.
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

// everIDs is where the ids of rankings of all time begin. The ids of the four
// older periods lie below, so that they stay what existing databases hold.
const everIDs = 1 << 32

// RankedID returns the their_id of a best_of or most_faved: of a language's, or,
// without one, of all posts; and of a period.
func RankedID(lang string, period Period) int64 {
	if period == Ever {
		return everIDs + LangID(lang)
	}
	return LangID(lang)*4 + int64(period)
}

// RankedOf returns the number of the language, and the period, that a [RankedID] is of.
func RankedOf(id int64) (lang int64, period Period) {
	if id >= everIDs {
		return id - everIDs, Ever
	}
	return id / 4, Period(id % 4)
}

// Points returns what a post has by its counts, in thousandths.
func (w Weights) Points(likes, comments, favs int) int64 {
	return int64(math.Round(1000 * (w.Like*float64(likes) + w.Comment*float64(comments) + w.Fav*float64(favs))))
}

// Score is what a post is ranked by: higher is better, and equal scores go by id.
// A post without any points has the least of its time, and no place in rankings.
//
// Among what is rising it is when the post was published, in milliseconds, and a
// half-life more for each doubling of its points and one:
//
//	published + half-life × log2(1 + points)
//
// This is the "hot" of Reddit's ranking (reddit/r2/r2/lib/db/_sorts.pyx: the
// logarithm of the votes, and the seconds since some day through 45,000), which
// is a constant plus an age for each tenfold. The age is a term of its own, so
// that while counts stay as they are nobody overtakes anybody, and what was
// written once stays right: time alone changes no rank.
//
// Over all time, and in a day, week or month, age counts nothing: the score is the
// points in thousandths. Time changes which posts are of a day, week or month.
//
// It is computed here and nowhere else: who ranks in SQL would round otherwise.
func (w Weights) Score(likes, comments, favs int, published time.Time, period Period) int64 {
	points := w.Points(likes, comments, favs)
	if period != Rising {
		return points
	}
	return published.UnixMilli() + w.worth(points)
}

// worth is the time that points make up for, in milliseconds.
func (w Weights) worth(points int64) int64 {
	return int64(math.Round(float64(w.HalfLife.Milliseconds()) * math.Log2(1+float64(points)/1000)))
}

// Most returns the highest score that a post published then could have among what
// is rising: no post has more of anything than its counts can say.
func (w Weights) Most(published time.Time) int64 {
	return w.Score(math.MaxInt32, math.MaxInt32, math.MaxInt32, published, Rising)
}
