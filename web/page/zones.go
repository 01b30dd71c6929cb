package page

import (
	"slices"
	"strings"

	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/catalogue"
)

// A zoneGroup has the time zones of a part of the world, for a choice.
type zoneGroup struct {
	Label string
	Zones []zoneChoice
}

// A zoneChoice is a time zone: its name, and the name without the part that its group has.
type zoneChoice struct{ Name, Label string }

// zoneGroups returns the time zones to choose from. A chosen zone that is not one of them, as
// programs can set it, and UTC are the first group.
func zoneGroups(words catalogue.Language, chosen string) []zoneGroup {
	others := zoneGroup{Label: words.ZoneOthers(), Zones: []zoneChoice{{"UTC", "UTC"}}}
	if chosen != "" && chosen != "UTC" && !slices.Contains(text.Zones(), chosen) {
		others.Zones = append(others.Zones, zoneChoice{chosen, chosen})
	}
	groups := []zoneGroup{others}
	region := ""
	for _, name := range text.Zones() {
		in, place, _ := strings.Cut(name, "/")
		if in != region {
			region = in
			groups = append(groups, zoneGroup{Label: regionName(words, in)})
		}
		place = strings.NewReplacer("_", " ", "/", ", ").Replace(place)
		last := &groups[len(groups)-1]
		last.Zones = append(last.Zones, zoneChoice{name, place})
	}
	return groups
}

// regionName returns the name of a part of the world in the language of the page.
func regionName(words catalogue.Language, region string) string {
	switch strings.ToLower(region) {
	case "africa":
		return words.ZoneAfrica()
	case "america":
		return words.ZoneAmerica()
	case "antarctica":
		return words.ZoneAntarctica()
	case "arctic":
		return words.ZoneArctic()
	case "asia":
		return words.ZoneAsia()
	case "atlantic":
		return words.ZoneAtlantic()
	case "australia":
		return words.ZoneAustralia()
	case "europe":
		return words.ZoneEurope()
	case "indian":
		return words.ZoneIndian()
	case "pacific":
		return words.ZonePacific()
	}
	return region
}
