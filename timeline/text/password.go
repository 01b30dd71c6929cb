package text

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// The smallest and the largest length of a password, in characters.
const (
	minPassword = 8
	maxPassword = 200
)

// passwordsFile has the 10,000 commonest passwords of minPassword characters or more, in lower case and
// sorted, one a line. They are the first such lines of data/passwords.txt in version 1.0.1 of the module
// github.com/trustelem/zxcvbn, which counts passwords of leaked lists. The file NOTICE has its licence.
//
//go:embed passwords.txt
var passwordsFile string

// commonPasswords returns the lines of passwordsFile.
var commonPasswords = sync.OnceValue(func() []string { return strings.Fields(passwordsFile) })

// CheckPassword returns an [InvalidError] if a new password is too short or too long, is one of the
// commonest passwords, or equals one of the texts in own, such as the person's name: these are guessed
// first. Small and capital letters count as equal. An e-mail address in own also stands for its part before
// the @.
func CheckPassword(password string, own ...string) error {
	n := utf8.RuneCountInString(password)
	switch {
	case !Valid(password):
		return &InvalidError{Field: "password", Reason: "is not valid UTF-8 text", Code: "characters"}
	case n < minPassword:
		return &InvalidError{Field: "password", Reason: fmt.Sprintf("is shorter than %d characters", minPassword), Code: "too_short", N: minPassword}
	case n > maxPassword:
		return &InvalidError{Field: "password", Reason: fmt.Sprintf("is longer than %d characters", maxPassword), Code: "too_long", N: maxPassword}
	}
	lower := Lower(password)
	if _, common := slices.BinarySearch(commonPasswords(), lower); common {
		return &InvalidError{Field: "password", Reason: "is one of the commonest passwords", Code: "common_password"}
	}
	for _, text := range own {
		text = Lower(text)
		local, _, _ := strings.Cut(text, "@")
		if lower == text || lower == local {
			return &InvalidError{Field: "password", Reason: "is a name or an address of the person or the site", Code: "own_password"}
		}
	}
	return nil
}
