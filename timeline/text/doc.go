// Package text has the rules for people's texts; it stores nothing. It finds the names, hashtags
// and addresses in a text ([Signs]), detects the text's language ([Detect]), brings the text
// into its stored form ([Clean]), and checks names ([CheckName]), e-mail addresses and
// passwords.
//
// All functions are pure. The error of a bad input is an [InvalidError].
package text
