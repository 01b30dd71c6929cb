package text

import (
	"slices"
	"testing"
	"time"
)

func TestZones(t *testing.T) {
	t.Parallel()
	all := Zones()
	if len(all) < 400 || !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("%d zones, sorted: %v", len(all), slices.IsSorted(all))
	}
	for _, name := range all {
		if zone, ok := Zone(name); !ok || zone.String() != name {
			t.Errorf("the zone %s is not there", name)
		}
	}
	amsterdam, _ := Zone("Europe/Amsterdam")
	if got := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC).In(amsterdam).Format("15:04 MST"); got != "14:00 CEST" {
		t.Errorf("noon is %s in Amsterdam", got)
	}
	for _, name := range []string{"UTC", "Asia/Calcutta", "America/Argentina/Buenos_Aires"} {
		if _, ok := Zone(name); !ok {
			t.Errorf("the zone %s is not there", name)
		}
	}
	for _, name := range []string{"", "Local", "Europe/Atlantis", "../../../etc/passwd", "/etc/localtime", "Europe/../UTC", "europe\\amsterdam", "\x00", "UTC ", "<b>"} {
		if zone, ok := Zone(name); ok {
			t.Errorf("%q is the zone %v", name, zone)
		}
	}
}
