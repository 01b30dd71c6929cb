// Package report has the form in which measurements report their results, [Record], and the
// instruments of measurements: times, statements, the turns of a loop, memory and profiles.
package report
