package web

import (
	"strings"
	"time"
)

// spans are what a calendar is divided into: the form of its name, as rivers
// have it, and how it is called.
var spans = []struct {
	form, words         string
	years, months, days int
}{

	{"2006-01-02", "2 January 2006", 0, 0, 1},
	{"2006-01", "January 2006", 0, 1, 0},
	{"2006", "2006", 1, 0, 0},
}

// dayOf is the day, the month or the year that the end of a calendar's address
// names, as rivers have it; empty: none. There is none before the first ids of
// posts, nor after tomorrow.
func (s *Server) dayOf(parts []string) string {
	name := strings.Join(parts, "-")
	for _, span := range spans {
		at, err := time.Parse(span.form, name)
		if err == nil && at.Year() >= 2000 && !at.After(s.now().UTC().AddDate(0, 0, 1)) {
			return name
		}
	}
	return ""
}

// dayPath is a day as the end of an address.
func dayPath(day string) string { return "calendar/" + strings.ReplaceAll(day, "-", "/") }

// dayInWords is a day as it is called.
func dayInWords(day string) string {
	for _, span := range spans {
		if at, err := time.Parse(span.form, day); err == nil {
			return at.Format(span.words)
		}
	}
	return ""
}

// bounds are what a day, a month or a year begins and ends with.
func bounds(day string) (from, until time.Time) {
	for _, span := range spans {
		if at, err := time.Parse(span.form, day); err == nil {
			return at, at.AddDate(span.years, span.months, span.days)
		}
	}
	return time.Time{}, time.Time{}
}
