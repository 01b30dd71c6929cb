package text

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // so that the zones are the same on every machine
)

//go:embed zones.txt
var zonesFile string

// Zones returns the names of the time zones that people can choose, sorted. So the zones of a region
// follow each other.
var Zones = sync.OnceValue(func() (names []string) {
	for line := range strings.Lines(zonesFile) {
		if name := strings.TrimSpace(line); name != "" && !strings.HasPrefix(name, "#") {
			names = append(names, name)
		}
	}
	return names
})

// loaded keeps the zones that were requested, because reading a zone takes a hundred times as long as
// finding it here. It keeps only zones that exist, so it stays small.
var loaded sync.Map // from string to *time.Location

// Zone returns the time zone with a name of the IANA database, such as Europe/Amsterdam, and reports
// whether there is one. There is none for the empty name and for "Local", which Go would take for UTC
// and for the zone of the server.
func Zone(name string) (*time.Location, bool) {
	if found, ok := loaded.Load(name); ok {
		return found.(*time.Location), true
	}
	if name == "" || name == "Local" || len(name) > 64 {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, false
	}
	loaded.Store(name, zone)
	return zone, true
}
