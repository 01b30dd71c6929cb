package text

import (
	"fmt"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What may be written, in characters.
const (
	maxText        = 3000 // a post, a comment, a description
	maxDisplayName = 50
	MaxLabel       = 100 // a platform, a token's name
	maxEmail       = 254
	minPassword    = 8
	maxPassword    = 200
)

// Valid reports whether PostgreSQL can keep the text.
func Valid(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }

// Clean returns the text of a post or comment as it is kept: line ends as \n, no
// space at the end, and letters composed, as they are in what is looked for.
func Clean(field, text string) (string, error) {
	text, err := CleanProse(field, text)
	if err == nil && strings.TrimSpace(text) == "" {
		return "", &InvalidError{Field: field, Reason: "is empty", Code: "empty"}
	}
	return text, err
}

// lineEnds makes line ends of any machine's into ours.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// CleanProse is [Clean] for a text that may be empty.
func CleanProse(field, text string) (string, error) {
	if !Valid(text) {
		return "", &InvalidError{Field: field, Reason: "is not valid UTF-8 text", Code: "characters"}
	}
	text = norm.NFC.String(lineEnds.Replace(text))
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	if utf8.RuneCountInString(text) > maxText {
		return "", &InvalidError{Field: field, Reason: fmt.Sprintf("is longer than %d characters", maxText), Code: "too_long", N: maxText}
	}
	return text, nil
}

// CleanLine returns one line of at most the given length, without space around it;
// the line may be empty.
func CleanLine(field, line string, longest int) (string, error) {
	if !Valid(line) {
		return "", &InvalidError{Field: field, Reason: "is not valid UTF-8 text", Code: "characters"}
	}
	line = norm.NFC.String(strings.TrimSpace(line))
	if strings.ContainsFunc(line, unicode.IsControl) {
		return "", &InvalidError{Field: field, Reason: "has line breaks or control characters", Code: "one_line"}
	}
	if utf8.RuneCountInString(line) > longest {
		return "", &InvalidError{Field: field, Reason: fmt.Sprintf("is longer than %d characters", longest), Code: "too_long", N: longest}
	}
	return line, nil
}

// CleanDisplayName returns the name that a page shows, which has something to see.
func CleanDisplayName(line string) (string, error) {
	line, err := CleanLine("display_name", line, maxDisplayName)
	if err == nil && line == "" {
		return "", &InvalidError{Field: "display_name", Reason: "is empty", Code: "empty"}
	}
	if err == nil && !strings.ContainsFunc(line, Visible) {
		return "", &InvalidError{Field: "display_name", Reason: "has nothing that can be seen", Code: "invisible"}
	}
	return line, err
}

// Visible reports whether a character leaves a mark on a page. Letters that fill
// the place of a Hangul syllable's parts leave none.
func Visible(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0':
		return false
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
}

// CheckEmail returns what is wrong with the form of an e-mail address. Only a mail
// to the address could tell whether it exists.
func CheckEmail(email string) error {
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > maxEmail || !Valid(email) {
		return &InvalidError{Field: "email", Reason: "is not an e-mail address", Code: "email"}
	}
	return nil
}

// CheckPassword returns what is wrong with a password that a person chose.
func CheckPassword(password string) error {
	n := utf8.RuneCountInString(password)
	switch {
	case !Valid(password):
		return &InvalidError{Field: "password", Reason: "is not valid UTF-8 text", Code: "characters"}
	case n < minPassword:
		return &InvalidError{Field: "password", Reason: fmt.Sprintf("is shorter than %d characters", minPassword), Code: "too_short", N: minPassword}
	case n > maxPassword:
		return &InvalidError{Field: "password", Reason: fmt.Sprintf("is longer than %d characters", maxPassword), Code: "too_long", N: maxPassword}
	}
	return nil
}

// Lower returns a text in lower case, its letters composed. Lower of the result is
// the same again.
func Lower(text string) string {
	for range 4 {
		next := norm.NFC.String(strings.ToLower(norm.NFC.String(text)))
		if next == text {
			break
		}
		text = next
	}
	return text
}
