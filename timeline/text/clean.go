package text

import (
	"fmt"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The largest lengths of texts, in characters.
const (
	MaxText        = 3000 // a post, a comment, a description
	maxDisplayName = 50
	MaxLabel       = 100 // a platform, a token's name
	maxEmail       = 254
)

// Valid reports whether PostgreSQL can store the text.
func Valid(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }

// lineEnds replaces the line ends of all systems by \n.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Clean returns the text of a post, a comment or a description in the form in which it is
// stored: lines end with \n, there is no space at the end, and letters are composed (NFC), as
// in the words of searches. The text may be empty. The error is an [InvalidError] of the
// field.
func Clean(field, text string) (string, error) {
	if !Valid(text) {
		return "", &InvalidError{Field: field, Reason: "is not valid UTF-8 text", Code: "characters"}
	}
	text = norm.NFC.String(lineEnds.Replace(text))
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	if utf8.RuneCountInString(text) > MaxText {
		return "", &InvalidError{Field: field, Reason: fmt.Sprintf("is longer than %d characters", MaxText), Code: "too_long", N: MaxText}
	}
	return text, nil
}

// Cut returns a text of at most the given number of characters. If it cuts the text, it ends the rest
// with "…".
func Cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:max(most-1, 0)])) + "…"
}

// OneLine returns a text that a stranger wrote as one line of at most the given number of characters.
// It removes invalid and invisible characters and those that change the direction of writing, and
// makes all white space single spaces. It returns "" for a text without visible characters.
func OneLine(from string, most int) string {
	from = norm.NFC.String(strings.ToValidUTF8(from, ""))
	from = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		// The two excepted characters join letters or keep them apart, which some scripts need.
		case r == unicode.ReplacementChar, unicode.In(r, unicode.C) && r != '\u200c' && r != '\u200d':
			return -1
		}
		return r
	}, from)
	line := []rune(strings.Join(strings.Fields(from), " "))
	if !strings.ContainsFunc(string(line), Visible) {
		return ""
	}
	if len(line) > most {
		line = append([]rune(strings.TrimRight(string(line[:most-1]), " ")), '…')
	}
	return string(line)
}

// CleanLine returns a line without the space around it. The line may be empty. It returns an
// [InvalidError] of the field for a text of several lines, or of more than longest characters.
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

// CleanDisplayName returns the name for people of an account, without the space around it. It returns
// an [InvalidError] for a name that is too long or has no visible character.
func CleanDisplayName(line string) (string, error) {
	line, err := CleanLine("display_name", line, maxDisplayName)
	if err == nil && line == "" {
		return "", &InvalidError{Field: "display_name", Reason: "is empty", Code: "empty"}
	}
	if err == nil && !strings.ContainsFunc(line, Visible) {
		return "", &InvalidError{Field: "display_name", Reason: "has no visible character", Code: "invisible"}
	}
	return line, err
}

// Visible reports whether a character is visible on a page. The fillers of Hangul
// syllables are letters, but not visible.
func Visible(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0':
		return false
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
}

// CheckEmail returns an [InvalidError] if the text does not have the form of an e-mail address. It
// does not check that the address exists, which only a letter to it could show.
func CheckEmail(email string) error {
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > maxEmail || !Valid(email) {
		return &InvalidError{Field: "email", Reason: "is not an e-mail address", Code: "email"}
	}
	return nil
}

// Lower returns a text in lower case, with its letters composed. Lower of a result returns the result
// unchanged; a single pass does not ensure that.
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
