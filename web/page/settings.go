package page

import (
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
)

// SettingsModel is the page of what people arrange for themselves.
type SettingsModel struct {
	Shell
	User                             timeline.UserID
	DisplayName, Description, Status string
	ProfileProblems                  Problems

	Tokens        []Token
	NewToken      string // the secret of a token just made: shown once
	TokenProblems Problems

	PasswordProblems Problems
}

// Token is an API token without its secret.
type Token struct {
	ID        int64
	Name      string
	CreatedAt time.Time
	SeenAt    *time.Time // nil: never used
}

func (m SettingsModel) profileAPI() string {
	return "/api/v1/users/" + strconv.FormatInt(int64(m.User), 10) + ".json"
}

func (t Token) api() string { return "/api/v1/tokens/" + strconv.FormatInt(t.ID, 10) + ".json" }
