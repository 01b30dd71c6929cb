package page

import (
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// SitePath is the page on which administrators arrange the whole site.
const SitePath = "/settings/site"

// SiteModel is that page.
type SiteModel struct {
	Shell
	Settings []timeline.SiteSetting // as they are, or as they were sent
	Was      Was                    // what they were
	Problems Problems               // by the settings' keys
}

// fields are the keys of what the form has.
func (m SiteModel) fields() []string {
	var keys []string
	for _, one := range m.Settings {
		keys = append(keys, one.Key)
	}
	return keys
}

// siteLabel is what a setting is called.
func siteLabel(words catalogue.Language, key string) string {
	switch key {
	case "lift":
		return words.SiteLift()
	case "bump":
		return words.SiteBump()
	case "presence":
		return words.SitePresence()
	case "best_of.like":
		return words.SiteBestLike()
	case "best_of.comment":
		return words.SiteBestComment()
	case "best_of.fav":
		return words.SiteBestFav()
	case "best_of.half_life_hours":
		return words.SiteBestHalf()
	case "most_faved.like":
		return words.SiteFavedLike()
	case "most_faved.comment":
		return words.SiteFavedComment()
	case "most_faved.fav":
		return words.SiteFavedFav()
	case "most_faved.half_life_hours":
		return words.SiteFavedHalf()
	}
	return key
}

// siteHint says what comes of a setting.
func siteHint(words catalogue.Language, key string) string {
	switch {
	case key == "lift":
		return words.SiteLiftHint()
	case key == "presence":
		return words.SitePresenceHint()
	case strings.HasSuffix(key, ".half_life_hours"):
		return words.SiteHalfHint()
	case strings.Contains(key, "."):
		return words.SitePointsHint("1000")
	}
	return ""
}

// siteName is a setting's field in the form.
func siteName(key string) string { return "site[" + key + "]" }

// siteID is a setting's id in the page.
func siteID(key string) string { return "site-" + strings.NewReplacer(".", "-", "_", "-").Replace(key) }

// siteChoices are the values of a setting that has few.
func siteChoices(words catalogue.Language, one timeline.SiteSetting) []choice {
	labels := map[string]choice{
		"on":       {Label: words.SiteYes(), Hint: siteHint(words, one.Key)},
		"off":      {Label: words.SiteNo()},
		"comment":  {Label: words.SiteBumpEvery()},
		"freefeed": {Label: words.SiteBumpRecent(), Hint: words.SiteBumpRecentHint()},
	}
	values := one.Choices
	if one.Kind == "flag" {
		values = []string{"on", "off"}
	}
	var choices []choice
	for _, value := range values {
		c := labels[value]
		c.Value, c.Checked = value, value == one.Value
		choices = append(choices, c)
	}
	return choices
}
