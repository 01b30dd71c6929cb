package river

import (
	"time"

	"amstel.dev/amstel/timeline"
)

// days are the bounds of the ids of what was published in a day, a month or a
// year (UTC), as "2024-05-01", "2024-05" and "2024" name them: from the first,
// below the second.
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
