package page

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// writeMarked writes plain text and marks the words that a search found: whole words, in
// any case. Hits are in lower case.
func writeMarked(b *strings.Builder, s string, hits []string) {
	plain := 0 // the start of the text that is not written yet
	prev := rune(-1)
	for i := 0; i < len(s); {
		c, size := utf8.DecodeRuneInString(s[i:])
		if n := hitAt(s[i:], prev, hits); n > 0 {
			b.WriteString(html.EscapeString(s[plain:i]) + "<mark>" + html.EscapeString(s[i:i+n]) + "</mark>")
			prev, _ = utf8.DecodeLastRuneInString(s[i : i+n])
			i += n
			plain = i
			continue
		}
		prev = c
		i += size
	}
	b.WriteString(html.EscapeString(s[plain:]))
}

// hitAt returns the length of the longest hit at the beginning of s; 0 if there is none.
// Prev is the character before s.
func hitAt(s string, prev rune, hits []string) int {
	if len(hits) == 0 || inWord(prev) {
		return 0
	}
	longest := 0
	for _, hit := range hits {
		n := 0
		for range utf8.RuneCountInString(hit) {
			_, size := utf8.DecodeRuneInString(s[n:])
			n += size
		}
		if next, _ := utf8.DecodeRuneInString(s[n:]); n > longest && strings.ToLower(s[:n]) == hit && (n == len(s) || !inWord(next)) {
			longest = n
		}
	}
	return longest
}

// inWord reports whether a character belongs to a word.
func inWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c) }

// shownHits returns the hits if the text has any of them, else nil.
func shownHits(text string, hits []string) []string {
	if len(hits) == 0 {
		return nil
	}
	lower := strings.ToLower(text)
	return slices.DeleteFunc(slices.Clone(hits), func(hit string) bool { return hit == "" || !strings.Contains(lower, hit) })
}
