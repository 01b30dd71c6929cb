package catalogue

import (
	"strconv"
	"time"
)

// Moment returns a time as people read it, in UTC: "2 Jan 2026, 15:04".
func (l Language) Moment(t time.Time) string {
	t = t.UTC()
	return l.DateMoment(strconv.Itoa(t.Day()), l.DateShortMonths(int(t.Month())-1), strconv.Itoa(t.Year()), t.Format("15:04"))
}

// WholeMoment returns a time with all its parts, in UTC.
func (l Language) WholeMoment(t time.Time) string {
	t = t.UTC()
	return l.DateWhole(l.DateWeekdays(int(t.Weekday())), strconv.Itoa(t.Day()), l.DateOfMonths(int(t.Month())-1), strconv.Itoa(t.Year()), t.Format("15:04:05"))
}

// Day returns a day with its month and year.
func (l Language) Day(t time.Time) string {
	return l.DateDay(strconv.Itoa(t.Day()), l.DateOfMonths(int(t.Month())-1), strconv.Itoa(t.Year()))
}

// Month returns a month with its year.
func (l Language) Month(t time.Time) string {
	return l.DateMonth(l.DateMonths(int(t.Month())-1), strconv.Itoa(t.Year()))
}

// MonthAlone returns the name of a month.
func (l Language) MonthAlone(t time.Time) string { return l.DateMonths(int(t.Month()) - 1) }
