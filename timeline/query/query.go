// Package query is the language of searches: [Parse] reads the text that a person typed as a
// [Search], and [Search.String] writes a search in its one canonical form. Package timeline finds
// the posts.
package query

import (
	"slices"
	"strings"
	"time"

	"amstel.dev/amstel/timeline/text"
)

// The limits of one search.
const (
	maxLength = 500 // characters
	maxTerms  = 20
)

// A Search is a list of conditions, as [Parse] reads it. A post must meet all of them;
// of several authors, or several groups, one is enough. Names and hashtags are in lower
// case, without their sign, sorted, and each once.
type Search struct {
	Words       []string // words, and phrases of words that stand together
	InComments  bool     // the words are looked for in comments, not in posts
	Tags        []string
	From        []string // by one of these authors
	Groups      []string // in one of these groups
	LikedBy     []string // by all of these people
	CommentedBy []string // commented on by all of these people
	Has         []string // with files of all of these [Kinds]
	After       string   // published on that day or later, in UTC: "2006-01-02"
	Before      string   // published before that day
	Not         Not
}

// Not holds the negated conditions.
type Not struct {
	Words, Tags, From, Groups, LikedBy, CommentedBy, Has []string
}

// Kinds are the kinds of file that has: can name, in the order in which the help lists them.
var Kinds = []string{"image", "video", "audio", "file"}

// kindsTyped maps other words that people type after has: to the kinds that they mean.
var kindsTyped = map[string]string{
	"images": "image", "photo": "image", "photos": "image", "picture": "image", "pictures": "image",
	"videos": "video", "files": "file",
}

// Day is the form of a day in a search, as a layout of package time.
const Day = "2006-01-02"

// String writes the search in one canonical form: two texts that [Parse] reads as the same
// search have the same string. Words keep their order, so that people recognise their search.
func (s Search) String() string {
	var parts []string
	add := func(sign string, values ...string) {
		for _, v := range values {
			parts = append(parts, sign+v)
		}
	}
	quoted := func(words []string) []string {
		all := make([]string, len(words))
		for i, w := range words {
			all[i] = quoteTerm(w)
		}
		return all
	}
	add("", quoted(s.Words)...)
	add("-", quoted(s.Not.Words)...)
	if s.InComments {
		add("", "in:comments")
	}
	for _, some := range []struct {
		sign    string
		is, not []string
	}{
		{"#", s.Tags, s.Not.Tags}, {"from:", s.From, s.Not.From}, {"group:", s.Groups, s.Not.Groups},
		{"liked-by:", s.LikedBy, s.Not.LikedBy}, {"commented-by:", s.CommentedBy, s.Not.CommentedBy},
		{"has:", s.Has, s.Not.Has},
	} {
		add(some.sign, some.is...)
		add("-"+some.sign, some.not...)
	}
	if s.After != "" {
		add("after:", s.After)
	}
	if s.Before != "" {
		add("before:", s.Before)
	}
	return strings.Join(parts, " ")
}

// quoteTerm returns a word or a phrase as a part of a search: in quotes if the parser would read
// the text as something else without quotes, for example a phrase or from:anna.
func quoteTerm(term string) string {
	var p parser
	if p.read(term) == nil && len(p.Words) == 1 && p.Words[0] == term && p.count() == 1 {
		return term
	}
	return `"` + term + `"`
}

// lists returns the lists of the search, the negated ones last.
func (s *Search) lists() []*[]string {
	return []*[]string{
		&s.Words, &s.Tags, &s.From, &s.Groups, &s.LikedBy, &s.CommentedBy, &s.Has,
		&s.Not.Words, &s.Not.Tags, &s.Not.From, &s.Not.Groups, &s.Not.LikedBy, &s.Not.CommentedBy, &s.Not.Has,
	}
}

// count returns the number of conditions.
func (s *Search) count() int {
	n := 0
	for _, list := range s.lists() {
		n += len(*list)
	}
	for _, set := range []bool{s.InComments, s.After != "", s.Before != ""} {
		if set {
			n++
		}
	}
	return n
}

// positive reports whether the search has a condition that is not negated.
func (s *Search) positive() bool {
	return len(s.Words)+len(s.Tags)+len(s.From)+len(s.Groups)+len(s.LikedBy)+len(s.CommentedBy)+len(s.Has) > 0 || s.After != "" || s.Before != ""
}

// normalize removes repetitions from the lists, and sorts them, except for the lists of words.
func (s *Search) normalize() {
	for _, list := range s.lists() {
		switch list {
		case &s.Words, &s.Not.Words:
			var once []string
			for _, w := range *list {
				if !slices.Contains(once, w) {
					once = append(once, w)
				}
			}
			*list = once
		default:
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
	}
}

// check returns an error if the conditions together are no search that can be run.
func (s *Search) check() error {
	switch {
	case s.count() == 0:
		return Invalid("has no word in it that can be looked for", "no_word", "")
	case s.count() > maxTerms:
		return Invalid("asks for more than 20 things at once", "too_much", "")
	case !s.positive() && !s.InComments:
		return Invalid("only says what must not be there: add what to look for", "only_not", "")
	case s.InComments && len(s.Words) == 0:
		return Invalid("needs a word to look for in comments", "no_comment_word", "")
	case s.After != "" && s.Before != "" && s.After >= s.Before:
		return Invalid("asks for a time that ends before it begins", "times", "")
	}
	return nil
}

// Invalid returns the error of a bad search: the reason in English, its code for translations,
// and the part of the search to which the reason applies.
func Invalid(reason, code, name string) error {
	return &text.InvalidError{Field: "q", Reason: reason, Code: code, Name: name, N: maxLength}
}

// readDay reads the day of an after: or before:.
func readDay(text string) (string, error) {
	day, err := time.Parse(Day, text)
	if err != nil {
		return "", Invalid("has a day that is not written like 2024-12-31, or that there never was: “"+text+"”", "no_day", text)
	}
	return day.Format(Day), nil
}
