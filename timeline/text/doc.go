// Package text has the rules for the texts that people write; it stores nothing. It finds the names,
// hashtags and addresses in a text ([Signs]), detects the language of a text ([Detect]), brings a text
// into its stored form ([Clean]), and checks names ([CheckName]), e-mail addresses and passwords.
//
// The result of each function depends only on its arguments. The error for a bad input is an
// [InvalidError].
package text
