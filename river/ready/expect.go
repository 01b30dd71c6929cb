package ready

import (
	"time"

	"amstel.dev/amstel/timeline"
)

const (
	quartersOfDay = int64(24 * time.Hour / timeline.VisitQuarter)
	// pastDays is how many days back habits of every day are looked for.
	pastDays = 14
	// least is the number of days on which a person must have come for a habit.
	least = 3
)

// A History has the times at which one person came, by week.
type History []timeline.VisitWeek

// has reports whether the person came in a quarter.
func (h History) has(quarter int64) bool {
	for i := range h {
		if h[i].Has(quarter) {
			return true
		}
	}
	return false
}

// arrives reports whether the person came in a quarter and was away in the half hour
// before.
func (h History) arrives(quarter int64) bool {
	return h.has(quarter) && !h.has(quarter-1) && !h.has(quarter-2)
}

// since returns the first quarter of the earliest day with a known visit, as far back from a
// quarter as visits are kept. Without visits it returns the quarter itself.
func (h History) since(quarter int64) int64 {
	first := quarter
	for d := range int64(timeline.VisitWeeks*7 + 1) {
		day := (quarter/quartersOfDay - d) * quartersOfDay
		for q := range quartersOfDay {
			if h.has(day + q) {
				first = day
				break
			}
		}
	}
	return first
}

// Expects reports whether the person is expected to come in a quarter of an hour. A habit is one
// of these:
//
//   - Of the last 14 working days (on a weekend: days of weekends), the person came at this
//     time on at least half, and on three or more. Days before the first known visit don't
//     count.
//   - Of the last four days with this weekday's name, the person came at this time on three
//     or more.
//
// A day counts if the person arrived in the quarter itself or in one beside it, and at least one
// of the days must have the quarter itself. For example, a person came on Monday at 8:02, on
// Tuesday at 7:58 and on Wednesday at 8:14. On Thursday they are expected in the quarters from
// 7:45 and from 8:00, and neither from 7:30 nor from 8:15.
//
// Weeks and days are those of UTC. When clocks change, habits are learned anew within days.
func (h History) Expects(quarter int64) bool {
	var same, like, days int // days of this name; similar days with a visit; all similar days
	exact := false
	since := h.since(quarter)
	for d := int64(1); d <= timeline.VisitWeeks*7; d++ {
		then := quarter - d*quartersOfDay
		if then < since {
			break
		}
		came := false
		for near := then - 1; near <= then+1; near++ {
			came = came || h.arrives(near)
		}
		exact = exact || h.arrives(then)
		if came && d%7 == 0 {
			same++
		}
		if d <= pastDays && atWeekend(then) == atWeekend(quarter) {
			if days++; came {
				like++
			}
		}
	}
	return exact && (same >= least || like >= least && 2*like >= days)
}

// atWeekend reports whether a quarter is on a Saturday or a Sunday. Quarters are counted from a
// Monday.
func atWeekend(quarter int64) bool { return quarter/quartersOfDay%7 >= 5 }
