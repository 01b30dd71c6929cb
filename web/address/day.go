package address

import (
	"strings"
	"time"

	"amstel.dev/amstel/web/catalogue"
)

// spans are what a calendar is divided into: the form of a span's name, as rivers
// have it, and how long it is.
var spans = []struct {
	form                string
	years, months, days int
}{

	{"2006-01-02", 0, 0, 1},
	{"2006-01", 0, 1, 0},
	{"2006", 1, 0, 0},
}

// readDay returns the day, the month or the year that the end of a calendar's
// address names, as rivers have it; empty where it names none. No day is before
// the first ids of posts, nor after tomorrow.
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

// DayPath returns a day, a month or a year as the end of an address.
func DayPath(day string) string { return "calendar/" + strings.ReplaceAll(day, "-", "/") }

// DayInWords returns a day, a month or a year as it is called in a language.
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

// DayBounds returns when a day, a month or a year begins and ends.
func DayBounds(day string) (from, until time.Time) {
	for _, span := range spans {
		if at, err := time.Parse(span.form, day); err == nil {
			return at, at.AddDate(span.years, span.months, span.days)
		}
	}
	return time.Time{}, time.Time{}
}
