package page

// SignInModel is the page to sign in on.
type SignInModel struct {
	Shell
	Email    string // as typed: a name or an e-mail address
	Remember bool
	Problems Problems
	ReturnTo string
}

// SignUpModel is the page to sign up on.
type SignUpModel struct {
	Shell
	Name, Email, DisplayName string
	Problems                 Problems
}
