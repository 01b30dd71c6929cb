package page

import "time"

// machineTime is a moment as programs read it, on the wire and in time elements.
func machineTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// readableTime is a moment as people read it, in UTC. It doesn't depend on when
// it is read; the page's client makes it relative.
func readableTime(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04") }

// wholeTime says all there is to say of a moment.
func wholeTime(t time.Time) string { return t.UTC().Format("Monday, 2 January 2006, 15:04:05 UTC") }
