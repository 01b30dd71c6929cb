package river

import (
	"time"

	"amstel.dev/amstel/timeline"
)

// days returns the bounds of the ids of posts published in a day, a month or a year
// (UTC): ids at or above from and below until. For example, "2024-05" gives the
// first id of 1 May 2024 and the first id of 1 June 2024. It returns false if the
// text names no such period.
func days(query string) (from, until timeline.PostID, ok bool) {
	for _, span := range []struct {
		form                string
		years, months, days int
	}{{"2006-01-02", 0, 0, 1}, {"2006-01", 0, 1, 0}, {"2006", 1, 0, 0}} {
		if begin, err := time.Parse(span.form, query); err == nil {
			return timeline.FirstID(begin), timeline.FirstID(begin.AddDate(span.years, span.months, span.days)), begin.Year() >= 2000
		}
	}
	return 0, 0, false
}
