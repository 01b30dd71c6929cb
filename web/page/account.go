package page

import "time"

// SignInModel is the content of the page for signing in.
type SignInModel struct {
	Shell
	Email    string // as typed: a name or an e-mail address
	Remember bool
	Problems Problems
	ReturnTo string
	Mails    bool // the site can send a link to a person who forgot their password
	Passkeys bool // people can sign in with passkeys
}

// completes returns what browsers offer in the field of the login: names, and passkeys if the site takes them.
func (m SignInModel) completes() string {
	if m.Passkeys {
		return "username webauthn"
	}
	return "username"
}

// ConfirmModel is the content of the page that confirms an e-mail address.
type ConfirmModel struct {
	Shell
	Path string // of the link
	Done bool   // the address is confirmed
}

// LeavingModel is the content of the page for a person who deleted the account and signs in before it is erased.
type LeavingModel struct {
	Shell
	Path    string // of the link with which the person comes back
	EraseAt time.Time
}

// ForgotModel is the content of the page for a person who forgot their password.
type ForgotModel struct {
	Shell
	Login    string // as typed: a name or an e-mail address
	Sent     bool   // a link was just asked for
	Problems Problems
}

// SignUpModel is the content of the page for signing up.
type SignUpModel struct {
	Shell
	Name, Email, DisplayName string
	Problems                 Problems
	Closed                   string // why no one may sign up, or not with this link; empty: the form is shown
	Approval                 bool   // an administrator accepts new people
	About                    string // why the visitor wants to join
	Link                     string // the secret of a sign-up link; empty: none
	Agrees                   bool   // the visitor has ticked that they agree to the rules of the site
}
