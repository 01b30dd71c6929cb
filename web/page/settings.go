package page

import (
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
)

// SettingsModel is the page of what people arrange for themselves.
type SettingsModel struct {
	Shell
	User                                   timeline.UserID
	Admin                                  bool // of the site
	Name, DisplayName, Description, Status string
	DirectsFrom                            string    // "anybody" or "subscriptions"
	OwnPosts                               bool      // they stand in one's home
	Lang                                   string    // the code of the language that one writes in; empty: told from each post
	Audience                               *Audience // who would read the feed, where that was asked
	Was                                    Was       // what the profile's fields were
	ProfileProblems                        Problems

	Tokens        []Token
	NewToken      string // the secret of a token just made: shown once
	TokenProblems Problems

	PasswordProblems Problems
	DeleteProblems   Problems // of deleting the account
}

// Token is an API token without its secret.
type Token struct {
	ID        int64
	Name      string
	CreatedAt time.Time
	SeenAt    *time.Time // nil: never used
}

func (m SettingsModel) profileAPI() string { return meAPI(m.User) + ".json" }

func (t Token) api() string { return "/api/v1/tokens/" + strconv.FormatInt(t.ID, 10) + ".json" }

// ownPosts are the choices of what one's home has of oneself.
func ownPosts(shown bool) []choice {
	return choose([]choice{
		{Value: "true", Label: "My own posts stand among the others"},
		{Value: "false", Label: "My own posts are left out", Hint: "They are on your own page, and in your discussions."},
	}, strconv.FormatBool(shown))
}

// directs are the choices of whose direct messages one takes.
func directs(chosen string) []choice {
	return choose([]choice{
		{Value: "anybody", Label: "Anybody", Hint: "But those on the other side of a ban."},
		{Value: "subscriptions", Label: "People I subscribe to"},
	}, chosen)
}
