// Package text has the rules for what people write, without storing anything: which
// names, hashtags and addresses a text has ([Signs]), in which language it is
// ([Detect]), in which form it is stored ([Clean]), and what can be a name
// ([CheckName]), an e-mail address or a password.
//
// All functions are pure. The error of a bad input is an [InvalidError].
package text
