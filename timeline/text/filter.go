package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The limits of a filter.
const (
	MaxFilters    = 500 // entries
	maxFilterText = 100 // characters of an entry
)

// FilterLines are the entries of a filter, one a line: words, or names of hosts. The zero value has no
// entry. [ParseFilter] makes them.
type FilterLines string

// ParseFilter returns the entries of a filter, one a line, without empty lines and repeated ones. An
// entry is a word, some words, or the name of a host. A * at the end of an entry stands for any rest
// of a word. The error is an [InvalidError] for the given field.
func ParseFilter(field, lines string) (_ FilterLines, err error) {
	var entries []string
	if !Valid(lines) {
		return "", &InvalidError{Field: field, Reason: "has a character that can't be kept", Code: "characters"}
	}
	known := make(map[string]bool)
	for line := range strings.Lines(lines) {
		entry := folded(strings.TrimSpace(line))
		switch {
		case entry == "" || known[entry]:
			continue
		case utf8.RuneCountInString(entry) > maxFilterText:
			return "", &InvalidError{Field: field, Reason: "has too long a line", Code: "filter_long", N: maxFilterText}
		case !strings.ContainsFunc(entry, wordy):
			return "", &InvalidError{Field: field, Reason: "has a line without a letter", Code: "filter_empty", Name: entry}
		}
		known[entry] = true
		if entries = append(entries, entry); len(entries) > MaxFilters {
			return "", &InvalidError{Field: field, Reason: "has too many lines", Code: "filter_many", N: MaxFilters}
		}
	}
	return FilterLines(strings.Join(entries, "\n")), nil
}

// Find returns the first entry that a text contains, or "". Words are compared whole, in any
// case, and in the compatibility form of Unicode, so that wide letters are the same as others. The
// name of a host also stands for its subdomains. For example, the entry "buy now" is in "BUY, now!",
// "watch*" is in "watches", and "spam.example" is in https://www.spam.example/x.
func (l FilterLines) Find(said string) string {
	if l == "" {
		return ""
	}
	said = spaced(folded(said))
	for entry := range strings.SplitSeq(string(l), "\n") {
		if contains(said, entry) {
			return entry
		}
	}
	return ""
}

// folded returns a text in lower case and in the compatibility form of Unicode.
func folded(s string) string { return strings.ToLower(norm.NFKC.String(s)) }

// spaced returns a text in which one space stands for each run of spaces and of punctuation beside spaces.
func spaced(s string) string {
	words := strings.Fields(s)
	for i, word := range words {
		words[i] = strings.TrimFunc(word, unicode.IsPunct)
	}
	return strings.Join(words, " ")
}

// contains reports whether an entry is in a text, between the boundaries of words.
func contains(said, entry string) bool {
	prefix := strings.HasSuffix(entry, "*")
	entry = spaced(strings.TrimSuffix(entry, "*"))
	host := strings.Contains(entry, ".") && !strings.Contains(entry, " ")
	for from := 0; ; {
		at := strings.Index(said[from:], entry)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(said[:at])
		rest := said[at+len(entry):]
		after, size := utf8.DecodeRuneInString(rest)
		next, _ := utf8.DecodeRuneInString(rest[size:])
		if !wordy(before) && (prefix || !wordy(after)) && !(host && after == '.' && wordy(next)) {
			return true
		}
		_, size = utf8.DecodeRuneInString(said[at:])
		from = at + size
	}
}
