package page

import (
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/catalogue"
)

// SitePath is the path of the settings of the site.
const SitePath = "/settings/site"

// SiteModel is the content of the page of the settings of the site.
type SiteModel struct {
	Shell
	Settings []timeline.SiteSetting                 // as they are, or as they were typed
	Initial  Initial                                // their values when the form was shown
	Problems Problems                               // by the settings' keys
	Changes  []timeline.SiteChange                  // the newest first
	People   map[timeline.UserID]*timeline.UserCard // who made the changes
}

// fields returns the keys of the form's settings.
func (m SiteModel) fields() []string {
	var keys []string
	for _, one := range m.Settings {
		keys = append(keys, one.Key)
	}
	return keys
}

// by returns the name of the administrator who made a change, or words for the operator of the server.
func (m SiteModel) by(c timeline.SiteChange) string {
	if who := m.People[c.By]; who != nil {
		return "@" + who.Name
	}
	return m.Words.SuspensionOperator()
}

// mostOfValue is how many characters the page shows of a value before or after a change.
const mostOfValue = 200

// siteValue returns a value of a setting in a sentence about its change.
func siteValue(words catalogue.Language, value string) string {
	if value == "" {
		return words.SiteNothing()
	}
	return text.OneLine(value, mostOfValue)
}

// siteLabel returns the label of a setting.
func siteLabel(words catalogue.Language, key string) string {
	switch key {
	case "name":
		return words.SiteName()
	case "about":
		return words.SiteAbout()
	case "rules":
		return words.SiteRules()
	case "lift":
		return words.SiteLift()
	case "bump":
		return words.SiteBump()
	case "registration":
		return words.SiteRegistration()
	case "presence":
		return words.SitePresence()
	case "link_previews":
		return words.SiteLinkPreviews()
	case "ready":
		return words.SiteReady()
	case "intakes":
		return words.SiteIntakes()
	case "newcomers.days":
		return words.SiteNewDays()
	case "newcomers.posts":
		return words.SiteNewPosts()
	case "newcomers.links":
		return words.SiteNewLinks()
	case "refused":
		return words.SiteRefused()
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
	case "quotas.token":
		return words.SiteQuotaToken()
	case "quotas.person":
		return words.SiteQuotaPerson()
	case "quotas.address":
		return words.SiteQuotaAddress()
	}
	return key
}

// siteHint returns the sentence about the effect of a setting.
func siteHint(words catalogue.Language, key string) string {
	switch {
	case key == "about":
		return words.SiteAboutHint()
	case key == "rules":
		return words.SiteRulesHint()
	case key == "lift":
		return words.SiteLiftHint()
	case key == "presence":
		return words.SitePresenceHint()
	case key == "link_previews":
		return words.SiteLinkPreviewsHint()
	case key == "intakes":
		return words.SiteIntakesHint()
	case key == "ready":
		return words.SiteReadyHint()
	case key == "newcomers.days":
		return words.SiteNewDaysHint()
	case key == "newcomers.posts":
		return words.SiteNewPostsHint()
	case key == "refused":
		return words.SiteRefusedHint()
	case key == "quotas.address":
		return words.SiteQuotaAddressHint()
	case strings.HasPrefix(key, "quotas."):
		return words.SiteQuotaHint()
	case strings.HasSuffix(key, ".half_life_hours"):
		return words.SiteHalfHint()
	case strings.Contains(key, "."):
		return words.SitePointsHint("1000")
	}
	return ""
}

// siteName returns the name of a setting's field in the form.
func siteName(key string) string { return "site[" + key + "]" }

// siteID returns the id of a setting's element.
func siteID(key string) string { return "site-" + strings.NewReplacer(".", "-", "_", "-").Replace(key) }

// siteChoices returns the choices of a setting with few values.
func siteChoices(words catalogue.Language, one timeline.SiteSetting) []choice {
	labels := map[string]choice{
		"on":       {Label: words.SiteYes(), Hint: siteHint(words, one.Key)},
		"off":      {Label: words.SiteNo()},
		"comment":  {Label: words.SiteBumpEvery()},
		"open":     {Label: words.SiteRegistrationOpen()},
		"approval": {Label: words.SiteRegistrationApproval(), Hint: words.SiteRegistrationApprovalHint()},
		"link":     {Label: words.SiteRegistrationLink(), Hint: words.SiteRegistrationLinkHint()},
		"closed":   {Label: words.SiteRegistrationClosed(), Hint: words.SiteRegistrationClosedHint()},
		"allowed":  {Label: words.SiteNewLinksAllowed()},
		"held":     {Label: words.SiteNewLinksHeld(), Hint: words.SiteNewLinksHeldHint()},
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
