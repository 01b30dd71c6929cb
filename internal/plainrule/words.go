package plainrule

import (
	"slices"
	"strings"
	"unicode"
)

// Tags returns the hashtags of a text, each once.
//
// A tag (docs/kinds.md) is a # and up to 50 letters, digits, underscores, and hyphens
// between them. It is not in the middle of a word nor in an address. A text has at most 20.
func Tags(text string) (tags []string) {
	for _, tag := range signed(text, '#', func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' }) {
		tag = strings.ToLower(tag)
		if n := len([]rune(tag)); n <= 50 && !slices.Contains(tags, tag) && len(tags) < 20 {
			tags = append(tags, tag)
		}
	}
	return tags
}

// names returns the names of people in a text, each once: "@name" in any case, of the length
// that names have. A text has at most 20.
func names(text string) (all []string) {
	for _, name := range signed(text, '@', func(r rune) bool { return r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '_' }) {
		if name = strings.ToLower(name); len(name) >= 3 && len(name) <= 49 && !slices.Contains(all, name) && len(all) < 20 {
			all = append(all, name)
		}
	}
	return all
}

// signed returns the words of a text that begin after a sign.
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

// A Mention is the name of a person (User) in a text by another (By): in a comment, or in
// the post's own text if Comment is nil.
type Mention struct {
	User, By int64
	Comment  *Comment
}

// Mentions returns the mentions in a post and its comments (checklist FF2). The name of the
// text's own author is no mention. A name that a person had before is still theirs.
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
