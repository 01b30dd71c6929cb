package page

import (
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// SettingsModel is the content of the page of a person's settings.
type SettingsModel struct {
	Shell
	User                                   timeline.UserID
	Admin                                  bool // of the site
	Name, DisplayName, Description, Status string
	DirectsFrom                            string    // "anybody" or "subscriptions"
	PageLanguage                           string    // the code of the language of the pages; empty: as the browser asks
	OwnPosts                               bool      // the viewer's own posts are in their home
	Lang                                   string    // the code of the language that one writes in; empty: told from each post
	Audience                               *Audience // of the feed as the form has it; nil: not asked
	Initial                                Initial   // the values of the profile's fields
	ProfileProblems                        Problems

	Pictures *Pictures // nil: nothing can be uploaded

	Tokens        []Token
	NewToken      string // the secret of a new token, shown once
	TokenProblems Problems

	PasswordProblems Problems
	DeleteProblems   Problems // of deleting the account
}

// A Token is an API token without its secret.
type Token struct {
	ID        int64
	Name      string
	CreatedAt time.Time
	SeenAt    *time.Time // nil: never used
}

func (m SettingsModel) profileAPI() string { return meAPI(m.User) + ".json" }

func (t Token) api() string { return "/api/v1/tokens/" + strconv.FormatInt(t.ID, 10) + ".json" }

// ownPosts returns the choices of whether the viewer's own posts are in their home.
func ownPosts(words catalogue.Language, shown bool) []choice {
	return choose([]choice{
		{Value: "true", Label: words.SettingsOwnShow()},
		{Value: "false", Label: words.SettingsOwnHide(), Hint: words.SettingsOwnHideHint()},
	}, strconv.FormatBool(shown))
}

// directs returns the choices of the setting for the senders of direct messages.
func directs(words catalogue.Language, chosen string) []choice {
	return choose([]choice{
		{Value: "anybody", Label: words.SettingsDirectsAnybody(), Hint: words.SettingsDirectsAnybodyHint()},
		{Value: "subscriptions", Label: words.SettingsDirectsSubscriptions()},
	}, chosen)
}
