package page

import (
	"strconv"

	"amstel.dev/amstel/timeline"
)

// The addresses of passkeys: of signing in with one, and of those of the viewer.
const (
	PasskeySignInPath = "/users/sign_in/passkey"
	passkeysAPI       = "/api/v1/passkeys"
)

// Passkeys is the section of the viewer's passkeys on the page of the account.
type Passkeys struct {
	All     []timeline.Passkey
	New     string // the name of a new one, as typed or as offered
	Refused int64  // the passkey whose form was refused; 0: the form for a new one
	Typed   string // the name that was typed in the refused form
}

func passkeyAPI(p timeline.Passkey) string {
	return passkeysAPI + "/" + strconv.FormatInt(p.ID, 10) + ".json"
}

// passkeyID returns the id of an element in the row of a passkey.
func passkeyID(p timeline.Passkey, element string) string {
	return "passkey-" + strconv.FormatInt(p.ID, 10) + "-" + element
}

// passkeyProblems returns the problems of the form of a passkey, or of the form for a new one (0).
func (m SettingsModel) passkeyProblems(id int64) Problems {
	if m.Passkeys.Refused != id {
		return nil
	}
	return m.problems(PasskeyForm)
}

// passkeyName returns the name in the form of a passkey: as it was typed, if the form was refused.
func (m SettingsModel) passkeyName(p timeline.Passkey) string {
	if m.passkeyProblems(p.ID) != nil && m.Passkeys.Typed != "" {
		return m.Passkeys.Typed
	}
	return p.Name
}

// asksPassword reports whether a form that changes the ways of signing in asks for the viewer's password.
func (m SettingsModel) asksPassword() bool { return m.HasPassword && !m.Forgot }
