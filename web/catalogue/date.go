package catalogue

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Moment returns a time in words for people, with its zone: "2 Jan 2026, 15:04 CET".
func (l Language) Moment(t time.Time) string {
	return l.DateMoment(strconv.Itoa(t.Day()), l.DateShortMonths(int(t.Month())-1), strconv.Itoa(t.Year()), t.Format("15:04"), zoneName(t))
}

// zoneName returns the name of a time's zone at that time, such as CET or CEST. A zone without a
// name has its distance from UTC: UTC+5:30.
func zoneName(t time.Time) string {
	name, seconds := t.Zone()
	if strings.TrimLeft(name, "+-0123456789") != "" {
		return name
	}
	name = "UTC"
	if seconds != 0 {
		name += fmt.Sprintf("%+d", seconds/3600)
	}
	if minutes := max(seconds, -seconds) / 60 % 60; minutes != 0 {
		name += fmt.Sprintf(":%02d", minutes)
	}
	return name
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
