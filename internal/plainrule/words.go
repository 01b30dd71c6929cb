package plainrule

import (
	"slices"
	"strings"
	"unicode"
)

// Tags are the hashtags of a text, each once.
//
// docs/kinds.md says what a tag is: a sign and then letters, digits and low lines, hyphens between them, at
// most 50, not in the middle of a word nor in an address; at most 20 a text.
func Tags(text string) (tags []string) {
	for _, tag := range signed(text, '#', func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' }) {
		tag = strings.ToLower(tag)
		if n := len([]rune(tag)); n <= 50 && !slices.Contains(tags, tag) && len(tags) < 20 {
			tags = append(tags, tag)
		}
	}
	return tags
}

// names are the people's names in a text, each once: "@name" in any case, of the
// length that names have; at most 20 a text.
func names(text string) (all []string) {
	for _, name := range signed(text, '@', func(r rune) bool { return r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '_' }) {
		if name = strings.ToLower(name); len(name) >= 3 && len(name) <= 49 && !slices.Contains(all, name) && len(all) < 20 {
			all = append(all, name)
		}
	}
	return all
}

// signed are the words that begin after a sign.
func signed(text string, sign rune, letter func(rune) bool) (found []string) {
	for _, word := range strings.Fields(text) {
		if strings.Contains(word, "://") {
			continue // an address
		}
		runes := []rune(word)
		for i := 0; i < len(runes); i++ {
			if runes[i] != sign || i > 0 && (letter(runes[i-1]) || unicode.IsLetter(runes[i-1]) || strings.ContainsRune("#@&/-", runes[i-1])) {
				continue
			}
			end := i + 1
			for end < len(runes) && (letter(runes[end]) || runes[end] == '-' && end > i+1 && end+1 < len(runes) && letter(runes[end+1])) {
				end++
			}
			if end > i+1 {
				found = append(found, string(runes[i+1:end]))
			}
			i = end - 1
		}
	}
	return found
}

// A Mention is that somebody is named by another, in a comment or, if that is
// nil, in the post's own text.
type Mention struct {
	User, By int64
	Comment  *Comment
}

// Mentions returns the people whom a post and its comments name (checklist FF2). A
// person who names themselves is not told of it; a name that a person had before is
// still theirs.
func (s *Site) Mentions(p *Post) (all []Mention) {
	add := func(text string, by int64, c *Comment) {
		for _, name := range names(text) {
			m := Mention{s.Names[name], by, c}
			if m.User != 0 && m.User != by && !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	add(p.Text, p.Author, nil)
	for _, c := range p.Comments {
		add(c.Text, c.Author, c)
	}
	return all
}
