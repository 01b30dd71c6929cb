package page

import (
	"strings"

	"amstel.dev/amstel/timeline"
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
func siteLabel(key string) string {
	words := map[string]string{
		"lift": "Lift what friends bring", "bump": "Which comments make a post fresh", "presence": "How many are here", "best_of": "Best of", "most_faved": "Most faved",
		"like": "likes", "comment": "comments", "fav": "favourites", "half_life_hours": "half-life for Rising, in hours",
	}
	group, rest, is := strings.Cut(key, ".")
	if !is {
		return words[key]
	}
	return words[group] + ": " + words[rest]
}

// siteName is a setting's field in the form.
func siteName(key string) string { return "site[" + key + "]" }

// siteID is a setting's id in the page.
func siteID(key string) string { return "site-" + strings.NewReplacer(".", "-", "_", "-").Replace(key) }

// siteChoices are the values of a setting that has few.
func siteChoices(one timeline.SiteSetting) []choice {
	labels := map[string]choice{
		"on":       {Label: "Yes", Hint: one.About},
		"off":      {Label: "No"},
		"comment":  {Label: "Every comment"},
		"freefeed": {Label: "Those on what is young or talked about", Hint: "On a post younger than a day, or with more than two comments in the last day."},
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
