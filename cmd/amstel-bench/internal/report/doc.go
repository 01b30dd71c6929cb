// Package report has what measurements report, a [Record] each, and what they are taken
// with: times, statements, the turns of a loop, memory and profiles.
package report
