// Package report has the form in which measurements report their results, [Record], the table, the page
// and the charts of a [Run], and the instruments of measurements: times, statements, the turns of a loop, memory and profiles.
package report
