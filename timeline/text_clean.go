package timeline

import (
	"fmt"
	"net/mail"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What may be written, in characters.
const (
	maxText        = 3000 // a post, a comment, a description
	maxDisplayName = 50
	maxLabel       = 100 // a platform, a token's name
	maxEmail       = 254
	minPassword    = 8
	maxPassword    = 200
)

// validText says whether PostgreSQL can keep the text.
func validText(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }

// cleanText is a post's or comment's text as it is kept: line ends as \n, no
// space at the end, and letters composed, as they are in what is looked for.
func cleanText(field, text string) (string, error) {
	text, err := cleanProse(field, text)
	if err == nil && strings.TrimSpace(text) == "" {
		return "", &InvalidError{field, "is empty"}
	}
	return text, err
}

// lineEnds makes line ends of any machine's into ours.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// cleanProse is text that may be empty.
func cleanProse(field, text string) (string, error) {
	if !validText(text) {
		return "", &InvalidError{field, "is not valid UTF-8 text"}
	}
	text = norm.NFC.String(lineEnds.Replace(text))
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	if utf8.RuneCountInString(text) > maxText {
		return "", &InvalidError{field, fmt.Sprintf("is longer than %d characters", maxText)}
	}
	return text, nil
}

// cleanLine is one line of at most the given length, without space around it;
// it may be empty.
func cleanLine(field, line string, longest int) (string, error) {
	if !validText(line) {
		return "", &InvalidError{field, "is not valid UTF-8 text"}
	}
	line = norm.NFC.String(strings.TrimSpace(line))
	if strings.ContainsFunc(line, unicode.IsControl) {
		return "", &InvalidError{field, "has line breaks or control characters"}
	}
	if utf8.RuneCountInString(line) > longest {
		return "", &InvalidError{field, fmt.Sprintf("is longer than %d characters", longest)}
	}
	return line, nil
}

func cleanDisplayName(line string) (string, error) {
	line, err := cleanLine("display_name", line, maxDisplayName)
	if err == nil && line == "" {
		return "", &InvalidError{"display_name", "is empty"}
	}
	if err == nil && !strings.ContainsFunc(line, visible) {
		return "", &InvalidError{"display_name", "has nothing that can be seen"}
	}
	return line, err
}

// visible says whether a character leaves a mark on a page. Letters that fill
// the place of a Hangul syllable's parts leave none.
func visible(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0':
		return false
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
}

// nameForm is what a name looks like.
var nameForm = regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{2,48}$`)

// checkName says what is wrong with a name that somebody wants.
func checkName(name string) error {
	switch {
	case !nameForm.MatchString(name):
		return &InvalidError{"name", "must be 3 to 49 of a-z, 0-9, _ and -, and not begin with -"}
	case isReserved(name):
		return &InvalidError{"name", "is reserved"}
	}
	return nil
}

// checkEmail says what is wrong with an address; whether it exists only a mail
// to it could tell.
func checkEmail(email string) error {
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > maxEmail || !validText(email) {
		return &InvalidError{"email", "is not an e-mail address"}
	}
	return nil
}

func checkPassword(password string) error {
	n := utf8.RuneCountInString(password)
	switch {
	case !validText(password):
		return &InvalidError{"password", "is not valid UTF-8 text"}
	case n < minPassword:
		return &InvalidError{"password", fmt.Sprintf("is shorter than %d characters", minPassword)}
	case n > maxPassword:
		return &InvalidError{"password", fmt.Sprintf("is longer than %d characters", maxPassword)}
	}
	return nil
}
