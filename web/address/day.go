package address

import (
	"strings"
	"time"

	"amstel.dev/amstel/web/catalogue"
)

// spans are the parts of a calendar: the form of a part's name in rivers, and the part's
// length.
var spans = []struct {
	form                string
	years, months, days int
}{

	{"2006-01-02", 0, 0, 1},
	{"2006-01", 0, 1, 0},
	{"2006", 1, 0, 0},
}

// readDay returns the day, month or year at the end of a calendar's path, in the form that
// rivers use. It returns an empty string if the path has none, or names a day before the first
// possible post or after tomorrow.
func readDay(parts []string, now time.Time) string {
	name := strings.Join(parts, "-")
	for _, span := range spans {
		at, err := time.Parse(span.form, name)
		if err == nil && at.Year() >= 2000 && !at.After(now.UTC().AddDate(0, 0, 1)) {
			return name
		}
	}
	return ""
}

// DayPath returns a day, month or year as the end of a path.
func DayPath(day string) string { return "calendar/" + strings.ReplaceAll(day, "-", "/") }

// DayInWords returns a day, month or year in words.
func DayInWords(words catalogue.Language, day string) string {
	for _, span := range spans {
		at, err := time.Parse(span.form, day)
		switch {
		case err != nil:
		case span.days > 0:
			return words.Day(at)
		case span.months > 0:
			return words.Month(at)
		default:
			return day
		}
	}
	return ""
}

// DayBounds returns the beginning and the end of a day, month or year.
func DayBounds(day string) (from, until time.Time) {
	for _, span := range spans {
		if at, err := time.Parse(span.form, day); err == nil {
			return at, at.AddDate(span.years, span.months, span.days)
		}
	}
	return time.Time{}, time.Time{}
}
