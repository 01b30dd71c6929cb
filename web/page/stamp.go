package page

import "time"

// machineTime returns a time as programs read it, on the wire and in time elements.
func machineTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
