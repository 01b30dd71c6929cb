// Package text knows what people write, and nothing of where it is kept: which
// names, tags and addresses a text has ([Signs]), which language it is in
// ([Detect]), in which form it is kept ([Clean]), and what may be a name
// ([CheckName]), an e-mail address or a password.
//
// Its functions are pure. What is wrong with an input is an [InvalidError].
package text
