package page

import "time"

// machineTime returns a time as programs read it in time elements.
func machineTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }
