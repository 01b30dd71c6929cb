package address

import (
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/web/catalogue"
)

// FuzzDays: the end of a calendar's address is read as an existing day, month or year with a
// name, or not at all.
func FuzzDays(f *testing.F) {
	for _, parts := range []string{"2024", "2024/05", "2024/05/01", "2024/5/1", "0000", "9999", "2024-05", "2024/05/01/01", "2024/", "/", "+2024", "2024-05/01", "1999/12/31"} {
		f.Add(parts)
	}
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, parts string) {
		day := readDay(strings.Split(parts, "/"), now)
		if day == "" {
			return
		}
		from, until := DayBounds(day)
		if !from.Before(until) || from.Year() < 2000 || DayInWords(catalogue.English, day) == "" || readDay(strings.Split(strings.TrimPrefix(DayPath(day), "calendar/"), "/"), now) != day {
			t.Errorf("%q is %q: %v to %v, %q", parts, day, from, until, DayInWords(catalogue.English, day))
		}
	})
}
