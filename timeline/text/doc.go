// Package text has the rules for texts that people write; it stores nothing. It finds the
// names, hashtags and addresses in a text ([Signs]), detects its language ([Detect]), brings
// it into the form in which it is stored ([Clean]), and checks names ([CheckName]), e-mail
// addresses and passwords.
//
// All functions are pure. The error of a bad input is an [InvalidError].
package text
