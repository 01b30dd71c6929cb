package page

import "time"

// machineTime returns a time as programs read it in time elements.
func machineTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// recent is how old a time may be for the page's script to write it as "5 minutes ago".
const recent = 7 * 24 * time.Hour
