package page

// SignInModel is the content of the page for signing in.
type SignInModel struct {
	Shell
	Email    string // as typed: a name or an e-mail address
	Remember bool
	Problems Problems
	ReturnTo string
}

// SignUpModel is the content of the page for signing up.
type SignUpModel struct {
	Shell
	Name, Email, DisplayName string
	Problems                 Problems
}
